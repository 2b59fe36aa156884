package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"verbatim/internal/rawjson"
)

// Anthropic's batch API: the requests are in the body of the call, and the results are JSON
// lines at an address of their own.

var customID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func anthropicBatches() *batchAPI {
	return &batchAPI{
		name:       "anthropic",
		createPath: "/v1/messages/batches", listPath: "/v1/messages/batches", cancelSuffix: "/cancel",
		read: readAnthropicBatch, appendJob: (*batches).appendAnthropicBatch,
		listHead: `{"data":[`, listTail: listTail,
		afterParam: "after_id", limitParam: "limit", defaultLimit: 20,
		more: []batchRoute{{method: "GET", path: "/v1/messages/batches/{}/results", serve: sendAnthropicResults}},
	}
}

func readAnthropicBatch(b *batches, r *http.Request) (*job, *apiError) {
	var in struct {
		Requests []struct {
			ID     string          `json:"custom_id"`
			Params json.RawMessage `json:"params"`
		} `json:"requests"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, badRequest("The request body is not valid JSON: "+err.Error(), "")
	}
	if len(in.Requests) == 0 {
		return nil, badRequest("requests: List should have at least 1 item", "")
	}
	j := &job{id: b.newID("msgbatch_")}
	seen := map[string]bool{}
	for i, q := range in.Requests {
		switch {
		case !customID.MatchString(q.ID):
			return nil, badRequest(fmt.Sprintf("requests.%d.custom_id: String should match pattern '%s'", i, customID), "")
		case seen[q.ID]:
			return nil, badRequest(fmt.Sprintf("requests.%d.custom_id: %q is not unique", i, q.ID), "")
		}
		seen[q.ID] = true
		one := jobRequest{id: q.ID}
		if one.request, one.apiError = readAnthropic(q.Params, nil); one.apiError == nil {
			forBatch(anthropicWire(), one.request, b.config.models()[0])
		}
		j.requests = append(j.requests, one)
	}
	return j, nil
}

// appendAnthropicBatch appends a job as Anthropic shows it. All requests count as processing
// until the job has ended.
func (*batches) appendAnthropicBatch(b []byte, r *http.Request, j *job) []byte {
	state, over := "in_progress", !j.ended.IsZero()
	processing := len(j.requests)
	if over {
		state, processing = "ended", 0
	}
	b = fmt.Appendf(b, `{"id":"%s","type":"message_batch","processing_status":"%s","request_counts":{"processing":%d,"succeeded":%d,"errored":%d,"canceled":%d,"expired":%d}`,
		j.id, state, processing, j.count("succeeded"), j.count("errored"), j.count("canceled"), j.count("expired"))
	b = append(b, `,"ended_at":`...)
	b = appendTime(b, j.ended)
	b = append(b, `,"created_at":`...)
	b = appendTime(b, j.created)
	b = append(b, `,"expires_at":`...)
	b = appendTime(b, j.created.Add(24*time.Hour))
	b = append(b, `,"cancel_initiated_at":`...)
	b = appendTime(b, j.cancelTime)
	b = append(b, `,"archived_at":null,"results_url":`...)
	if over {
		b = rawjson.AppendString(b, "http://"+r.Host+"/v1/messages/batches/"+j.id+"/results")
	} else {
		b = append(b, "null"...)
	}
	return append(b, '}')
}

func sendAnthropicResults(b *batches, api *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	j, e := b.currentJob(api, r)
	if e != nil {
		return e
	}
	if j.ended.IsZero() {
		return badRequest("Batch "+j.id+" has not finished processing and has no results.", "")
	}
	var out []byte
	for _, res := range j.results {
		out = appendText(out, `{"custom_id":`, res.request.id)
		out = append(out, `,"result":{"type":"`+res.state+`"`...)
		switch res.state {
		case "succeeded":
			out = append(out, `,"message":`...)
			out = anthropicWhole(out, res.reply)
		case "errored":
			out = append(out, `,"error":`...)
			out = anthropicError(out, res.apiError)
		}
		out = append(out, "}}\n"...)
	}
	w.Header().Set("Content-Type", "application/x-jsonl")
	w.Write(out)
	return nil
}
