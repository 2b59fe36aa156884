package fake

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"

	"verbatim/internal/rawjson"
)

// Gemini's batch API: the requests are in the body of the call. A batch is an operation, and its
// metadata has the state and the results.

func geminiBatches() *batchAPI {
	return &batchAPI{
		name:       "gemini",
		createPath: "/v1beta/models/{}:batchGenerateContent", listPath: "/v1beta/batches", cancelSuffix: ":cancel", cancelReply: "{}",
		read: readGeminiBatch, appendJob: (*batches).appendGeminiBatch, expiresWhole: true,
		listHead: `{"operations":[`, listTail: geminiListTail,
		afterParam: "pageToken", limitParam: "pageSize", defaultLimit: 50,
	}
}

func readGeminiBatch(b *batches, r *http.Request) (*job, *apiError) {
	var in struct {
		Batch struct {
			Name  string `json:"displayName"`
			Input struct {
				File     string `json:"fileName"`
				Requests struct {
					Requests []struct {
						Request  geminiRequest   `json:"request"`
						Metadata json.RawMessage `json:"metadata"`
					} `json:"requests"`
				} `json:"requests"`
			} `json:"inputConfig"`
		} `json:"batch"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, badRequest("Invalid JSON payload received. "+err.Error(), "")
	}
	if in.Batch.Input.File != "" {
		return nil, badRequest("This server takes requests inside the call only.", "")
	}
	requests := in.Batch.Input.Requests.Requests
	if len(requests) == 0 {
		return nil, badRequest("* BatchGenerateContentRequest.batch.input_config: requests are not specified", "")
	}
	j := &job{id: b.newID(""), name: in.Batch.Name}
	j.model, _ = geminiModel(r.URL.Path)
	for _, q := range requests {
		one := jobRequest{metadata: q.Metadata}
		if one.request, one.apiError = q.Request.request(); one.apiError == nil {
			forBatch(geminiWire(), one.request, j.model)
		}
		j.requests = append(j.requests, one)
	}
	return j, nil
}

// geminiState returns the state of a job.
func (b *batches) geminiState(j *job) string {
	switch progress := b.progress(j); {
	case j.cancelled:
		return "BATCH_STATE_CANCELLED"
	case progress >= 1 && b.expiresWhole(j):
		return "BATCH_STATE_EXPIRED"
	case progress >= 1:
		return "BATCH_STATE_SUCCEEDED"
	case progress > 0.1:
		return "BATCH_STATE_RUNNING"
	}
	return "BATCH_STATE_PENDING"
}

// expiresWhole draws whether a job of Gemini's expires.
func (b *batches) expiresWhole(j *job) bool {
	k := keyOf(question(j.requests[0].prompt()))
	return rand.New(rand.NewPCG(mix(b.config.Seed+drawBatch), uint64(k[0])<<8|uint64(k[1]))).Float64() < b.config.Batch.Expired
}

// appendGeminiBatch appends a job as an operation.
func (b *batches) appendGeminiBatch(out []byte, _ *http.Request, j *job) []byte {
	state := b.geminiState(j)
	over := !j.ended.IsZero()
	out = append(out, `{"name":"batches/`+j.id+`","metadata":{"@type":"type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch","model":`...)
	out = rawjson.AppendString(out, "models/"+j.model)
	out = appendText(out, `,"displayName":`, j.name)
	out = append(out, `,"createTime":`...)
	out = appendTime(out, j.created)
	if over {
		out = append(out, `,"endTime":`...)
		out = appendTime(out, j.ended)
	}
	out = append(out, `,"updateTime":`...)
	out = appendTime(out, j.created)
	out = fmt.Appendf(out, `,"batchStats":{"requestCount":"%d"`, len(j.requests))
	if over {
		out = fmt.Appendf(out, `,"successfulRequestCount":"%d","failedRequestCount":"%d"`, j.count("succeeded"), j.count("errored"))
	} else {
		out = fmt.Appendf(out, `,"pendingRequestCount":"%d"`, len(j.requests))
	}
	out = append(out, `},"state":"`+state+`","name":"batches/`+j.id+`"`...)
	if !over {
		return append(out, `}}`...)
	}
	if state != "BATCH_STATE_SUCCEEDED" {
		return append(out, `},"done":true,"error":{"code":1,"message":"`+state+`"}}`...)
	}
	output := geminiOutput(nil, j)
	out = append(append(out, `,"output":`...), output...)
	out = append(out, `},"done":true,"response":{"@type":"type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatchOutput",`...)
	return append(append(out, output[1:]...), '}')
}

func geminiOutput(b []byte, j *job) []byte {
	b = append(b, `{"inlinedResponses":{"inlinedResponses":[`...)
	for i, r := range j.results {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		if r.state == "succeeded" {
			b = append(b, `"response":`...)
			b = geminiWhole(b, r.reply)
		} else {
			b = appendText(b, `"error":{"code":13,"message":`, r.apiError.message)
			b = append(b, '}')
		}
		if len(r.request.metadata) > 0 {
			b = append(append(b, `,"metadata":`...), r.request.metadata...)
		}
		b = append(b, '}')
	}
	return append(b, `]}}`...)
}

func geminiListTail(jobs []*job, more bool) string {
	if !more {
		return "]}"
	}
	return `],"nextPageToken":"` + jobs[len(jobs)-1].id + `"}`
}
