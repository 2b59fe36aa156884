package fake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"verbatim/internal/rawjson"
)

// OpenAI's batch API: a file of requests is uploaded, a batch names it, and two
// files hold the answers and the errors.

func createOpenAIBatch(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	var in struct {
		Input    string          `json:"input_file_id"`
		Endpoint string          `json:"endpoint"`
		Window   string          `json:"completion_window"`
		Metadata json.RawMessage `json:"metadata"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return unreadable(err)
	}
	p := map[string]*protocol{"/v1/chat/completions": &chat, "/v1/responses": &responses}[in.Endpoint]
	f := s.batches.files[in.Input]
	switch {
	case p == nil:
		return badRequest("Invalid value: '"+in.Endpoint+"'. Supported values are: '/v1/chat/completions' and '/v1/responses'.", "endpoint")
	case in.Window != "24h":
		return badRequest("Invalid value for 'completion_window': only '24h' is supported.", "completion_window")
	case f == nil:
		return &trouble{status: http.StatusNotFound, param: "input_file_id", message: "No such File object: " + in.Input}
	}
	j := &job{id: s.newID("batch_"), protocol: &chat, input: f.id, endpoint: in.Endpoint, window: in.Window, about: in.Metadata}
	j.requests, j.invalid = readBatchLines(f.data, p, in.Endpoint)
	s.begin(j)
	s.sendOpenAIBatch(w, j)
	return nil
}

// readBatchLines reads the lines of an input file. A line that makes no sense
// fails the whole batch, as the errors in JSON say.
func readBatchLines(data []byte, p *protocol, endpoint string) (requests []jobRequest, invalid []byte) {
	seen := map[string]bool{}
	number := 0
	fault := func(code, message string) []byte {
		b := []byte(`{"object":"list","data":[{"code":"` + code + `","message":`)
		b = rawjson.AppendString(b, message)
		return fmt.Appendf(b, `,"param":null,"line":%d}]}`, number)
	}
	for line := range bytes.Lines(data) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var in struct {
			ID     string          `json:"custom_id"`
			Method string          `json:"method"`
			URL    string          `json:"url"`
			Body   json.RawMessage `json:"body"`
		}
		err := json.Unmarshal(line, &in)
		switch {
		case err != nil:
			return nil, fault("invalid_json_line", "This line is not parseable as valid JSON.")
		case in.ID == "":
			return nil, fault("missing_required_parameter", "The parameter custom_id is missing.")
		case seen[in.ID]:
			return nil, fault("duplicate_custom_id", "The custom_id '"+in.ID+"' was used before.")
		case in.Method != "POST":
			return nil, fault("invalid_method", "The method must be POST.")
		case in.URL != endpoint:
			return nil, fault("mismatched_endpoint", "The URL does not match the batch's endpoint.")
		}
		seen[in.ID] = true
		r := jobRequest{id: in.ID}
		if r.ask, r.trouble = p.read(in.Body, nil); r.trouble == nil {
			plain(p, r.ask, "fake-1")
		}
		requests = append(requests, r)
	}
	if len(requests) == 0 {
		return nil, fault("empty_file", "The input file is empty.")
	}
	return requests, nil
}

// finish writes the two files of a job that is over.
func (s *Server) finishOpenAI(j *job) {
	var output, errors []byte
	for _, r := range j.results {
		head := []byte(`{"id":"batch_req_` + j.id[len("batch_"):] + `","custom_id":`)
		head = rawjson.AppendString(head, r.request.id)
		switch r.state {
		case "succeeded":
			output = append(output, head...)
			output = append(output, `,"response":{"status_code":200,"request_id":"req_`+r.reply.id+`","body":`...)
			output = r.request.ask.protocol.whole(output, r.reply)
			output = append(output, "},\"error\":null}\n"...)
		case "errored":
			errors = append(errors, head...)
			errors = fmt.Appendf(errors, `,"response":{"status_code":%d,"request_id":"req_0","body":`, r.trouble.status)
			errors = openAIError(errors, r.trouble)
			errors = append(errors, "},\"error\":null}\n"...)
		case "expired":
			errors = append(errors, head...)
			errors = append(errors, `,"response":null,"error":{"code":"batch_expired","message":"This request could not be executed before the completion window expired."}}`+"\n"...)
		case "canceled":
			errors = append(errors, head...)
			errors = append(errors, `,"response":null,"error":{"code":"batch_cancelled","message":"This request was cancelled."}}`+"\n"...)
		}
	}
	if len(output) > 0 {
		j.output = s.store(j.id+"_output.jsonl", "batch_output", output)
	}
	if len(errors) > 0 {
		j.errors = s.store(j.id+"_error.jsonl", "batch_output", errors)
	}
}

// openAIState returns the state of a job.
func (s *Server) openAIState(j *job) string {
	switch progress := s.progress(j); {
	case j.invalid != nil:
		return "failed"
	case j.cancelled:
		return "cancelled"
	case progress >= 1 && j.count("expired") > 0:
		return "expired"
	case progress >= 1:
		return "completed"
	case progress > 0.9:
		return "finalizing"
	case progress > 0.1:
		return "in_progress"
	}
	return "validating"
}

func (s *Server) sendOpenAIBatch(w http.ResponseWriter, j *job) {
	send(w, s.openAIBatch(nil, j))
}

// openAIBatch appends a job as OpenAI shows it.
func (s *Server) openAIBatch(b []byte, j *job) []byte {
	state := s.openAIState(j)
	over := !j.ended.IsZero()
	if over && j.output == nil && j.errors == nil && j.invalid == nil {
		s.finishOpenAI(j)
	}
	at := func(is bool, t time.Time) string {
		if !is || t.IsZero() {
			return "null"
		}
		return strconv.FormatInt(t.Unix(), 10)
	}
	id := func(f *file) string {
		if f == nil {
			return "null"
		}
		return `"` + f.id + `"`
	}
	or := func(raw []byte) string {
		if len(raw) == 0 {
			return "null"
		}
		return string(raw)
	}
	done, failed := j.count("succeeded"), len(j.results)-j.count("succeeded")
	b = fmt.Appendf(b, `{"id":"%s","object":"batch","endpoint":"%s","errors":%s,"input_file_id":"%s","completion_window":"%s","status":"%s"`,
		j.id, j.endpoint, or(j.invalid), j.input, j.window, state)
	b = fmt.Appendf(b, `,"output_file_id":%s,"error_file_id":%s,"created_at":%d,"in_progress_at":%s,"expires_at":%d,"finalizing_at":%s`,
		id(j.output), id(j.errors), j.created.Unix(), at(state != "validating" && state != "failed", j.created), j.created.Add(24*time.Hour).Unix(),
		at(state == "completed" || state == "finalizing", j.created))
	b = fmt.Appendf(b, `,"completed_at":%s,"failed_at":%s,"expired_at":%s,"cancelling_at":%s,"cancelled_at":%s`,
		at(state == "completed", j.ended), at(state == "failed", j.ended), at(state == "expired", j.ended), at(j.cancelled, j.cancelTime), at(state == "cancelled", j.ended))
	return fmt.Appendf(b, `,"request_counts":{"total":%d,"completed":%d,"failed":%d},"metadata":%s}`, len(j.requests), done, failed, or(j.about))
}

// openAIJob finds the job that the path names, and brings it up to date.
func (s *Server) openAIJob(r *http.Request) (*job, *trouble) {
	j, t := s.job(&chat, pathID(r.URL.Path))
	if t == nil {
		s.advance(r.Context(), j)
	}
	return j, t
}

func getOpenAIBatch(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	j, t := s.openAIJob(r)
	if t == nil {
		s.sendOpenAIBatch(w, j)
	}
	return t
}

func cancelOpenAIBatch(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	j, t := s.openAIJob(r)
	if t == nil {
		s.cancel(r.Context(), j)
		s.sendOpenAIBatch(w, j)
	}
	return t
}

// limitOf reads the limit of a list from a query.
func limitOf(r *http.Request, name string, otherwise int) int {
	if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil && n > 0 {
		return min(n, 1000)
	}
	return otherwise
}

func listOpenAIBatches(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	jobs, more := s.listed(&chat, r.URL.Query().Get("after"), limitOf(r, "limit", 20))
	b := []byte(`{"object":"list","data":[`)
	for i, j := range jobs {
		if i > 0 {
			b = append(b, ',')
		}
		s.advance(r.Context(), j)
		b = s.openAIBatch(b, j)
	}
	send(w, append(b, ends(jobs, more)...))
	return nil
}

// ends closes a list of jobs.
func ends(jobs []*job, more bool) string {
	first, last := "null", "null"
	if len(jobs) > 0 {
		first, last = `"`+jobs[0].id+`"`, `"`+jobs[len(jobs)-1].id+`"`
	}
	return fmt.Sprintf(`],"first_id":%s,"last_id":%s,"has_more":%t}`, first, last, more)
}
