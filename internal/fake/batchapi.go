package fake

import (
	"fmt"
	"net/http"
	"strconv"
)

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
