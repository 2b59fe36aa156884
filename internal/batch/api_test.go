package batch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/httpconn"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// batchAPIs are the APIs with the root that their paths have at a fake server.
func batchAPIs() map[string]struct {
	api  *API
	root string
} {
	return map[string]struct {
		api  *API
		root string
	}{
		"chat":      {openAIChat(), "/v1"},
		"responses": {openAIResponses(), "/v1"},
		"anthropic": {Anthropic(), ""},
		"gemini":    {Gemini(), ""},
	}
}

// batchServer starts a server as configured and returns its address.
func batchServer(t *testing.T, b fake.Batch) string {
	t.Helper()
	s, err := fake.New(fake.Config{Echo: true, Batch: b, Key: "key-of-all-batches"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

func batchEndpoint(base string) wire.Endpoint {
	return wire.Endpoint{BaseURL: base, Model: "fake-1", Stream: true, Key: wire.NewKey("key-of-all-batches"), Total: time.Minute}
}

func batchAsks(n int) []verbatim.Request {
	asks := make([]verbatim.Request, n)
	for i := range asks {
		asks[i] = verbatim.Request{Seq: int64(i), MaxTokens: 500,
			Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: batchText(i)}}}}}
	}
	return asks
}

func batchText(i int) string { return fmt.Sprintf("Line %d\n\"漢字\" 🙂 \\ %d", i, i*i) }

// batchResults collects a batch. Every request may be answered once.
func batchResults(t *testing.T, api *API, e wire.Endpoint, id string) (map[int64]verbatim.Reply, map[int64]*verbatim.Failure, verbatim.BatchState) {
	t.Helper()
	replies, failures := map[int64]verbatim.Reply{}, map[int64]*verbatim.Failure{}
	state, err := api.Collect(t.Context(), e, id, func(ask int64, reply verbatim.Reply, err error) error {
		if _, twice := replies[ask]; twice || failures[ask] != nil {
			t.Errorf("request %d came twice", ask)
		}
		var f *verbatim.Failure
		switch {
		case err == nil:
			replies[ask] = reply
		case errors.As(err, &f):
			failures[ask] = f
		default:
			t.Errorf("request %d: %v (%T)", ask, err, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return replies, failures, state
}

func TestBatch(t *testing.T) {
	const n = 300
	for name, c := range batchAPIs() {
		t.Run(name, func(t *testing.T) {
			e := batchEndpoint(batchServer(t, fake.Batch{}) + c.root)
			asks := batchAsks(n)
			if fits, err := c.api.Fits(e, asks); fits != n || err != nil {
				t.Errorf("%d fit, %v", fits, err)
			}
			if id, err := c.api.Find(t.Context(), e, "run-1"); id != "" || err != nil {
				t.Errorf("found %q before it was there, %v", id, err)
			}
			id, err := c.api.Submit(t.Context(), e, "run-1", asks)
			if err != nil || id == "" {
				t.Fatalf("id %q, %v", id, err)
			}
			if _, err := c.api.Submit(t.Context(), e, "run-2", asks[:1]); err != nil {
				t.Fatal(err)
			}
			replies, failures, state := batchResults(t, c.api, e, id)
			if len(replies) != n || len(failures) != 0 || !state.Over || state.Done != n || state.Total != n || state.Raw == "" {
				t.Errorf("%d replies, %v, state %+v", len(replies), failures, state)
			}
			for i := range n {
				r := replies[int64(i)]
				if r.Text != batchText(i) || r.Finish != verbatim.FinishStop || r.Batch != id || r.Usage.Completion == nil || r.RequestID == "" {
					t.Fatalf("%d: %+v", i, r)
				}
				if r.Times != (verbatim.Times{}) || len(r.Attempts) != 1 {
					t.Fatalf("%d: times %+v, attempts %+v", i, r.Times, r.Attempts)
				}
				if a := r.Attempts[0]; a.Status != 200 || a.Class != "" || a.Bytes == 0 || a.RequestID == "" || !a.Start.IsZero() || a.Total != 0 {
					t.Fatalf("%d: attempt %+v", i, a)
				}
			}
			// What was sent once is found, and nothing else is.
			for key, want := range map[string]string{"run-1": id, "run-3": "", "run": ""} {
				if got, err := c.api.Find(t.Context(), e, key); got != want || err != nil {
					t.Errorf("key %s: found %q, %v, want %q", key, got, err, want)
				}
			}
			// An error of the callback ends Collect.
			stop := errors.New("enough")
			calls := 0
			_, err = c.api.Collect(t.Context(), e, id, func(int64, verbatim.Reply, error) error { calls++; return stop })
			if err != stop || calls != 1 {
				t.Errorf("%v after %d calls", err, calls)
			}
		})
	}
}

// A batch may fail in parts and expire with what was answered until then.
func TestBatchInParts(t *testing.T) {
	const n = 200
	for name, c := range batchAPIs() {
		t.Run(name, func(t *testing.T) {
			b := fake.Batch{Failed: 0.3, Expired: 0.2}
			if name == "gemini" {
				b.Expired = 0 // its batches expire as a whole
			}
			e := batchEndpoint(batchServer(t, b) + c.root)
			id, err := c.api.Submit(t.Context(), e, "parts", batchAsks(n))
			if err != nil {
				t.Fatal(err)
			}
			replies, failures, state := batchResults(t, c.api, e, id)
			if !state.Over || len(replies) < n/4 || len(failures) < n/8 || len(replies)+len(failures) != n {
				t.Errorf("%d replies, %d failures, state %+v", len(replies), len(failures), state)
			}
			classes := map[verbatim.Class]int{}
			for ask, f := range failures {
				classes[f.Class]++
				if f.Who == "" || f.Err == nil || len(f.Attempts) != 1 || f.Attempts[0].Class != f.Class || !f.Attempts[0].Start.IsZero() {
					t.Fatalf("%d: %+v", ask, f)
				}
			}
			for ask, r := range replies {
				if r.Text != batchText(int(ask)) {
					t.Fatalf("%d: %q", ask, r.Text)
				}
			}
			if classes[verbatim.Overload] == 0 {
				t.Errorf("classes %v", classes)
			}
			t.Logf("%d replies, %v, %s", len(replies), classes, state.Raw)
		})
	}
	c := batchAPIs()["gemini"]
	e := batchEndpoint(batchServer(t, fake.Batch{Expired: 1}))
	id, err := c.api.Submit(t.Context(), e, "whole", batchAsks(3))
	if err != nil {
		t.Fatal(err)
	}
	if replies, failures, state := batchResults(t, c.api, e, id); len(replies)+len(failures) != 0 || !state.Over || !strings.HasPrefix(state.Raw, "BATCH_STATE_EXPIRED: ") {
		t.Errorf("%v, %v, %+v", replies, failures, state)
	}
}

// Before it is over a batch says nothing of its requests.
func TestBatchWaits(t *testing.T) {
	for name, c := range batchAPIs() {
		t.Run(name, func(t *testing.T) {
			e := batchEndpoint(batchServer(t, fake.Batch{Time: time.Hour}) + c.root)
			id, err := c.api.Submit(t.Context(), e, "slow", batchAsks(5))
			if err != nil {
				t.Fatal(err)
			}
			if replies, failures, state := batchResults(t, c.api, e, id); len(replies)+len(failures) != 0 || state.Over || state.Raw == "" || state.Done != 0 {
				t.Errorf("%v, %v, %+v", replies, failures, state)
			}
			got, err := c.api.Find(t.Context(), e, "slow")
			if name != "anthropic" {
				if got != id || err != nil {
					t.Errorf("found %q, %v", got, err)
				}
				return
			}
			// Its requests are not shown yet: it may be ours or not.
			if f := (*verbatim.Failure)(nil); !errors.As(err, &f) || f.Class != verbatim.Overload || !strings.Contains(f.Error(), id) || f.Hint == "" {
				t.Errorf("found %q, %v", got, err)
			}
		})
	}
}

// A server that creates the batch and loses the connection before it replies
// leaves a batch that Find finds.
func TestBatchLost(t *testing.T) {
	for name, c := range batchAPIs() {
		t.Run(name, func(t *testing.T) {
			e := batchEndpoint(batchServer(t, fake.Batch{Lost: 0.5}) + c.root)
			lost := 0
			for i := range 40 {
				key := fmt.Sprint("lost-", i)
				id, err := c.api.Submit(t.Context(), e, key, batchAsks(2))
				var f *verbatim.Failure
				if err == nil {
					continue
				}
				if !errors.As(err, &f) || f.Class != verbatim.Transport {
					t.Fatalf("%q, %v", id, err)
				}
				found, err := c.api.Find(t.Context(), e, key)
				if err != nil {
					t.Fatal(err)
				}
				if found == "" {
					continue // OpenAI's file was lost, and no batch was made of it
				}
				lost++
				if replies, _, _ := batchResults(t, c.api, e, found); len(replies) != 2 {
					t.Errorf("%d replies", len(replies))
				}
			}
			if lost < 3 {
				t.Errorf("only %d batches were lost and found", lost)
			}
		})
	}
}

// What cannot be sent is refused before anything is sent.
func TestBatchRefuses(t *testing.T) {
	e := batchEndpoint("http://127.0.0.1:9")
	for name, c := range batchAPIs() {
		if id, err := c.api.Submit(t.Context(), e, "k", nil); err == nil || isFailure(err) {
			t.Errorf("%s: no requests: %q, %v", name, id, err)
		}
		for _, key := range []string{"", "a b", "a/b", strings.Repeat("k", 65)} {
			if _, err := c.api.Submit(t.Context(), e, key, batchAsks(1)); err == nil || isFailure(err) {
				t.Errorf("%s: key %q: %v", name, key, err)
			}
			if _, err := c.api.Find(t.Context(), e, key); err == nil || isFailure(err) {
				t.Errorf("%s: key %q: %v", name, key, err)
			}
		}
		for _, id := range []string{"", "../files", "a?b", "a b"} {
			if _, err := c.api.Collect(t.Context(), e, id, nil); err == nil || isFailure(err) {
				t.Errorf("%s: id %q: %v", name, id, err)
			}
		}
	}
}

func isFailure(err error) bool {
	var f *verbatim.Failure
	return errors.As(err, &f)
}

// Many results are handed over as they come: the server sends the rest only when
// the first has arrived.
func TestBatchLong(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 2000
	}
	arrived := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/content") {
			io.WriteString(w, `{"status":"completed","output_file_id":"f1"}`)
			return
		}
		io.WriteString(w, chatLine)
		w.(http.Flusher).Flush()
		<-arrived
		io.WriteString(w, strings.Repeat(chatLine, n-1))
	}))
	defer s.Close()
	got := 0
	_, err := openAIChat().Collect(t.Context(), batchEndpoint(s.URL+"/v1"), "b", func(int64, verbatim.Reply, error) error {
		if got++; got == 1 {
			close(arrived)
		}
		return nil
	})
	if err != nil || got != n {
		t.Errorf("%d of %d, %v", got, n, err)
	}
}

// A server that falls silent among the results is left after the limit on silence;
// the time limit for a reply does not apply to them.
func TestBatchSilence(t *testing.T) {
	for _, silent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			e := batchEndpoint("http://model.test/v1")
			e.Idle, e.Total = time.Minute, 2*time.Minute
			e.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
				if !strings.HasSuffix(r.URL.Path, "/content") {
					return modeltest.Tape(modeltest.Piece{Bytes: modeltest.Response(200, "application/json", []byte(`{"status":"completed","output_file_id":"f1"}`))}).RoundTrip(r)
				}
				end := []byte("0\r\n\r\n")
				pieces := []modeltest.Piece{{Bytes: bytes.TrimSuffix(modeltest.Response(200, "application/octet-stream", nil), end)}}
				for range 10 {
					pieces = append(pieces, modeltest.Piece{After: 50 * time.Second, Bytes: fmt.Appendf(nil, "%x\r\n%s\r\n", len(chatLine), chatLine)})
				}
				pieces = append(pieces, modeltest.Piece{Bytes: end})
				if silent {
					pieces = append(pieces[:6], modeltest.Piece{Hang: true})
				}
				return modeltest.Tape(pieces...).RoundTrip(r)
			})
			got := 0
			start := time.Now()
			_, err := openAIChat().Collect(t.Context(), e, "b", func(int64, verbatim.Reply, error) error { got++; return nil })
			var f *verbatim.Failure
			switch {
			case !silent && (err != nil || got != 10):
				t.Errorf("%d results, %v", got, err)
			case silent && (!errors.As(err, &f) || f.Class != verbatim.Deadline || got != 5 || time.Since(start) != 5*50*time.Second+time.Minute):
				t.Errorf("%d results, %v after %v", got, err, time.Since(start))
			}
		})
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// What makes a batch is sent once, also where a kept connection breaks before a byte of
// the reply: the provider may have made the batch all the same. A request for one
// answer is sent again on another connection.
func TestBatchIsSubmittedOnce(t *testing.T) {
	var posts atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Write([]byte(`{"data": [], "has_more": false}`))
			return
		}
		posts.Add(1)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			conn.Close()
		}
	}))
	defer s.Close()
	transport := httpconn.NewTransport()
	defer transport.CloseIdleConnections()
	e := wire.Endpoint{BaseURL: s.URL + "/v1", Model: "m", Transport: transport}
	prompt := verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "x"}}}}
	warm := func() {
		if id, err := Anthropic().Find(t.Context(), e, "key"); id != "" || err != nil {
			t.Fatal(id, err)
		}
		posts.Store(0)
	}
	for name, api := range map[string]*API{"chat": openAIChat(), "anthropic": Anthropic(), "gemini": Gemini()} {
		warm()
		if _, err := api.Submit(t.Context(), e, "key", []verbatim.Request{{Seq: 1, Prompt: prompt, MaxTokens: 9}}); err == nil || posts.Load() != 1 {
			t.Errorf("%s: sent %d times, %v", name, posts.Load(), err)
		}
	}
	warm()
	if err := wire.Chat().Send(t.Context(), &e, &verbatim.Request{Prompt: prompt}, new(verbatim.Reply)); err == nil || posts.Load() != 2 {
		t.Errorf("the request for one answer was sent %d times, %v", posts.Load(), err)
	}
}

// batchesOf returns every batch API with limits that are quickly reached.
func batchesOf(most int, bytes int64) map[string]*API {
	all := map[string]*API{"chat": openAIChat(), "responses": openAIResponses(), "anthropic": Anthropic(), "gemini": Gemini()}
	for _, api := range all {
		api.maxRequests, api.maxBytes = most, bytes
	}
	return all
}

func requestsOf(sizes ...int) []verbatim.Request {
	requests := make([]verbatim.Request, len(sizes))
	for i, n := range sizes {
		requests[i] = verbatim.Request{Seq: int64(i), MaxTokens: 100, Prompt: question(strings.Repeat("x", n))}
	}
	return requests
}

// The documented limits, with megabytes as the smaller of the two kinds.
func TestBatchLimits(t *testing.T) {
	for _, c := range []struct {
		api   *API
		most  int
		bytes int64
	}{
		{openAIChat(), 50_000, 200e6}, {openAIResponses(), 50_000, 200e6}, {Anthropic(), 100_000, 256e6}, {Gemini(), 10_000, 20e6},
	} {
		if c.api.maxRequests != c.most || c.api.maxBytes != c.bytes {
			t.Errorf("%s: %d requests, %d bytes", c.api.protocol.Name, c.api.maxRequests, c.api.maxBytes)
		}
	}
}

func TestBatchFits(t *testing.T) {
	e := wire.Endpoint{BaseURL: "http://127.0.0.1:9", Model: "m"}
	bad := requestsOf(1, 1)
	bad[1].Prompt = nil
	for name, api := range batchesOf(7, 10_000) {
		for _, c := range []struct {
			what     string
			requests []verbatim.Request
			want     int
			says     string // part of the error
		}{
			{"none", nil, 0, ""},
			{"as many as may be", requestsOf(1, 1, 1, 1, 1, 1, 1), 7, ""},
			{"one more", requestsOf(1, 1, 1, 1, 1, 1, 1, 1), 7, ""},
			{"as long as may be", requestsOf(2000, 2000, 2000, 2000, 2000), 4, ""},
			{"a long one behind", requestsOf(1, 10_000, 1), 1, ""},
			{"a long one", requestsOf(10_000), 0, "bytes"},
			{"a bad one behind", bad, 1, ""},
			{"a bad one", bad[1:], 0, "empty"},
		} {
			n, err := api.Fits(e, c.requests)
			if n != c.want || (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %s: %d fit, %v", name, c.what, n, err)
			}
		}
		for _, requests := range [][]verbatim.Request{requestsOf(1, 1, 1, 1, 1, 1, 1, 1), requestsOf(5000, 5000)} {
			if _, err := api.Submit(t.Context(), e, "k", requests); err == nil || !strings.Contains(err.Error(), "too many") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Fits counts the bytes that are sent: what fits is within the limit, and with one more
// request it is not, whatever the key.
func TestBatchFitsWhatIsSent(t *testing.T) {
	e := wire.Endpoint{BaseURL: "http://127.0.0.1:9", Model: "m"}
	key := strings.Repeat("k", 64)
	for name, api := range batchesOf(1000, 50_000) {
		for size := range 40 {
			requests := requestsOf(bytesOf(200, 300+17*size)...)
			n, err := api.Fits(e, requests)
			if err != nil || n == 0 || n == len(requests) {
				t.Fatalf("%s: %d fit, %v", name, n, err)
			}
			sent := func(n int) int64 {
				total, err := io.Copy(io.Discard, &body{api: api, e: e, key: key, requests: requests[:n], frame: api.frame(key)})
				if err != nil {
					t.Fatal(err)
				}
				return total
			}
			if sent(n) > api.maxBytes || sent(n+1) <= api.maxBytes-2 {
				t.Errorf("%s: %d fit: %d bytes, with one more %d", name, n, sent(n), sent(n+1))
			}
		}
	}
}

func bytesOf(n, size int) []int {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = size
	}
	return sizes
}

// A body reads the same in pieces of any size, and again.
func TestBatchBody(t *testing.T) {
	e := wire.Endpoint{BaseURL: "http://127.0.0.1:9", Model: "m"}
	for name, want := range map[string]string{
		"chat": "--verbatim-batch-boundary\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n" +
			"--verbatim-batch-boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"key.jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n" +
			`{"custom_id":"s0","method":"POST","url":"/v1/chat/completions","body":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"x"}]}}` + "\n" +
			`{"custom_id":"s1","method":"POST","url":"/v1/chat/completions","body":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"xx"}]}}` +
			"\n\r\n--verbatim-batch-boundary--\r\n",
		"anthropic": `{"requests":[{"custom_id":"2c70e12b7a-s0","params":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"x"}]}},` + "\n" +
			`{"custom_id":"2c70e12b7a-s1","params":{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"xx"}]}}]}`,
		"gemini": `{"batch":{"displayName":"key","inputConfig":{"requests":{"requests":[` +
			`{"request":{"generationConfig":{"maxOutputTokens":100},"contents":[{"role":"user","parts":[{"text":"x"}]}]},"metadata":{"key":"s0"}},` + "\n" +
			`{"request":{"generationConfig":{"maxOutputTokens":100},"contents":[{"role":"user","parts":[{"text":"xx"}]}]},"metadata":{"key":"s1"}}]}}}}`,
	} {
		api := batchesOf(10, 10_000)[name]
		for step, in := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "halves": iotest.HalfReader,
		} {
			got, err := io.ReadAll(in(&body{api: api, e: e, key: "key", requests: requestsOf(1, 2), frame: api.frame("key")}))
			if err != nil || !bytes.Equal(got, []byte(want)) {
				t.Errorf("%s, %s:\n got %s\nwant %s\n%v", name, step, got, want, err)
			}
		}
	}
}

func question(text string) verbatim.Prompt {
	return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}
}
