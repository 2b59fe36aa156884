package fake

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"

	"verbatim/internal/rawjson"
)

// Gemini's batch API, with the requests and the responses inside the calls: a
// batch is an operation whose metadata holds its state and its output.

func createGeminiBatch(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	var in struct {
		Batch struct {
			Name  string `json:"displayName"`
			Input struct {
				File     string `json:"fileName"`
				Requests struct {
					Requests []struct {
						Request  geminiAsk       `json:"request"`
						Metadata json.RawMessage `json:"metadata"`
					} `json:"requests"`
				} `json:"requests"`
			} `json:"inputConfig"`
		} `json:"batch"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return badRequest("Invalid JSON payload received. "+err.Error(), "")
	}
	if in.Batch.Input.File != "" {
		return badRequest("This server takes requests inside the call only.", "")
	}
	requests := in.Batch.Input.Requests.Requests
	if len(requests) == 0 {
		return badRequest("* BatchGenerateContentRequest.batch.input_config: requests are not specified", "")
	}
	j := &job{id: s.newID(""), protocol: &gemini, name: in.Batch.Name}
	j.model, _ = geminiModel(r.URL.Path)
	for _, q := range requests {
		one := jobRequest{meta: q.Metadata}
		if one.ask, one.trouble = q.Request.ask(); one.trouble == nil {
			plain(&gemini, one.ask, j.model)
		}
		j.requests = append(j.requests, one)
	}
	s.begin(j)
	send(w, s.geminiBatch(nil, j))
	return nil
}

// geminiState returns the state of a job.
func (s *Server) geminiState(j *job) string {
	switch progress := s.progress(j); {
	case j.cancelled:
		return "BATCH_STATE_CANCELLED"
	case progress >= 1 && s.expiresWhole(j):
		return "BATCH_STATE_EXPIRED"
	case progress >= 1:
		return "BATCH_STATE_SUCCEEDED"
	case progress > 0.1:
		return "BATCH_STATE_RUNNING"
	}
	return "BATCH_STATE_PENDING"
}

// expiresWhole draws whether a job of Gemini's is not done in time.
func (s *Server) expiresWhole(j *job) bool {
	k := keyOf(question(j.requests[0].prompt()))
	return rand.New(rand.NewPCG(mix(s.config.Seed+drawBatch), uint64(k[0])<<8|uint64(k[1]))).Float64() < s.config.Batch.Expired
}

// geminiBatch appends a job as an operation.
func (s *Server) geminiBatch(b []byte, j *job) []byte {
	state := s.geminiState(j)
	over := !j.ended.IsZero()
	b = append(b, `{"name":"batches/`+j.id+`","metadata":{"@type":"type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch","model":`...)
	b = rawjson.AppendString(b, "models/"+j.model)
	b = append(b, `,"displayName":`...)
	b = rawjson.AppendString(b, j.name)
	b = append(b, `,"createTime":`...)
	b = stamp(b, j.created)
	if over {
		b = append(b, `,"endTime":`...)
		b = stamp(b, j.ended)
	}
	b = append(b, `,"updateTime":`...)
	b = stamp(b, j.created)
	b = fmt.Appendf(b, `,"batchStats":{"requestCount":"%d"`, len(j.requests))
	if over {
		b = fmt.Appendf(b, `,"successfulRequestCount":"%d","failedRequestCount":"%d"`, j.count("succeeded"), j.count("errored"))
	} else {
		b = fmt.Appendf(b, `,"pendingRequestCount":"%d"`, len(j.requests))
	}
	b = append(b, `},"state":"`+state+`","name":"batches/`+j.id+`"`...)
	if !over {
		return append(b, `}}`...)
	}
	if state != "BATCH_STATE_SUCCEEDED" {
		return append(b, `},"done":true,"error":{"code":1,"message":"`+state+`"}}`...)
	}
	output := geminiOutput(nil, j)
	b = append(append(b, `,"output":`...), output...)
	b = append(b, `},"done":true,"response":{"@type":"type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatchOutput",`...)
	return append(append(b, output[1:]...), '}')
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
			b = append(b, `"error":{"code":13,"message":`...)
			b = rawjson.AppendString(b, r.trouble.message)
			b = append(b, '}')
		}
		if len(r.request.meta) > 0 {
			b = append(append(b, `,"metadata":`...), r.request.meta...)
		}
		b = append(b, '}')
	}
	return append(b, `]}}`...)
}

// geminiJob finds the job that the path names, and brings it up to date.
func (s *Server) geminiJob(r *http.Request) (*job, *trouble) {
	j, t := s.job(&gemini, pathID(r.URL.Path))
	if t == nil {
		s.advance(r.Context(), j)
	}
	return j, t
}

func getGeminiBatch(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	j, t := s.geminiJob(r)
	if t == nil {
		send(w, s.geminiBatch(nil, j))
	}
	return t
}

func cancelGeminiBatch(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	j, t := s.geminiJob(r)
	if t == nil {
		s.cancel(r.Context(), j)
		send(w, []byte("{}"))
	}
	return t
}

func listGeminiBatches(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	jobs, more := s.listed(&gemini, r.URL.Query().Get("pageToken"), limitOf(r, "pageSize", 50))
	b := []byte(`{"operations":[`)
	for i, j := range jobs {
		if i > 0 {
			b = append(b, ',')
		}
		s.advance(r.Context(), j)
		b = s.geminiBatch(b, j)
	}
	b = append(b, ']')
	if more {
		b = append(b, `,"nextPageToken":"`+jobs[len(jobs)-1].id+`"`...)
	}
	send(w, append(b, '}'))
	return nil
}
