package batch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire"
)

// paths serves a body at each path. A body that begins with a number and a space is
// sent with that status; one that ends in "…" breaks off there.
func paths(t *testing.T, bodies map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if strings.Contains(r.URL.Path, "/messages/") && (r.Header.Get("Anthropic-Version") == "" || r.Header.Get("X-Api-Key") != "key-of-all-batches") {
			t.Errorf("%s: header %v", r.URL.Path, r.Header)
		}
		path := r.URL.Path
		if q := r.URL.Query(); q.Get("after") != "" || q.Get("after_id") != "" || q.Get("pageToken") != "" {
			path += "?" + q.Get("after") + q.Get("after_id") + q.Get("pageToken")
		}
		body, ok := bodies[path]
		if !ok {
			t.Errorf("asked for %s", path)
		}
		var status int
		if n, _ := fmt.Sscanf(body, "%d ", &status); n == 1 {
			body = body[4:]
		} else {
			status = http.StatusOK
		}
		if part, ok := strings.CutSuffix(body, "…"); ok {
			w.Header().Set("Content-Length", fmt.Sprint(len(part)+1))
			io.WriteString(w, part)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

const (
	chatLine     = `{"id":"x","custom_id":"s1","response":{"status_code":200,"request_id":"req-1","body":{"id":"c","model":"m-1","choices":[{"index":0,"message":{"content":"hi"},"finish_reason":"stop"}],"usage":{"completion_tokens":2}}},"error":null}` + "\n"
	messageLine  = `{"custom_id":"2c70e12b7a-s1","result":{"type":"succeeded","message":{"id":"msg_1","model":"m-1","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}}}}` + "\n"
	geminiResult = `{"response":{"candidates":[{"content":{"parts":[{"text":"hi"}]},"finishReason":"STOP"}],"usageMetadata":{"candidatesTokenCount":2},"modelVersion":"m-1","responseId":"r"},"metadata":{"key":"s1"}}`
)

// collectAll writes what Collect reported of the requests.
func collectAll(api *API, e wire.Endpoint, id string, t *testing.T) ([]string, verbatim.BatchState, error) {
	var all []string
	state, err := api.Collect(t.Context(), e, id, func(ask int64, r verbatim.Reply, err error) error {
		var f *verbatim.Failure
		if errors.As(err, &f) {
			all = append(all, fmt.Sprintf("%d: %s %d: %v", ask, f.Class, f.Status, f.Err))
		} else {
			all = append(all, fmt.Sprintf("%d: %s %s", ask, r.Text, r.Finish))
		}
		return nil
	})
	slices.Sort(all)
	return all, state, err
}

// What a batch says of single requests.
func TestBatchLines(t *testing.T) {
	for _, c := range []struct {
		api, line, want string
	}{
		{"chat", chatLine, "1: hi stop"},
		{"chat", `{"custom_id":"s1","response":{"status_code":200,"body":{"choices":[{"message":{"content":"h"},"finish_reason":"length"}]}}}`, "1: h length"},
		{"chat", `{"custom_id":"s1","response":{"status_code":200,"body":{"choices":[{"message":{"content":"h"},"finish_reason":null}]}}}`, "1: content 200: the reply ended without a finish reason"},
		{"chat", `{"custom_id":"s1","response":{"status_code":200,"body":{"choices":[]}}}`, "1: content 200: the reply has no choices"},
		{"chat", `{"custom_id":"s1","response":{"status_code":200,"body":"oops"}}`, "1: content 200: the reply is no object"},
		{"chat", `{"custom_id":"s1","response":{"status_code":200}}`, "1: overload 200: the batch gives neither a reply nor a reason"},
		{"chat", `{"custom_id":"s1","response":{"status_code":400,"body":{"error":{"message":"bad parameter","code":null}}},"error":null}`, "1: request 400: bad parameter"},
		{"chat", `{"custom_id":"s1","response":{"status_code":429,"body":{"error":{"message":"slower","code":"rate_limit_exceeded"}}}}`, "1: rate 429: slower"},
		{"chat", `{"custom_id":"s1","response":{"status_code":429,"body":{"error":{"message":"pay","code":"insufficient_quota"}}}}`, "1: quota 429: pay"},
		{"chat", `{"custom_id":"s1","response":{"status_code":500,"body":null}}`, "1: overload 500: the batch gives neither a reply nor a reason"},
		{"chat", `{"custom_id":"s1","response":null,"error":{"code":"batch_expired","message":"too late"}}`, "1: overload 0: too late"},
		{"chat", `{"custom_id":"s1","response":{"status_code":200,"body":{"choices":[{"message":{"content":"h"},"finish_reason":"stop"}]}},"error":{"code":"batch_cancelled","message":"cancelled"}}`, "1: overload 200: cancelled"},
		{"chat", `{"custom_id":"s1","response":{"status_code":401,"body":{"error":{"message":"wrong key: key-of-all-batches"}}}}`, "1: auth 401: wrong key: [key]"},
		{"responses", `{"custom_id":"s1","response":{"status_code":200,"body":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]}]}}}`, "1: hi stop"},
		{"responses", `{"custom_id":"s1","response":{"status_code":200,"body":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}}}`, "1:  length"},
		{"responses", `{"custom_id":"s1","response":{"status_code":200,"body":{"status":"in_progress","output":[]}}}`, "1: content 200: the reply is incomplete: its status is in_progress"},
		{"anthropic", messageLine, "1: hi stop"},
		{"anthropic", `{"custom_id":"2c70e12b7a-s2","result":{"type":"expired"}}`, "2: overload 0: the request was not answered: the batch says expired"},
		{"anthropic", `{"custom_id":"2c70e12b7a-s1","result":{"type":"canceled"}}`, "1: overload 0: the request was not answered: the batch says canceled"},
		{"anthropic", `{"custom_id":"2c70e12b7a-s1","result":null}`, "1: overload 0: the request was not answered: the batch says nothing about it"},
		{"anthropic", `{"custom_id":"2c70e12b7a-s1","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"no"}}}}`, "1: request 0: no"},
		{"anthropic", `{"custom_id":"2c70e12b7a-s1","result":{"type":"errored","error":{"type":"error","error":{"type":"overloaded_error","message":"busy"}}}}`, "1: overload 0: busy"},
		{"anthropic", `{"custom_id":"2c70e12b7a-s1","result":{"type":"succeeded","message":{"content":[{"type":"text","text":"h"}],"stop_reason":null}}}`, "1: content 200: the reply ended without a stop reason"},
		{"gemini", geminiResult, "1: hi stop"},
		{"gemini", `{"response":{"candidates":[{"content":{"parts":[{"text":"h"}]}}]},"metadata":{"key":"s1"}}`, "1: content 200: the reply ended without a finish reason"},
		{"gemini", `{"response":{"promptFeedback":{"blockReason":"SAFETY"}},"metadata":{"key":"s1"}}`, "1:  content_filter"},
		{"gemini", `{"error":{"code":3,"message":"bad","status":"INVALID_ARGUMENT"},"metadata":{"key":"s1"}}`, "1: request 400: bad"},
		{"gemini", `{"error":{"code":8,"message":"slower"},"metadata":{"key":"s1"}}`, "1: rate 429: slower"},
		{"gemini", `{"error":{"code":503,"message":"busy"},"metadata":{"key":"s1"}}`, "1: overload 503: busy"},
		{"gemini", `{"error":{"code":13,"message":"oops"},"metadata":{"key":"s1"}}`, "1: overload 500: oops"},
		{"gemini", `{"metadata":{"key":"s1"}}`, "1: overload 200: the batch gives neither a reply nor a reason"},
	} {
		api := batchAPIs()[c.api]
		e := batchEndpoint(paths(t, map[string]string{
			"/v1/batches/b":                  `{"id":"b","status":"completed","output_file_id":"f1"}`,
			"/v1/files/f1/content":           c.line,
			"/v1/messages/batches/b":         `{"id":"b","processing_status":"ended"}`,
			"/v1/messages/batches/b/results": c.line,
			"/v1beta/b":                      `{"name":"b","done":true,"metadata":{"state":"BATCH_STATE_SUCCEEDED"},"response":{"inlinedResponses":{"inlinedResponses":[` + c.line + `]}}}`,
		}) + api.root)
		all, state, err := collectAll(api.api, e, "b", t)
		if err != nil || len(all) != 1 || !strings.HasPrefix(all[0], c.want) || !state.Over {
			t.Errorf("%s: %s:\n got %q, %+v, %v\nwant %q", c.api, c.line, all, state, err, c.want)
		}
	}
}

// What a batch says of itself, and replies that are no batch.
func TestBatchCollect(t *testing.T) {
	counts := func(completed, failed int) string {
		return fmt.Sprintf(`"request_counts":{"total":9,"completed":%d,"failed":%d}`, completed, failed)
	}
	const ended = `{"id":"b","processing_status":"ended","request_counts":{"processing":0,"succeeded":%d,"errored":0,"canceled":0,"expired":0},"results_url":"http://elsewhere.test/"}`
	inline := func(state, rest string) string {
		return `{"name":"b","metadata":{"state":"` + state + `","batchStats":{"requestCount":"1","successfulRequestCount":"1"}` + rest + `}`
	}
	for _, c := range []struct {
		name, api string
		bodies    map[string]string
		answers   int
		raw       string
		over      bool
		class     verbatim.Class // of the error
		says      string
	}{
		{"both files", "chat", map[string]string{"/v1/batches/b": `{"status":"expired","output_file_id":"f1","error_file_id":"f2",` + counts(1, 1) + `}`,
			"/v1/files/f1/content": chatLine, "/v1/files/f2/content": chatLine + "\n\n"}, 2, "expired", true, "", ""},
		{"no last line end", "chat", map[string]string{"/v1/batches/b": `{"status":"completed","output_file_id":"f1"}`, "/v1/files/f1/content": strings.TrimSpace(chatLine)}, 1, "completed", true, "", ""},
		{"CRLF", "chat", map[string]string{"/v1/batches/b": `{"status":"completed","output_file_id":"f1"}`, "/v1/files/f1/content": strings.ReplaceAll(chatLine, "\n", "\r\n\r\n")}, 1, "completed", true, "", ""},
		{"only errors", "chat", map[string]string{"/v1/batches/b": `{"status":"completed","output_file_id":null,"error_file_id":"f2",` + counts(0, 1) + `}`, "/v1/files/f2/content": chatLine}, 1, "completed", true, "", ""},
		{"cancelled before it began", "chat", map[string]string{"/v1/batches/b": `{"status":"cancelled"}`}, 0, "cancelled", true, "", ""},
		{"at work", "chat", map[string]string{"/v1/batches/b": `{"status":"finalizing","output_file_id":null,` + counts(7, 0) + `}`}, 0, "finalizing", false, "", ""},
		{"invalid", "chat", map[string]string{"/v1/batches/b": `{"status":"failed","errors":{"data":[{"code":"x","message":"line 3\nis bad"},{"message":"and 4"}]}}`}, 0, "failed: line 3 is bad", true, "", ""},
		{"no file", "chat", map[string]string{"/v1/batches/b": `{"status":"completed",` + counts(3, 0) + `}`}, 0, "completed", true, verbatim.Cut, "only 0"},
		{"fewer lines than counted", "chat", map[string]string{"/v1/batches/b": `{"status":"completed","output_file_id":"f1",` + counts(2, 0) + `}`, "/v1/files/f1/content": chatLine}, 1, "completed", true, verbatim.Cut, "only 1"},
		{"broken off in a line", "chat", map[string]string{"/v1/batches/b": `{"status":"completed","output_file_id":"f1"}`, "/v1/files/f1/content": chatLine + chatLine[:50]}, 1, "completed", true, verbatim.Cut, "breaks off"},
		{"connection lost in a line", "chat", map[string]string{"/v1/batches/b": `{"status":"completed","output_file_id":"f1"}`, "/v1/files/f1/content": chatLine + chatLine[:50] + "…"}, 1, "completed", true, verbatim.Cut, "closed"},
		{"connection lost between lines", "chat", map[string]string{"/v1/batches/b": `{"status":"completed","output_file_id":"f1"}`, "/v1/files/f1/content": chatLine + "…"}, 1, "completed", true, verbatim.Cut, "closed"},
		{"connection lost after the last brace", "chat", map[string]string{"/v1/batches/b": `{"status":"completed","output_file_id":"f1"}`, "/v1/files/f1/content": strings.TrimSpace(chatLine) + "…"}, 0, "completed", true, verbatim.Cut, "closed"},
		{"a file of a strange name", "chat", map[string]string{"/v1/batches/b": `{"status":"completed","output_file_id":"../x"}`}, 0, "completed", true, verbatim.Content, "not allowed in a path"},
		{"no file there", "chat", map[string]string{"/v1/batches/b": `{"status":"completed","output_file_id":"f1"}`, "/v1/files/f1/content": `404 {"error":{"message":"gone"}}`}, 0, "completed", true, verbatim.BadAsk, "gone"},
		{"no batch there", "chat", map[string]string{"/v1/batches/b": `404 {"error":{"message":"no such batch"}}`}, 0, "", false, verbatim.BadAsk, "no such batch"},
		{"busy", "chat", map[string]string{"/v1/batches/b": `503 busy`}, 0, "", false, verbatim.Overload, "busy"},
		{"a web page", "chat", map[string]string{"/v1/batches/b": `<html><title>welcome</title>`}, 0, "", false, verbatim.BadAsk, "web page"},
		{"the batch breaks off", "chat", map[string]string{"/v1/batches/b": `{"status":"comple`}, 0, "", false, verbatim.Cut, "breaks off"},
		{"nothing", "chat", map[string]string{"/v1/batches/b": ``}, 0, "", false, verbatim.Cut, "breaks off"},
		{"an array", "chat", map[string]string{"/v1/batches/b": `[]`}, 0, "", false, verbatim.Content, "object"},
		{"another document", "chat", map[string]string{"/v1/batches/b": `{}`}, 0, "", false, verbatim.Content, "no status"},
		{"ended", "anthropic", map[string]string{"/v1/messages/batches/b": fmt.Sprintf(ended, 2), "/v1/messages/batches/b/results": messageLine + messageLine}, 2, "ended", true, "", ""},
		{"canceling", "anthropic", map[string]string{"/v1/messages/batches/b": `{"processing_status":"canceling"}`}, 0, "canceling", false, "", ""},
		{"fewer results", "anthropic", map[string]string{"/v1/messages/batches/b": fmt.Sprintf(ended, 2), "/v1/messages/batches/b/results": messageLine}, 1, "ended", true, verbatim.Cut, "only 1"},
		{"no status", "anthropic", map[string]string{"/v1/messages/batches/b": `{}`}, 0, "", false, verbatim.Content, "no status"},
		{"an operation", "gemini", map[string]string{"/v1beta/b": inline("BATCH_STATE_SUCCEEDED", `},"response":{"inlinedResponses":{"inlinedResponses":[`+geminiResult+`]}}`)}, 1, "BATCH_STATE_SUCCEEDED", true, "", ""},
		{"output in the batch", "gemini", map[string]string{"/v1beta/b": inline("JOB_STATE_SUCCEEDED", `,"output":{"inlinedResponses":{"inlinedResponses":[`+geminiResult+`]}}}`)}, 1, "JOB_STATE_SUCCEEDED", true, "", ""},
		{"as clients show it", "gemini", map[string]string{"/v1beta/b": `{"name":"b","state":"JOB_STATE_SUCCEEDED","dest":{"inlinedResponses":[` + geminiResult + `]}}`}, 1, "JOB_STATE_SUCCEEDED", true, "", ""},
		{"running", "gemini", map[string]string{"/v1beta/b": inline("JOB_STATE_RUNNING", `}`)}, 0, "JOB_STATE_RUNNING", false, "", ""},
		{"failed", "gemini", map[string]string{"/v1beta/b": inline("BATCH_STATE_FAILED", `},"done":true,"error":{"code":13,"message":"it broke"}`)}, 0, "BATCH_STATE_FAILED: it broke", true, "", ""},
		{"cancelled", "gemini", map[string]string{"/v1beta/b": inline("JOB_STATE_CANCELLED", `}`)}, 0, "JOB_STATE_CANCELLED", true, "", ""},
		{"fewer than counted", "gemini", map[string]string{"/v1beta/b": inline("BATCH_STATE_SUCCEEDED", `},"response":{"inlinedResponses":{"inlinedResponses":[]}}`)}, 0, "BATCH_STATE_SUCCEEDED", true, verbatim.Cut, "only 0"},
		{"in a file", "gemini", map[string]string{"/v1beta/b": `{"metadata":{"state":"BATCH_STATE_SUCCEEDED"},"response":{"responsesFile":"files/x"}}`}, 0, "BATCH_STATE_SUCCEEDED", true, verbatim.Content, "files"},
		{"no state", "gemini", map[string]string{"/v1beta/b": `{}`}, 0, "", false, verbatim.Content, "no status"},
	} {
		api := batchAPIs()[c.api]
		all, state, err := collectAll(api.api, batchEndpoint(paths(t, c.bodies)+api.root), "b", t)
		if len(all) != c.answers || state.Raw != c.raw || state.Over != c.over {
			t.Errorf("%s, %s: %q, %+v", c.api, c.name, all, state)
		}
		var f *verbatim.Failure
		if errors.As(err, &f) != (c.class != "") || f == nil && err != nil || f != nil && (f.Class != c.class || !strings.Contains(f.Error(), c.says) || f.Who == "") {
			t.Errorf("%s, %s: %v", c.api, c.name, err)
		}
	}
}

// Results that cannot be read, or that belong to no request, hold none of the others up, wherever they
// are. They are counted, and the first is named without control characters and without the key.
func TestForeignResults(t *testing.T) {
	bodies := func(lines ...string) map[string]string {
		all := strings.Join(lines, "")
		return map[string]string{
			"/v1/batches/b": `{"id":"b","status":"completed","output_file_id":"f1","request_counts":{"completed":2}}`, "/v1/files/f1/content": all,
			"/v1/messages/batches/b": `{"id":"b","processing_status":"ended","request_counts":{"succeeded":2}}`, "/v1/messages/batches/b/results": all,
			"/v1beta/b": `{"name":"b","done":true,"metadata":{"state":"BATCH_STATE_SUCCEEDED","batchStats":{"requestCount":2}},"response":{"inlinedResponses":[` + strings.ReplaceAll(strings.TrimSpace(all), "\n", ",") + `]}}`,
		}
	}
	second := strings.NewReplacer(`s1"`, `s2"`)
	for _, c := range []struct{ api, good, foreign, says string }{
		{"chat", chatLine, `{"custom_id":"you\u001b[2J"}` + "\n", "line %d of the file f1: you\\x1b[2J"},
		{"responses", chatLine, `<html> key-of-all-batches` + "\n", "line %d of the file f1: <html> [key]"},
		{"chat", chatLine, `{"custom_id":"s7"}` + "\n", "line %d of the file f1: s7"},
		{"chat", chatLine, `{"custom_id":7}` + "\n", `line %d of the file f1: {"custom_id":7}`},
		{"chat", chatLine, chatLine[:40] + chatLine, "line %d of the file f1: " + chatLine[:40]},
		{"anthropic", messageLine, `{"custom_id":"s1"}` + "\n", `line %d of the results: {"custom_id":"s1"}`},
		{"anthropic", messageLine, "[1]\n", "line %d of the results: [1]"},
		{"gemini", geminiResult + "\n", `{"response":{}}` + "\n", `line %d of the results: {"response":{}}`},
		{"gemini", geminiResult + "\n", `null` + "\n", "line %d of the results: null"},
	} {
		for at := range 3 {
			lines := slices.Insert([]string{c.good, second.Replace(c.good)}, at, c.foreign)
			answers := map[int64]int{}
			api := batchAPIs()[c.api]
			state, err := api.api.Collect(t.Context(), batchEndpoint(paths(t, bodies(lines...))+api.root), "b", func(seq int64, _ verbatim.Reply, _ error) error {
				if seq > 2 {
					return verbatim.ErrForeign
				}
				answers[seq]++
				return nil
			})
			want := fmt.Sprintf(c.says, at+1)
			if err != nil || !state.Over || answers[1] != 1 || answers[2] != 1 || state.Foreign != 1 || !strings.HasPrefix(state.FirstForeign, want) {
				t.Errorf("%s, %q at %d: answers %v, %+v, %v, want %q", c.api, c.foreign, at, answers, state, err, want)
			}
		}
	}
}

// Find reads all pages of a list, and says when it cannot tell.
func TestBatchFind(t *testing.T) {
	const digest = "2c70e12b7a-" // of "key"
	result := func(id string) string {
		return `{"custom_id":"` + id + `","result":{"type":"expired"}}` + "\n" + "rubbish"
	}
	for _, c := range []struct {
		name, api string
		bodies    map[string]string
		want      string
		class     verbatim.Class
		says      string
	}{
		{"on the second page", "chat", map[string]string{"/v1/batches": `{"data":[{"id":"b1","metadata":null},{"id":"b2","metadata":{"verbatim_key":"other"}}],"has_more":true}`,
			"/v1/batches?b2": `{"data":[{"id":"b3","metadata":{"verbatim_key":"key","x":"y"}}],"has_more":false}`}, "b3", "", ""},
		{"nowhere", "chat", map[string]string{"/v1/batches": `{"data":[{"id":"b1","metadata":{"other":"key"}}]}`}, "", "", ""},
		{"a list without end", "chat", map[string]string{"/v1/batches": `{"data":[{"id":"b1"}],"has_more":true}`, "/v1/batches?b1": `{"data":[{"id":"b1"}],"has_more":true}`}, "", verbatim.Content, "50 pages"},
		{"no list", "chat", map[string]string{"/v1/batches": `500 oops`}, "", verbatim.Overload, "oops"},
		{"the second that ended", "anthropic", map[string]string{"/v1/messages/batches": `{"data":[{"id":"b0","processing_status":"in_progress"},{"id":"b1","processing_status":"ended"}],"has_more":true,"last_id":"b1"}`,
			"/v1/messages/batches?b1":         `{"data":[{"id":"b2","processing_status":"ended"},{"id":"b3","processing_status":"ended"}]}`,
			"/v1/messages/batches/b1/results": result("0123456789-1"), "/v1/messages/batches/b2/results": "rubbish\n" + result(digest+"1")}, "b2", "", ""},
		{"not known yet", "anthropic", map[string]string{"/v1/messages/batches": `{"data":[{"id":"b0","processing_status":"in_progress"},{"id":"b1","processing_status":"ended"}]}`,
			"/v1/messages/batches/b1/results": result("foreign")}, "", verbatim.Overload, "b0"},
		{"archived, deleted and empty ones", "anthropic", map[string]string{"/v1/messages/batches": `{"data":[{"id":"b0","processing_status":"ended","archived_at":"2026-01-01"},{"id":"b1","processing_status":"ended"},{"id":"b2","processing_status":"ended"}]}`,
			"/v1/messages/batches/b1/results": `404 {"type":"error","error":{"type":"not_found_error","message":"gone"}}`, "/v1/messages/batches/b2/results": ""}, "", "", ""},
		{"results that do not come", "anthropic", map[string]string{"/v1/messages/batches": `{"data":[{"id":"b1","processing_status":"ended"}]}`, "/v1/messages/batches/b1/results": `529 busy`}, "", verbatim.Overload, "busy"},
		{"too many", "anthropic", map[string]string{"/v1/messages/batches": `{"data":[],"has_more":true,"last_id":"b1"}`, "/v1/messages/batches?b1": `{"data":[],"has_more":true,"last_id":"b1"}`}, "", verbatim.Content, "3 pages"},
		{"operations", "gemini", map[string]string{"/v1beta/batches": `{"operations":[{"name":"batches/b1","metadata":{"displayName":"other"}}],"nextPageToken":"p2"}`,
			"/v1beta/batches?p2": `{"operations":[{"name":"batches/b2","metadata":{"displayName":"key"}}],"nextPageToken":"p3"}`}, "batches/b2", "", ""},
		{"batches", "gemini", map[string]string{"/v1beta/batches": `{"batches":[{"name":"batches/b1","displayName":"key"}]}`}, "batches/b1", "", ""},
		{"none", "gemini", map[string]string{"/v1beta/batches": `{}`}, "", "", ""},
	} {
		api := batchAPIs()[c.api]
		got, err := api.api.Find(t.Context(), batchEndpoint(paths(t, c.bodies)+api.root), "key")
		var f *verbatim.Failure
		if errors.As(err, &f) != (c.class != "") || f == nil && err != nil || f != nil && (f.Class != c.class || !strings.Contains(f.Error(), c.says)) || got != c.want && err == nil {
			t.Errorf("%s, %s: %q, %v, want %q", c.api, c.name, got, err, c.want)
		}
	}
}

// Submit says what was wrong, and never accepts an empty id.
func TestBatchSubmit(t *testing.T) {
	for _, c := range []struct {
		api    string
		bodies map[string]string
		want   string
		class  verbatim.Class
	}{
		{"chat", map[string]string{"/v1/files": `{"id":"file-1"}`, "/v1/batches": `{"id":"b1","status":"validating"}`}, "b1", ""},
		{"chat", map[string]string{"/v1/files": `413 {"error":{"message":"too large"}}`}, "", verbatim.BadAsk},
		{"chat", map[string]string{"/v1/files": `{}`, "/v1/batches": `400 {"error":{"message":"no file"}}`}, "", verbatim.BadAsk},
		{"chat", map[string]string{"/v1/files": `{"id":"file-1"}`, "/v1/batches": `429 {"error":{"code":"insufficient_quota"}}`}, "", verbatim.Quota},
		{"chat", map[string]string{"/v1/files": `{"id":"file-1"}`, "/v1/batches": `{}`}, "", verbatim.Content},
		{"anthropic", map[string]string{"/v1/messages/batches": `{"id":"msgbatch_1"}`}, "msgbatch_1", ""},
		{"anthropic", map[string]string{"/v1/messages/batches": `{"id":"../../x"}`}, "", verbatim.Content},
		{"anthropic", map[string]string{"/v1/messages/batches": `401 {"error":{"message":"who"}}`}, "", verbatim.Auth},
		{"gemini", map[string]string{"/v1beta/models/fake-1:batchGenerateContent": `{"name":"batches/1"}`}, "batches/1", ""},
		{"gemini", map[string]string{"/v1beta/models/fake-1:batchGenerateContent": `{"na…`}, "", verbatim.Cut},
	} {
		api := batchAPIs()[c.api]
		got, err := api.api.Submit(t.Context(), batchEndpoint(paths(t, c.bodies)+api.root), "key", batchAsks(3))
		var f *verbatim.Failure
		if got != c.want || errors.As(err, &f) != (c.class != "") || f != nil && f.Class != c.class {
			t.Errorf("%s, %v: %q, %v", c.api, c.bodies, got, err)
		}
	}
}

// FuzzBatchLine wants of any answer or error in a batch: no panic, and a reply with
// a finish reason or a failure with its one attempt, neither with a time.
func FuzzBatchLine(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"completion_tokens":1}}`), 200)
	f.Add([]byte(`{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"a"}]}]}`), 200)
	f.Add([]byte(`{"content":[{"type":"text","text":"a"}],"stop_reason":"end_turn"}`), 200)
	f.Add([]byte(`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`), 200)
	f.Add([]byte(`{"error":{"code":429,"message":"slower"}}`), 429)
	f.Add([]byte(`null`), 0)
	f.Fuzz(func(t *testing.T, in []byte, status int) {
		if !rawjson.Valid(in) {
			return
		}
		for name, api := range batchesOf(1, 1000) {
			c := client{api, wire.Endpoint{BaseURL: "http://127.0.0.1:9"}}
			for _, l := range []wire.Result{{Status: status, Reply: in}, {Status: status, Error: in}, {Reply: in, Error: in}} {
				reply, err := c.read("b", l)
				var failure *verbatim.Failure
				switch {
				case err == nil && (reply.FinishRaw == "" || reply.Batch != "b" || len(reply.Attempts) != 1 || reply.Times != verbatim.Times{}):
					t.Errorf("%s: %+v", name, reply)
				case err != nil && (!errors.As(err, &failure) || len(failure.Attempts) != 1 || failure.Attempts[0].Total != 0 || failure.Class == ""):
					t.Errorf("%s: %+v", name, err)
				}
			}
		}
	})
}
