package fake

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"verbatim"
)

// A Batch says how jobs of the batch APIs go. The zero value finishes them at
// once and answers every request. Results come in shuffled order.
type Batch struct {
	Time   time.Duration // how long a job takes, by Pace.Clock
	Failed float64       // the share of requests that end in an error
	// Expired is the share of requests that are not answered in time; a job with
	// one of them expires, with the results of the others. Gemini's jobs expire
	// whole, with this chance, and have no results.
	Expired float64
	// Lost is the share of calls that create something, do it, and break the
	// connection before they say so. Busy is the share of all calls of these APIs
	// that get status 503. Both are drawn for each call in the order of arrival.
	Lost, Busy float64
}

// batches holds the files and jobs of a server. They stay in memory.
type batches struct {
	mu    sync.Mutex
	calls uint64
	files map[string]*file
	jobs  []*job // oldest first
}

// A file is one of OpenAI's.
type file struct {
	id, name, purpose string
	created           time.Time
	data              []byte
}

// A job is a batch of any of the APIs.
type job struct {
	id       string
	protocol *protocol // whose API it was submitted to
	created  time.Time
	start    time.Duration // by the server's clock
	requests []jobRequest
	// about is what the client said of the job, as it is told again: a JSON value.
	about []byte
	// input, endpoint and window are OpenAI's, model and name Gemini's.
	input, endpoint, window, model, name string
	// invalid says why the job failed before it began, in JSON; nil where it did not.
	invalid []byte

	cancelled  bool
	cancelTime time.Time
	share      float64 // of the requests that were done when it was cancelled
	results    []jobResult
	ended      time.Time // zero while it is not over
	output     *file     // OpenAI's, of answers and of errors; nil where there are none
	errors     *file
}

// A jobRequest is one request of a job.
type jobRequest struct {
	id      string // the client's own
	ask     *ask
	trouble *trouble // what is wrong with it, nil for nothing
	meta    []byte   // Gemini's metadata, JSON
}

// A jobResult is what became of one.
type jobResult struct {
	request *jobRequest
	// state is "succeeded", "errored", "expired" or "canceled".
	state   string
	reply   *reply
	trouble *trouble
}

func (b *batches) start() { b.files = map[string]*file{} }

// batchCall wraps a handler of the batch APIs: it draws whether the call meets a
// busy server, and whether its reply is lost. The lock is held while it works.
func batchCall(creates bool, p *protocol, do func(*Server, http.ResponseWriter, *http.Request) *trouble) func(*Server, http.ResponseWriter, *http.Request) {
	return func(s *Server, w http.ResponseWriter, r *http.Request) {
		b := &s.batches
		r.Body = http.MaxBytesReader(w, r.Body, largestBody)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.calls++
		luck := rand.New(rand.NewPCG(mix(s.config.Seed+drawBatch<<32), mix(b.calls)))
		busy, lost := luck.Float64() < s.config.Batch.Busy, luck.Float64() < s.config.Batch.Lost
		if busy {
			s.refuse(w, p, &trouble{status: http.StatusServiceUnavailable, message: "The server is currently overloaded. Please try again later."})
			return
		}
		out := w
		if lost && creates {
			out = discard{http.Header{}}
		}
		s.name(out.Header(), p)
		if t := do(s, out, r); t != nil {
			s.refuse(w, p, t)
			return
		}
		if lost && creates {
			s.counts.broken.Add(1)
			drop(w, true)
		}
	}
}

// discard is a response that nobody will see.
type discard struct{ h http.Header }

func (d discard) Header() http.Header         { return d.h }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

// newID returns an id that no other file or job has.
func (s *Server) newID(prefix string) string {
	return fmt.Sprintf("%s%016x%08x", prefix, mix(s.config.Seed+s.batches.calls), len(s.batches.jobs)<<16+len(s.batches.files))
}

// begin keeps a job and starts its clock.
func (s *Server) begin(j *job) {
	j.created, j.start = time.Now(), s.clock.now()
	s.batches.jobs = append(s.batches.jobs, j)
	if j.invalid != nil {
		j.ended = j.created
	}
	s.advance(context.Background(), j)
}

// job returns the job of an id that was submitted to a protocol's API.
func (s *Server) job(p *protocol, id string) (*job, *trouble) {
	for _, j := range s.batches.jobs {
		if j.id == id && j.protocol == p {
			return j, nil
		}
	}
	return nil, &trouble{status: http.StatusNotFound, message: "No batch found with id '" + id + "'."}
}

// progress returns how far a job is: 0 to 1.
func (s *Server) progress(j *job) float64 {
	if !j.ended.IsZero() || s.config.Batch.Time <= 0 {
		return 1
	}
	return min(1, float64(s.clock.now()-j.start)/float64(s.config.Batch.Time))
}

// advance answers the requests of a job that is due.
func (s *Server) advance(ctx context.Context, j *job) {
	if !j.ended.IsZero() || !j.cancelled && s.progress(j) < 1 {
		return
	}
	luck := rand.New(rand.NewPCG(mix(s.config.Seed), mix(uint64(len(j.requests)))))
	order := luck.Perm(len(j.requests))
	for n, i := range order {
		r := &j.requests[i]
		if j.cancelled && float64(n) >= j.share*float64(len(order)) {
			j.results = append(j.results, jobResult{request: r, state: "canceled"})
			continue
		}
		j.results = append(j.results, s.settle(ctx, r))
	}
	j.ended = time.Now()
}

// settle answers one request of a job.
func (s *Server) settle(ctx context.Context, r *jobRequest) jobResult {
	if r.trouble != nil {
		return jobResult{request: r, state: "errored", trouble: r.trouble}
	}
	a := r.ask
	s.counts.requests.Add(1)
	a.key = keyOf(a.prompt)
	a.place, a.try = s.counts.ask(a.key, a.prompt)
	a.id = idOf(a)
	luck := s.rand(a, drawBatch)
	fails, expires := luck.Float64() < s.config.Batch.Failed, luck.Float64() < s.config.Batch.Expired
	switch {
	case fails:
		return jobResult{request: r, state: "errored", trouble: &trouble{status: 500, message: "The server had an error while processing your request."}}
	case expires && a.protocol != &gemini:
		return jobResult{request: r, state: "expired"}
	}
	rep, t := s.say(ctx, a)
	if t != nil {
		return jobResult{request: r, state: "errored", trouble: t}
	}
	s.counts.promptTokens.Add(rep.prompt)
	s.counts.completionTokens.Add(rep.completion())
	s.counts.whole(a.key, 1)
	return jobResult{request: r, state: "succeeded", reply: rep}
}

// count returns how many results of a job have a state.
func (j *job) count(state string) (n int) {
	for _, r := range j.results {
		if r.state == state {
			n++
		}
	}
	return n
}

// cancel ends a job early: what is done by then keeps its results.
func (s *Server) cancel(ctx context.Context, j *job) {
	if j.ended.IsZero() && !j.cancelled {
		j.cancelled, j.cancelTime, j.share = true, time.Now(), s.progress(j)
		s.advance(ctx, j)
	}
}

// pathID returns what a path has after its last "/batches/" or "/files/", up to
// the next slash or colon.
func pathID(path string) string {
	for _, before := range []string{"/batches/", "/files/"} {
		if i := strings.LastIndex(path, before); i >= 0 {
			id := path[i+len(before):]
			if n := strings.IndexAny(id, "/:"); n >= 0 {
				id = id[:n]
			}
			return id
		}
	}
	return ""
}

// listed returns the jobs of a protocol, newest first: at most limit, after the one
// of an id.
func (s *Server) listed(p *protocol, after string, limit int) (jobs []*job, more bool) {
	seen := after == ""
	for i := len(s.batches.jobs) - 1; i >= 0; i-- {
		j := s.batches.jobs[i]
		switch {
		case j.protocol != p:
		case !seen:
			seen = j.id == after
		case len(jobs) == limit:
			return jobs, true
		default:
			jobs = append(jobs, j)
		}
	}
	return jobs, false
}

// stamp appends a time as RFC 3339 in quotes, or null for none.
func stamp(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = t.UTC().AppendFormat(b, time.RFC3339Nano)
	return append(b, '"')
}

// plain makes an ask of a protocol's that of a job: nothing is streamed there.
func plain(p *protocol, a *ask, model string) *ask {
	a.protocol, a.stream, a.array = p, false, false
	if a.model == "" {
		a.model = model
	}
	return a
}

// prompt returns what a request asks; nothing where it cannot be read.
func (r *jobRequest) prompt() verbatim.Prompt {
	if r.ask == nil {
		return nil
	}
	return r.ask.prompt
}
