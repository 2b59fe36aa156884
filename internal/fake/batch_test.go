package fake_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim/internal/fake"
)

// A caller calls the batch APIs.
type caller struct {
	t         *testing.T
	transport http.RoundTripper
}

func (c caller) do(method, path, contentType string, body []byte) (int, string, error) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, "http://fake.test"+path, bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Anthropic-Version", "2023-06-01")
	res, err := c.transport.RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	return res.StatusCode, get(c.t, res, nil), nil
}

// call makes a call that must succeed, and returns the reply.
func (c caller) call(method, path, body string) map[string]any {
	c.t.Helper()
	status, text, err := c.do(method, path, "application/json", []byte(body))
	if err != nil || status != http.StatusOK {
		c.t.Fatalf("%s %s: %d %s %v", method, path, status, text, err)
	}
	return parsed(c.t, text)
}

// upload uploads a file and returns its id.
func (c caller) upload(lines string) string {
	c.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	form.WriteField("purpose", "batch")
	part, _ := form.CreateFormFile("file", "in.jsonl")
	part.Write([]byte(lines))
	form.Close()
	status, text, err := c.do("POST", "/v1/files", form.FormDataContentType(), b.Bytes())
	if err != nil || status != http.StatusOK {
		c.t.Fatalf("%d %s %v", status, text, err)
	}
	return str(parsed(c.t, text), "id")
}

// rows reads JSON lines.
func (c caller) rows(path string) (out []map[string]any) {
	c.t.Helper()
	_, text, err := c.do("GET", path, "", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	for line := range strings.Lines(text) {
		out = append(out, parsed(c.t, line))
	}
	return out
}

func chatLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"custom_id":"r%d","method":"POST","url":"/v1/chat/completions","body":{"model":"m","stream":true,"messages":[{"role":"user","content":"q%d"}]}}`+"\n", i, i)
	}
	return b.String()
}

func (c caller) submit(lines string) string {
	c.t.Helper()
	return str(c.call("POST", "/v1/batches", `{"input_file_id":"`+c.upload(lines)+`","endpoint":"/v1/chat/completions","completion_window":"24h","metadata":{"key":"mine"}}`), "id")
}

// in runs a test against a server in memory, in a bubble.
func in(t *testing.T, c fake.Config, test func(c caller, s *fake.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := ready(t, c)
		transport, stop := inMemory(s)
		defer stop()
		test(caller{t, transport}, s)
	})
}

func TestOpenAIBatch(t *testing.T) {
	config := fake.Config{Echo: true, Batch: fake.Batch{Time: time.Hour, Failed: 0.2, Expired: 0.1}, Pace: fake.Pace{Clock: 60}}
	in(t, config, func(c caller, s *fake.Server) {
		id := c.submit(chatLines(100))
		var states []string
		for range 14 {
			b := c.call("GET", "/v1/batches/"+id, "")
			states = append(states, str(b, "status"))
			if done := dig(b, "output_file_id") != nil; done != (str(b, "status") == "expired") {
				t.Errorf("%s with the output file %v", str(b, "status"), dig(b, "output_file_id"))
			}
			time.Sleep(5 * time.Second)
		}
		if want := []string{"validating", "in_progress", "finalizing", "expired"}; !slices.Equal(squeeze(states), want) {
			t.Errorf("states %v, want %v", squeeze(states), want)
		}
		b := c.call("GET", "/v1/batches/"+id, "")
		met := map[string]string{}
		var order []string
		for _, row := range c.rows("/v1/files/" + str(b, "output_file_id") + "/content") {
			id := str(row, "custom_id")
			order = append(order, id)
			met[id] = "succeeded"
			if text := str(row, "response", "body", "choices", 0, "message", "content"); text != "q"+id[1:] || num(row, "response", "status_code") != 200 {
				t.Errorf("%s: %v", id, row)
			}
		}
		if slices.IsSortedFunc(order, func(a, b string) int { return len(a)*100 + strings.Compare(a, b) - len(b)*100 }) {
			t.Errorf("in order: %v", order)
		}
		expired := 0
		for _, row := range c.rows("/v1/files/" + str(b, "error_file_id") + "/content") {
			if str(row, "error", "code") == "batch_expired" {
				expired++
			} else if num(row, "response", "status_code") != 500 || str(row, "response", "body", "error", "message") == "" {
				t.Errorf("%v", row)
			}
			met[str(row, "custom_id")] = "not"
		}
		if len(met) != 100 || len(order) < 50 || len(order) > 90 || expired == 0 || expired > 30 {
			t.Errorf("%d requests, %d answered, %d expired", len(met), len(order), expired)
		}
		if num(b, "request_counts", "completed") != float64(len(order)) || num(b, "request_counts", "total") != 100 || str(b, "metadata", "key") != "mine" {
			t.Errorf("%v", b)
		}
		if counts := s.Counts(); counts.Answered != int64(len(order)) || counts.Prompts != 100 {
			t.Errorf("%+v", counts)
		}
	})
}

func TestOpenAIBatchInvalid(t *testing.T) {
	for code, lines := range map[string]string{
		"invalid_json_line":          chatLines(1) + "{\n",
		"duplicate_custom_id":        chatLines(1) + chatLines(1),
		"mismatched_endpoint":        strings.ReplaceAll(chatLines(1), `"/v1/chat/completions"`, `"/v1/responses"`),
		"invalid_method":             strings.ReplaceAll(chatLines(1), "POST", "GET"),
		"missing_required_parameter": strings.ReplaceAll(chatLines(1), "custom_id", "id"),
		"empty_file":                 "\n",
	} {
		in(t, fake.Config{Echo: true}, func(c caller, s *fake.Server) {
			b := c.call("GET", "/v1/batches/"+c.submit(lines), "")
			if str(b, "status") != "failed" || str(b, "errors", "data", 0, "code") != code {
				t.Errorf("%s: %v", code, b)
			}
		})
	}
}

func TestAnthropicBatch(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, `,{"custom_id":"r%d","params":{"model":"m","max_tokens":50,"messages":[{"role":"user","content":"q%d"}]}}`, i, i)
	}
	body := `{"requests":[` + b.String()[1:] + `,{"custom_id":"bad","params":{}}]}`
	in(t, fake.Config{Echo: true, Batch: fake.Batch{Time: time.Minute, Failed: 0.2, Expired: 0.2}}, func(c caller, s *fake.Server) {
		id := str(c.call("POST", "/v1/messages/batches", body), "id")
		time.Sleep(59 * time.Second)
		v := c.call("GET", "/v1/messages/batches/"+id, "")
		if str(v, "processing_status") != "in_progress" || num(v, "request_counts", "processing") != 61 || dig(v, "results_url") != nil {
			t.Errorf("%v", v)
		}
		if status, _, _ := c.do("GET", "/v1/messages/batches/"+id+"/results", "", nil); status != http.StatusBadRequest {
			t.Errorf("results before the end: %d", status)
		}
		time.Sleep(time.Second)
		v = c.call("GET", "/v1/messages/batches/"+id, "")
		counts := map[string]float64{}
		seen := map[string]bool{}
		for _, row := range c.rows("/v1/messages/batches/" + id + "/results") {
			counts[str(row, "result", "type")]++
			id := str(row, "custom_id")
			seen[id] = true
			if str(row, "result", "type") == "succeeded" && str(row, "result", "message", "content", 0, "text") != "q"+id[1:] {
				t.Errorf("%v", row)
			}
			if id == "bad" && str(row, "result", "error", "error", "type") != "invalid_request_error" {
				t.Errorf("%v", row)
			}
		}
		for _, state := range []string{"succeeded", "errored", "expired"} {
			if counts[state] == 0 || counts[state] != num(v, "request_counts", state) {
				t.Errorf("%s: %v rows, %v", state, counts[state], v)
			}
		}
		if len(seen) != 61 || str(v, "processing_status") != "ended" {
			t.Errorf("%d results, %v", len(seen), v)
		}
	})
	in(t, fake.Config{}, func(c caller, s *fake.Server) {
		for _, bad := range []string{`{"requests":[]}`, `{"requests":[{"custom_id":"a b"}]}`, `{"requests":[{"custom_id":"a","params":{}},{"custom_id":"a","params":{}}]}`} {
			if status, text, _ := c.do("POST", "/v1/messages/batches", "application/json", []byte(bad)); status != http.StatusBadRequest {
				t.Errorf("%s: %d %s", bad, status, text)
			}
		}
	})
}

func TestGeminiBatch(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, `,{"request":{"contents":[{"parts":[{"text":"q%d"}]}]},"metadata":{"key":"r%d"}}`, i, i)
	}
	body := `{"batch":{"displayName":"mine","inputConfig":{"requests":{"requests":[` + b.String()[1:] + `]}}}}`
	in(t, fake.Config{Echo: true, Batch: fake.Batch{Time: time.Minute, Failed: 0.2}}, func(c caller, s *fake.Server) {
		name := str(c.call("POST", "/v1beta/models/m:batchGenerateContent", body), "name")
		var states []string
		for range 7 {
			states = append(states, str(c.call("GET", "/v1beta/"+name, ""), "metadata", "state"))
			time.Sleep(10 * time.Second)
		}
		if want := []string{"BATCH_STATE_PENDING", "BATCH_STATE_RUNNING", "BATCH_STATE_SUCCEEDED"}; !slices.Equal(squeeze(states), want) {
			t.Errorf("states %v, want %v", squeeze(states), want)
		}
		v := c.call("GET", "/v1beta/"+name, "")
		rows, _ := dig(v, "metadata", "output", "inlinedResponses", "inlinedResponses").([]any)
		failed := 0
		for _, row := range rows {
			if dig(row, "error") != nil {
				failed++
			} else if str(row, "response", "candidates", 0, "content", "parts", 0, "text") != "q"+str(row, "metadata", "key")[1:] {
				t.Errorf("%v", row)
			}
		}
		if len(rows) != 30 || failed == 0 || str(v, "metadata", "displayName") != "mine" || dig(v, "done") != true || dig(v, "response", "inlinedResponses") == nil {
			t.Errorf("%d rows, %d failed, %v", len(rows), failed, v)
		}
	})
	in(t, fake.Config{Echo: true, Batch: fake.Batch{Expired: 1}}, func(c caller, s *fake.Server) {
		v := c.call("POST", "/v1beta/models/m:batchGenerateContent", body)
		if str(v, "metadata", "state") != "BATCH_STATE_EXPIRED" || dig(v, "metadata", "output") != nil {
			t.Errorf("%v", v)
		}
	})
}

// A job that is cancelled halfway keeps the answers that it has.
func TestCancelBatch(t *testing.T) {
	in(t, fake.Config{Echo: true, Batch: fake.Batch{Time: time.Minute}}, func(c caller, s *fake.Server) {
		id := c.submit(chatLines(40))
		time.Sleep(30 * time.Second)
		v := c.call("POST", "/v1/batches/"+id+"/cancel", "")
		if str(v, "status") != "cancelled" || num(v, "request_counts", "completed") != 20 || num(v, "request_counts", "failed") != 20 {
			t.Errorf("%v", v)
		}
		if rows := c.rows("/v1/files/" + str(v, "output_file_id") + "/content"); len(rows) != 20 {
			t.Errorf("%d rows", len(rows))
		}
	})
}

// A call whose reply is lost has done what it should, and lists show it. Lists go
// page by page, newest first.
func TestLostAndListed(t *testing.T) {
	in(t, fake.Config{Echo: true, Batch: fake.Batch{Lost: 1}}, func(c caller, s *fake.Server) {
		body := `{"requests":[{"custom_id":"a","params":{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"q"}]}}]}`
		for range 3 {
			if status, text, err := c.do("POST", "/v1/messages/batches", "application/json", []byte(body)); err == nil {
				t.Fatalf("%d %s", status, text)
			}
		}
		var ids []string
		path := "/v1/messages/batches?limit=2"
		for range 2 {
			v := c.call("GET", path, "")
			for _, b := range v["data"].([]any) {
				ids = append(ids, str(b, "id"))
			}
			if more := dig(v, "has_more").(bool); more != (len(ids) == 2) {
				t.Errorf("%v", v)
			}
			path = "/v1/messages/batches?limit=2&after_id=" + str(v, "last_id")
		}
		if slices.Sort(ids); len(ids) != 3 || len(slices.Compact(ids)) != 3 {
			t.Errorf("%v", ids)
		}
	})
	in(t, fake.Config{Echo: true, Batch: fake.Batch{Busy: 0.5}}, func(c caller, s *fake.Server) {
		busy := 0
		for range 100 {
			if status, _, _ := c.do("GET", "/v1/batches", "", nil); status == http.StatusServiceUnavailable {
				busy++
			}
		}
		if busy < 25 || busy > 75 {
			t.Errorf("%d of 100 calls met a busy server", busy)
		}
	})
}

// Files can be looked at and deleted.
func TestFiles(t *testing.T) {
	in(t, fake.Config{}, func(c caller, s *fake.Server) {
		id := c.upload("line\n")
		if v := c.call("GET", "/v1/files/"+id, ""); num(v, "bytes") != 5 || str(v, "purpose") != "batch" || str(v, "filename") != "in.jsonl" {
			t.Errorf("%v", v)
		}
		if v := c.call("GET", "/v1/files?purpose=batch", ""); str(v, "data", 0, "id") != id {
			t.Errorf("%v", v)
		}
		if _, text, _ := c.do("GET", "/v1/files/"+id+"/content", "", nil); text != "line\n" {
			t.Errorf("%q", text)
		}
		c.call("DELETE", "/v1/files/"+id, "")
		if status, _, _ := c.do("GET", "/v1/files/"+id, "", nil); status != http.StatusNotFound {
			t.Errorf("%d", status)
		}
	})
}

// A request of a batch that names no model is answered by the first of the server's models.
func TestBatchModel(t *testing.T) {
	in(t, fake.Config{Echo: true, Models: []string{"own", "other"}}, func(c caller, s *fake.Server) {
		id := c.submit(`{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"messages":[{"role":"user","content":"q"}]}}` + "\n")
		v := c.call("GET", "/v1/batches/"+id, "")
		rows := c.rows("/v1/files/" + str(v, "output_file_id") + "/content")
		if len(rows) != 1 || str(rows[0], "response", "body", "model") != "own" {
			t.Errorf("%v", rows)
		}
	})
}
