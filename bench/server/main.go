// Command server answers requests for copies with as little work as net/http allows. The tools of
// bench/run send their requests to it, so that their own cost is measured and not that of a model.
//
// It serves OpenAI's chat completions, POST /v1/chat/completions, streamed or in one piece. The
// answer is the text between the first and the last quotation mark of the request, which is the
// expected one for items of the task copy. GET /v1/models lists the model m, and GET /counts has the
// counts so far. It listens on 127.0.0.1 only and prints its port.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"hash/maphash"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A server counts what it serves.
type server struct {
	latency time.Duration
	piece   int     // bytes of the answer in one event
	failing float64 // share of the prompts that always get status 500
	asked   *prompts

	requests, answered, failed, unread, flying, peak atomic.Int64
}

func main() {
	s := &server{}
	flag.DurationVar(&s.latency, "latency", 0, "time until the answer")
	flag.IntVar(&s.piece, "piece", 16, "bytes of the answer in one event of a stream")
	flag.Float64Var(&s.failing, "failing", 0, "share of the prompts that always get status 500")
	remember := flag.Bool("remember", true, "count how often each prompt is answered, which takes memory for each")
	flag.Parse()
	if *remember {
		s.asked = &prompts{times: map[uint64]int{}}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.Addr().(*net.TCPAddr).Port)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"object":"list","data":[{"id":"m","object":"model","created":1,"owned_by":"bench"}]}`)
	})
	mux.HandleFunc("GET /counts", s.counts)
	log.Fatal(http.Serve(l, mux))
}

// prompts counts whole answers by the prompt's hash.
type prompts struct {
	mu    sync.Mutex
	times map[uint64]int
	again int // answers to prompts that had been answered before
}

func (p *prompts) add(hash uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.times[hash]++; p.times[hash] > 1 {
		p.again++
	}
}

// fails reports whether a prompt always fails. Those prompts are the same in every process, so the
// hash is not one of maphash.
func fails(text []byte, share float64) bool {
	h := uint64(14695981039346656037)
	for _, b := range text {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return float64(h>>11)/(1<<53) < share
}

var seed = maphash.MakeSeed()

// A scratch has the buffers of one request.
type scratch struct{ in, out []byte }

var pool = sync.Pool{New: func() any { return &scratch{in: make([]byte, 0, 4<<10), out: make([]byte, 0, 4<<10)} }}

func (s *server) chat(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	n := s.flying.Add(1)
	defer s.flying.Add(-1)
	for p := s.peak.Load(); n > p && !s.peak.CompareAndSwap(p, n); p = s.peak.Load() {
	}
	b := pool.Get().(*scratch)
	defer pool.Put(b)
	var err error
	if b.in, err = readAll(b.in[:0], r.Body); err != nil {
		return
	}
	text, stream := read(b.in)
	if s.latency > 0 {
		select {
		case <-time.After(s.latency):
		case <-r.Context().Done():
			return
		}
	}
	if text == nil {
		s.unread.Add(1)
		http.Error(w, `{"error":{"message":"The last message holds no text in quotation marks.","type":"invalid_request_error"}}`, http.StatusBadRequest)
		return
	}
	if s.failing > 0 && fails(text, s.failing) {
		s.failed.Add(1)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, `{"error":{"message":"The server had an error while processing your request.","type":"server_error","param":null,"code":null}}`)
		return
	}
	if stream {
		err = s.stream(w, b, text)
	} else {
		err = s.whole(w, b, text)
	}
	if err == nil {
		s.answered.Add(1)
		if s.asked != nil {
			s.asked.add(maphash.Bytes(seed, text))
		}
	}
}

// read returns the text to copy from the body of a request, with JSON's escapes, and whether a stream
// is requested. The quotation marks around the text are escaped too, and the text has none.
func read(body []byte) (text []byte, stream bool) {
	stream = bytes.Contains(body, []byte(`"stream":true`)) || bytes.Contains(body, []byte(`"stream": true`))
	from := bytes.Index(body, []byte(`\"`))
	to := bytes.LastIndex(body, []byte(`\"`))
	if from < 0 || to <= from {
		return nil, stream
	}
	return body[from+2 : to], stream
}

const (
	head  = `{"id":"chatcmpl-1","object":"chat.completion","created":1760000000,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"`
	tail  = `"},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150}}`
	delta = `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1760000000,"model":"m","choices":[{"index":0,"delta":`
	stop  = delta + `{},"finish_reason":"stop"}]}` + "\n\n"
	usage = `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1760000000,"model":"m","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150}}` + "\n\n"
)

func (s *server) whole(w http.ResponseWriter, b *scratch, text []byte) error {
	b.out = append(append(append(b.out[:0], head...), text...), tail...)
	h := w.Header()
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{strconv.Itoa(len(b.out))}
	_, err := w.Write(b.out)
	return err
}

// stream writes each event by itself, as a server does that generates one token at a time.
func (s *server) stream(w http.ResponseWriter, b *scratch, text []byte) error {
	w.Header()["Content-Type"] = []string{"text/event-stream"}
	flush := http.NewResponseController(w)
	for len(text) > 0 {
		n := min(s.piece, len(text))
		b.out = append(append(append(b.out[:0], delta...), `{"content":"`...), text[:n]...)
		b.out = append(b.out, `"},"finish_reason":null}]}`+"\n\n"...)
		text = text[n:]
		if _, err := w.Write(b.out); err != nil {
			return err
		}
		if err := flush.Flush(); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, stop+usage+"data: [DONE]\n\n")
	return err
}

// counts writes the counts: requests, complete answers, errors, requests without a text, the largest
// number at once, prompts, and answers to prompts that had been answered before.
func (s *server) counts(w http.ResponseWriter, r *http.Request) {
	c := map[string]int64{
		"requests": s.requests.Load(), "answered": s.answered.Load(), "failed": s.failed.Load(), "unread": s.unread.Load(), "peak": s.peak.Load(),
	}
	if s.asked != nil {
		s.asked.mu.Lock()
		c["prompts"], c["again"] = int64(len(s.asked.times)), int64(s.asked.again)
		s.asked.mu.Unlock()
	}
	json.NewEncoder(w).Encode(c)
}

// readAll appends the data of r to b.
func readAll(b []byte, r io.Reader) ([]byte, error) {
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}
