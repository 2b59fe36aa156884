package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"verbatim/internal/rawjson"
)

// Anthropic's batch API: the requests come in the call, and the results are JSON
// lines at an address of their own.

var customID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func createAnthropicBatch(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	var in struct {
		Requests []struct {
			ID     string          `json:"custom_id"`
			Params json.RawMessage `json:"params"`
		} `json:"requests"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return badRequest("The request body is not valid JSON: "+err.Error(), "")
	}
	if len(in.Requests) == 0 {
		return badRequest("requests: List should have at least 1 item", "")
	}
	j := &job{id: s.newID("msgbatch_"), protocol: &anthropic}
	seen := map[string]bool{}
	for i, q := range in.Requests {
		switch {
		case !customID.MatchString(q.ID):
			return badRequest(fmt.Sprintf("requests.%d.custom_id: String should match pattern '%s'", i, customID), "")
		case seen[q.ID]:
			return badRequest(fmt.Sprintf("requests.%d.custom_id: %q is not unique", i, q.ID), "")
		}
		seen[q.ID] = true
		one := jobRequest{id: q.ID}
		if one.ask, one.trouble = readAnthropic(q.Params, nil); one.trouble == nil {
			plain(&anthropic, one.ask, s.config.models()[0])
		}
		j.requests = append(j.requests, one)
	}
	s.begin(j)
	send(w, s.anthropicBatch(nil, r, j))
	return nil
}

// anthropicBatch appends a job as Anthropic shows it. Requests are counted as
// processing until all of the job is over.
func (s *Server) anthropicBatch(b []byte, r *http.Request, j *job) []byte {
	state, over := "in_progress", !j.ended.IsZero()
	processing := len(j.requests)
	if over {
		state, processing = "ended", 0
	}
	b = fmt.Appendf(b, `{"id":"%s","type":"message_batch","processing_status":"%s","request_counts":{"processing":%d,"succeeded":%d,"errored":%d,"canceled":%d,"expired":%d}`,
		j.id, state, processing, j.count("succeeded"), j.count("errored"), j.count("canceled"), j.count("expired"))
	b = append(b, `,"ended_at":`...)
	b = stamp(b, j.ended)
	b = append(b, `,"created_at":`...)
	b = stamp(b, j.created)
	b = append(b, `,"expires_at":`...)
	b = stamp(b, j.created.Add(24*time.Hour))
	b = append(b, `,"cancel_initiated_at":`...)
	b = stamp(b, j.cancelTime)
	b = append(b, `,"archived_at":null,"results_url":`...)
	if over {
		b = rawjson.AppendString(b, "http://"+r.Host+"/v1/messages/batches/"+j.id+"/results")
	} else {
		b = append(b, "null"...)
	}
	return append(b, '}')
}

// anthropicJob finds the job that the path names, and brings it up to date.
func (s *Server) anthropicJob(r *http.Request) (*job, *trouble) {
	j, t := s.job(&anthropic, pathID(r.URL.Path))
	if t == nil {
		s.advance(r.Context(), j)
	}
	return j, t
}

func getAnthropicBatch(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	j, t := s.anthropicJob(r)
	if t == nil {
		send(w, s.anthropicBatch(nil, r, j))
	}
	return t
}

func cancelAnthropicBatch(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	j, t := s.anthropicJob(r)
	if t == nil {
		s.cancel(r.Context(), j)
		send(w, s.anthropicBatch(nil, r, j))
	}
	return t
}

func listAnthropicBatches(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	jobs, more := s.listed(&anthropic, r.URL.Query().Get("after_id"), limitOf(r, "limit", 20))
	b := []byte(`{"data":[`)
	for i, j := range jobs {
		if i > 0 {
			b = append(b, ',')
		}
		s.advance(r.Context(), j)
		b = s.anthropicBatch(b, r, j)
	}
	send(w, append(b, ends(jobs, more)...))
	return nil
}

func getAnthropicResults(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	j, t := s.anthropicJob(r)
	if t != nil {
		return t
	}
	if j.ended.IsZero() {
		return badRequest("Batch "+j.id+" has not finished processing and has no results.", "")
	}
	var b []byte
	for _, res := range j.results {
		b = append(b, `{"custom_id":`...)
		b = rawjson.AppendString(b, res.request.id)
		b = append(b, `,"result":{"type":"`+res.state+`"`...)
		switch res.state {
		case "succeeded":
			b = append(b, `,"message":`...)
			b = anthropicWhole(b, res.reply)
		case "errored":
			b = append(b, `,"error":`...)
			b = anthropicError(b, res.trouble)
		}
		b = append(b, "}}\n"...)
	}
	w.Header().Set("Content-Type", "application/x-jsonl")
	w.Write(b)
	return nil
}
