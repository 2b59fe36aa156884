package fake

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"verbatim"
)

// batches holds the files and jobs of a server. They stay in memory.
type batches struct {
	config *Config
	clock  clock
	counts *counter

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
	api      string // the name of the wire to whose API it was submitted
	created  time.Time
	start    time.Duration // by the server's clock
	requests []jobRequest
	metadata []byte // of the client, which is sent back: a JSON value
	// input, endpoint and window are OpenAI's, model and name Gemini's.
	input, endpoint, window, model, name string
	expiresWhole                         bool   // as batchAPI.expiresWhole
	invalid                              []byte // why the job failed before it began, in JSON; nil if it did not

	cancelled  bool
	cancelTime time.Time
	doneShare  float64 // the share of the requests that were done when it was cancelled
	results    []jobResult
	ended      time.Time // zero before its end
	output     *file     // OpenAI's file of answers; nil if there are none
	errors     *file     // OpenAI's file of errors; nil if there are none
}

// A jobRequest is one request of a job.
type jobRequest struct {
	id       string // the client's own
	request  *request
	apiError *apiError // what is wrong with the request; nil: nothing
	metadata []byte    // Gemini's, a JSON value
}

// A jobResult is the result of a request of a job.
type jobResult struct {
	request  *jobRequest
	state    string    // "succeeded", "errored", "expired" or "canceled"
	reply    *reply    // if it succeeded
	apiError *apiError // if it is an error
}

// newID returns an id that no other file or job has.
func (b *batches) newID(prefix string) string {
	return fmt.Sprintf("%s%016x%08x", prefix, mix(b.config.Seed+b.calls), len(b.jobs)<<16+len(b.files))
}

// addJob adds a job and starts its clock.
func (b *batches) addJob(j *job) {
	j.created, j.start = time.Now(), b.clock.Now()
	b.jobs = append(b.jobs, j)
	if j.invalid != nil {
		j.ended = j.created
	}
	b.advance(context.Background(), j)
}

// findJob returns the job of an id that was submitted to a protocol's API.
func (b *batches) findJob(api, id string) (*job, *apiError) {
	for _, j := range b.jobs {
		if j.id == id && j.api == api {
			return j, nil
		}
	}
	return nil, &apiError{status: http.StatusNotFound, message: "No batch found with id '" + id + "'."}
}

// progress returns the share of a job's time that is over: 0 to 1.
func (b *batches) progress(j *job) float64 {
	if !j.ended.IsZero() || b.config.Batch.Time <= 0 {
		return 1
	}
	return min(1, float64(b.clock.Now()-j.start)/float64(b.config.Batch.Time))
}

// advance answers the requests of a job whose time is over, or that was cancelled.
func (b *batches) advance(ctx context.Context, j *job) {
	if !j.ended.IsZero() || !j.cancelled && b.progress(j) < 1 {
		return
	}
	rng := rand.New(rand.NewPCG(mix(b.config.Seed), mix(uint64(len(j.requests)))))
	order := rng.Perm(len(j.requests))
	for n, i := range order {
		r := &j.requests[i]
		if j.cancelled && float64(n) >= j.doneShare*float64(len(order)) {
			j.results = append(j.results, jobResult{request: r, state: "canceled"})
			continue
		}
		j.results = append(j.results, b.answerJobRequest(ctx, r, j.expiresWhole))
	}
	j.ended = time.Now()
}

// answerJobRequest answers one request of a job.
func (b *batches) answerJobRequest(ctx context.Context, r *jobRequest, expiresWhole bool) jobResult {
	if r.apiError != nil {
		return jobResult{request: r, state: "errored", apiError: r.apiError}
	}
	q := r.request
	b.counts.Requests.Add(1)
	q.key = keyOf(q.prompt)
	q.position, q.repeat = b.counts.addRequest(q.key, q.prompt)
	q.id = idOf(q)
	rng := q.rand(b.config.Seed, drawBatch)
	fails, expires := rng.Float64() < b.config.Batch.Failed, rng.Float64() < b.config.Batch.Expired
	switch {
	case fails:
		return jobResult{request: r, state: "errored", apiError: &apiError{status: 500, message: "The server had an error while processing your request."}}
	case expires && !expiresWhole:
		return jobResult{request: r, state: "expired"}
	}
	rep, e := answer(ctx, b.config, b.counts, q)
	if e != nil {
		return jobResult{request: r, state: "errored", apiError: e}
	}
	b.counts.PromptTokens.Add(rep.prompt)
	b.counts.CompletionTokens.Add(rep.completionTokens())
	b.counts.addAnswered(q.key, 1)
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

// cancel ends a job early. The requests that are done by then keep their results.
func (b *batches) cancel(ctx context.Context, j *job) {
	if j.ended.IsZero() && !j.cancelled {
		j.cancelled, j.cancelTime, j.doneShare = true, time.Now(), b.progress(j)
		b.advance(ctx, j)
	}
}

// appendTime appends a time as RFC 3339 in quotes, or null for none.
func appendTime(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = t.UTC().AppendFormat(b, time.RFC3339Nano)
	return append(b, '"')
}

// forBatch makes a request one of a job, in which nothing is streamed. model is for requests
// that name none.
func forBatch(p *wire, q *request, model string) {
	q.wire, q.stream, q.array = p, false, false
	q.model = cmp.Or(q.model, model)
}

// prompt returns the prompt of a request; nil if the request could not be read.
func (r *jobRequest) prompt() verbatim.Prompt {
	if r.request == nil {
		return nil
	}
	return r.request.prompt
}

// jobsOf returns the jobs of an API, newest first: at most limit, after the job with the id
// after, "" for the first ones. more says that there are further jobs.
func (b *batches) jobsOf(api, after string, limit int) (jobs []*job, more bool) {
	seen := after == ""
	for _, j := range slices.Backward(b.jobs) {
		switch {
		case j.api != api:
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

// pathID returns the part of a path after its last "/batches/" or "/files/", up to the next
// slash or colon.
func pathID(path string) string {
	for _, before := range []string{"/batches/", "/files/"} {
		if i := strings.LastIndex(path, before); i >= 0 {
			id, _, _ := strings.Cut(path[i+len(before):], "/")
			id, _, _ = strings.Cut(id, ":")
			return id
		}
	}
	return ""
}

// addFile saves a file.
func (b *batches) addFile(name, purpose string, data []byte) *file {
	f := &file{id: b.newID("file-"), name: name, purpose: purpose, created: time.Now(), data: data}
	b.files[f.id] = f
	return f
}
