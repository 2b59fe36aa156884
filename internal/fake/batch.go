package fake

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/rawjson"
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

// A batchAPI is how the batches of a wire are created, shown and listed.
type batchAPI struct {
	name                 string // of its wire
	createPath, listPath string // a job is at listPath/{}
	cancelSuffix         string // appended to a job's path, for the call that cancels it
	// read reads the request for a new job.
	read func(b *batches, r *http.Request) (*job, *apiError)
	// appendJob appends a job as the API shows it.
	appendJob   func(b *batches, out []byte, r *http.Request, j *job) []byte
	cancelReply string // the response to a call that cancels; "": the job
	// expiresWhole says that a job expires as a whole, and not single requests of it.
	expiresWhole bool

	// A list of jobs is listHead, the jobs, and what listTail returns.
	listHead string
	listTail func(jobs []*job, more bool) string
	// afterParam and limitParam are the parameters of a page of the list. defaultLimit is the
	// number of jobs on a page.
	afterParam, limitParam string
	defaultLimit           int

	more []batchRoute // further routes, after create, list, get and cancel
}

// A batchHandler serves a call of a batch API.
type batchHandler func(*batches, *batchAPI, http.ResponseWriter, *http.Request) *apiError

// A batchRoute is a method and a path of a batch API.
type batchRoute struct {
	method, path string
	creates      bool // the call creates a file or a job
	upload       bool // its body is a file, not JSON
	serve        batchHandler
}

// routes returns the routes of the API.
func (b *batchAPI) routes() []batchRoute {
	job := b.listPath + "/{}"
	return append([]batchRoute{
		{method: "POST", path: b.createPath, creates: true, serve: createBatch},
		{method: "GET", path: b.listPath, serve: listBatches},
		{method: "GET", path: job, serve: getBatch},
		{method: "POST", path: job + b.cancelSuffix, serve: cancelBatch},
	}, b.more...)
}

func createBatch(b *batches, api *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	j, err := api.read(b, r)
	if err != nil {
		return err
	}
	j.api, j.expiresWhole = api.name, api.expiresWhole
	b.addJob(j)
	sendJSON(w, api.appendJob(b, nil, r, j))
	return nil
}

// currentJob returns the job that the path names, advanced to now.
func (b *batches) currentJob(api *batchAPI, r *http.Request) (*job, *apiError) {
	j, err := b.findJob(api.name, pathID(r.URL.Path))
	if err == nil {
		b.advance(r.Context(), j)
	}
	return j, err
}

func getBatch(b *batches, api *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	j, err := b.currentJob(api, r)
	if err == nil {
		sendJSON(w, api.appendJob(b, nil, r, j))
	}
	return err
}

func cancelBatch(b *batches, api *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	j, err := b.currentJob(api, r)
	if err != nil {
		return err
	}
	b.cancel(r.Context(), j)
	if reply := api.cancelReply; reply != "" {
		sendJSON(w, []byte(reply))
	} else {
		sendJSON(w, api.appendJob(b, nil, r, j))
	}
	return nil
}

func listBatches(b *batches, api *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	query := r.URL.Query()
	limit := api.defaultLimit
	if n, err := strconv.Atoi(query.Get(api.limitParam)); err == nil && n > 0 {
		limit = min(n, 1000)
	}
	jobs, more := b.jobsOf(api.name, query.Get(api.afterParam), limit)
	out := []byte(api.listHead)
	for i, j := range jobs {
		if i > 0 {
			out = append(out, ',')
		}
		b.advance(r.Context(), j)
		out = api.appendJob(b, out, r, j)
	}
	sendJSON(w, append(out, api.listTail(jobs, more)...))
	return nil
}

// listTail closes a list of jobs.
func listTail(jobs []*job, more bool) string {
	first, last := "null", "null"
	if len(jobs) > 0 {
		first, last = `"`+jobs[0].id+`"`, `"`+jobs[len(jobs)-1].id+`"`
	}
	return fmt.Sprintf(`],"first_id":%s,"last_id":%s,"has_more":%t}`, first, last, more)
}

// fileRoutes returns the routes of OpenAI's files, as far as batches need them.
func fileRoutes() []batchRoute {
	return []batchRoute{
		{method: "POST", path: "/v1/files", creates: true, upload: true, serve: uploadFile},
		{method: "GET", path: "/v1/files", serve: listFiles},
		{method: "GET", path: "/v1/files/{}", serve: getFile},
		{method: "DELETE", path: "/v1/files/{}", serve: deleteFile},
		{method: "GET", path: "/v1/files/{}/content", serve: getFileContent},
	}
}

func uploadFile(b *batches, _ *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	part, header, err := r.FormFile("file")
	if err != nil {
		return badRequest("'file' is a required property", "file")
	}
	defer part.Close()
	data, err := io.ReadAll(part)
	if err != nil {
		return badRequest("The file could not be read: "+err.Error(), "file")
	}
	purpose := r.FormValue("purpose")
	if purpose == "" {
		return badRequest("'purpose' is a required property", "purpose")
	}
	f := b.addFile(header.Filename, purpose, data)
	sendJSON(w, f.json(nil))
	return nil
}

func (f *file) json(b []byte) []byte {
	b = fmt.Appendf(b, `{"id":"%s","object":"file","bytes":%d,"created_at":%d,"filename":`, f.id, len(f.data), f.created.Unix())
	b = rawjson.AppendString(b, f.name)
	b = appendText(b, `,"purpose":`, f.purpose)
	return append(b, `,"status":"processed","status_details":null,"expires_at":null}`...)
}

// findFile returns the file that the path names.
func (b *batches) findFile(r *http.Request) (*file, *apiError) {
	id := pathID(r.URL.Path)
	if f := b.files[id]; f != nil {
		return f, nil
	}
	return nil, &apiError{status: http.StatusNotFound, param: "id", message: "No such File object: " + id}
}

func getFile(b *batches, _ *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	f, e := b.findFile(r)
	if e == nil {
		sendJSON(w, f.json(nil))
	}
	return e
}

func getFileContent(b *batches, _ *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	f, e := b.findFile(r)
	if e == nil {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write(f.data)
	}
	return e
}

func deleteFile(b *batches, _ *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	f, e := b.findFile(r)
	if e == nil {
		delete(b.files, f.id)
		sendJSON(w, fmt.Appendf(nil, `{"id":"%s","object":"file","deleted":true}`, f.id))
	}
	return e
}

func listFiles(b *batches, _ *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	purpose := r.URL.Query().Get("purpose")
	out := []byte(`{"object":"list","data":[`)
	n := 0
	files := slices.SortedFunc(maps.Values(b.files), func(a, b *file) int { return strings.Compare(a.id, b.id) })
	for _, f := range files {
		if purpose != "" && f.purpose != purpose {
			continue
		}
		if n++; n > 1 {
			out = append(out, ',')
		}
		out = f.json(out)
	}
	sendJSON(w, append(out, `],"has_more":false}`...))
	return nil
}
