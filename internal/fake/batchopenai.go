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

// OpenAI's batch API: the client uploads a file of requests, a batch names it, and two files
// hold the answers and the errors.

func openAIBatches() *batchAPI {
	return &batchAPI{
		name:       "chat",
		createPath: "/v1/batches", listPath: "/v1/batches", cancelSuffix: "/cancel",
		read: readOpenAIBatch, appendJob: (*batches).appendOpenAIBatch,
		listHead: `{"object":"list","data":[`, listTail: listTail,
		afterParam: "after", limitParam: "limit", defaultLimit: 20,
		more: fileRoutes(),
	}
}

func readOpenAIBatch(b *batches, r *http.Request) (*job, *apiError) {
	var in struct {
		Input    string          `json:"input_file_id"`
		Endpoint string          `json:"endpoint"`
		Window   string          `json:"completion_window"`
		Metadata json.RawMessage `json:"metadata"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, invalidJSON(err)
	}
	var p *wire
	switch in.Endpoint {
	case "/v1/chat/completions":
		p = chatWire()
	case "/v1/responses":
		p = responsesWire()
	}
	f := b.files[in.Input]
	switch {
	case p == nil:
		return nil, badRequest("Invalid value: '"+in.Endpoint+"'. Supported values are: '/v1/chat/completions' and '/v1/responses'.", "endpoint")
	case in.Window != "24h":
		return nil, badRequest("Invalid value for 'completion_window': only '24h' is supported.", "completion_window")
	case f == nil:
		return nil, &apiError{status: http.StatusNotFound, param: "input_file_id", message: "No such File object: " + in.Input}
	}
	j := &job{id: b.newID("batch_"), input: f.id, endpoint: in.Endpoint, window: in.Window, metadata: in.Metadata}
	j.requests, j.invalid = readBatchLines(b.config, f.data, p, in.Endpoint)
	return j, nil
}

// readBatchLines reads the lines of an input file. An
// invalid line fails the whole batch: invalid is the list of errors in JSON.
func readBatchLines(c *Config, data []byte, p *wire, endpoint string) (requests []jobRequest, invalid []byte) {
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
		r.request, r.apiError = p.read(in.Body, nil)
		c.forBatch(p, &r, in.Body, c.models()[0])
		requests = append(requests, r)
	}
	if len(requests) == 0 {
		return nil, fault("empty_file", "The input file is empty.")
	}
	return requests, nil
}

// finishOpenAI writes the two files of a job that has ended.
func (b *batches) finishOpenAI(j *job) {
	var output, errors []byte
	for _, r := range j.results {
		line := appendText([]byte(`{"id":"batch_req_`+j.id[len("batch_"):]+`"`), `,"custom_id":`, r.request.id)
		switch r.state {
		case "succeeded":
			line = append(line, `,"response":{"status_code":200,"request_id":"req_`+r.reply.id+`","body":`...)
			line = append(r.request.request.wire.appendReply(line, r.reply), `},"error":null}`...)
			output = append(append(output, line...), '\n')
			continue
		case "errored":
			line = fmt.Appendf(line, `,"response":{"status_code":%d,"request_id":"req_0","body":`, r.apiError.status)
			line = append(openAIError(line, r.apiError), `},"error":null}`...)
		case "expired":
			line = append(line, `,"response":null,"error":{"code":"batch_expired","message":"This request could not be executed before the completion window expired."}}`...)
		case "canceled":
			line = append(line, `,"response":null,"error":{"code":"batch_cancelled","message":"This request was cancelled."}}`...)
		}
		errors = append(append(errors, line...), '\n')
	}
	if len(output) > 0 {
		j.output = b.addFile(j.id+"_output.jsonl", "batch_output", output)
	}
	if len(errors) > 0 {
		j.errors = b.addFile(j.id+"_error.jsonl", "batch_output", errors)
	}
}

// openAIState returns the state of a job.
func (b *batches) openAIState(j *job) string {
	switch progress := b.progress(j); {
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

// appendOpenAIBatch appends a job as OpenAI shows it.
func (b *batches) appendOpenAIBatch(out []byte, _ *http.Request, j *job) []byte {
	state := b.openAIState(j)
	over := !j.ended.IsZero()
	if over && j.output == nil && j.errors == nil && j.invalid == nil {
		b.finishOpenAI(j)
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
	out = fmt.Appendf(out, `{"id":"%s","object":"batch","endpoint":"%s","errors":%s,"input_file_id":"%s","completion_window":"%s","status":"%s"`,
		j.id, j.endpoint, or(j.invalid), j.input, j.window, state)
	out = fmt.Appendf(out, `,"output_file_id":%s,"error_file_id":%s,"created_at":%d,"in_progress_at":%s,"expires_at":%d,"finalizing_at":%s`,
		id(j.output), id(j.errors), j.created.Unix(), at(state != "validating" && state != "failed", j.created), j.created.Add(24*time.Hour).Unix(),
		at(state == "completed" || state == "finalizing", j.created))
	out = fmt.Appendf(out, `,"completed_at":%s,"failed_at":%s,"expired_at":%s,"cancelling_at":%s,"cancelled_at":%s`,
		at(state == "completed", j.ended), at(state == "failed", j.ended), at(state == "expired", j.ended), at(j.cancelled, j.cancelTime), at(state == "cancelled", j.ended))
	return fmt.Appendf(out, `,"request_counts":{"total":%d,"completed":%d,"failed":%d},"metadata":%s}`, len(j.requests), done, failed, or(j.metadata))
}
