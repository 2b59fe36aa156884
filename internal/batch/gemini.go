package batch

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire"
)

// Gemini is the batch API of Google's generateContent, with the requests and the results
// inside the calls. The limits are 20 MB and 10,000 requests, because the results come in
// one document that must fit into memory. The key is the batch's display name. Batches in
// files, of up to 2 GB, are not supported.
//
// States are read in both spellings, BATCH_STATE_… and JOB_STATE_….
//
// Source: https://ai.google.dev/api/batch-api.
func Gemini() *API {
	return &API{
		protocol:    wire.Gemini(),
		maxRequests: 10_000,
		maxBytes:    20_000_000,
		frame: func(key string) frame {
			return frame{
				mediaType: "application/json",
				head:      `{"batch":{"displayName":"` + key + `","inputConfig":{"requests":{"requests":[`,
				between:   ",\n",
				tail:      "]}}}}",
			}
		},
		line: func(b []byte, _, id string, body []byte) []byte {
			b = append(append(b, `{"request":`...), body...)
			return append(b, `,"metadata":{"key":"`+id+`"}}`...)
		},
		submit:  submitGemini,
		find:    findGemini,
		collect: collectGemini,
	}
}

func submitGemini(ctx context.Context, c client, key string, requests wire.Upload) (string, error) {
	model, err := wire.GeminiModelPath(c.e.Model)
	if err != nil {
		return "", err
	}
	batch, err := c.post(ctx, "/"+model+":batchGenerateContent", requests)
	if err != nil {
		return "", err
	}
	return c.batchID(batch, "name")
}

func findGemini(ctx context.Context, c client, key string) (string, error) {
	query := "pageSize=20" // each batch may come with all its results
	for range maxPages {
		list, err := c.get(ctx, "/batches", query)
		if err != nil {
			return "", err
		}
		found := ""
		for _, field := range []string{"operations", "batches"} {
			rawjson.Elements(rawjson.Member(list, field), func(batch []byte) {
				if found == "" && wire.Word(rawjson.Member(geminiMetadata(batch), "displayName")) == key {
					found = wire.Word(rawjson.Member(batch, "name"))
				}
			})
		}
		next := wire.Word(rawjson.Member(list, "nextPageToken"))
		if found != "" || next == "" {
			return found, nil
		}
		query = "pageSize=20&pageToken=" + url.QueryEscape(next)
	}
	return "", c.tooManyPages(maxPages)
}

// geminiMetadata returns the metadata of an operation, or batch itself if it has none: then it is
// the metadata.
func geminiMetadata(batch []byte) []byte {
	if m := rawjson.Member(batch, "metadata"); rawjson.IsSet(m) {
		return m
	}
	return batch
}

func collectGemini(ctx context.Context, c client, id string, got *results) (verbatim.BatchState, error) {
	batch, err := c.get(ctx, "/"+id, "")
	if err != nil {
		return verbatim.BatchState{}, err
	}
	metadata := geminiMetadata(batch)
	stats := rawjson.Member(metadata, "batchStats")
	state := verbatim.BatchState{
		Raw:   wire.Word(rawjson.Member(metadata, "state")),
		Done:  count(rawjson.Member(stats, "successfulRequestCount")) + count(rawjson.Member(stats, "failedRequestCount")),
		Total: count(rawjson.Member(stats, "requestCount")),
		Over:  string(rawjson.Member(batch, "done")) == "true",
	}
	if state.Raw == "" && !state.Over {
		return state, c.malformed("the batch has no status")
	}
	_, end, _ := strings.Cut(state.Raw, "_STATE_")
	switch end {
	case "SUCCEEDED", "PARTIALLY_SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED":
		state.Over = true
	}
	if !state.Over {
		return state, nil
	}
	if failure := rawjson.Member(batch, "error"); rawjson.IsSet(failure) {
		state.Raw += ": " + wire.ServerMessage(failure, c.e.Key)
	}
	results := geminiResults(batch)
	rawjson.Elements(results, func(result []byte) {
		if err == nil {
			err = got.takeGemini(result)
		}
	})
	switch {
	case err != nil:
	case end == "SUCCEEDED" && got.all < state.Total:
		err = c.incomplete(got.all, state.Total)
	case end == "SUCCEEDED" && !rawjson.IsSet(results):
		err = c.malformed("the batch has no results; results in files are not supported")
	}
	return state, err
}

// geminiResults returns the list of results. The API and its clients have it in several
// places, and some have it one level deeper.
func geminiResults(batch []byte) []byte {
	for _, place := range [][]byte{rawjson.Member(batch, "response"), rawjson.Member(geminiMetadata(batch), "output"), rawjson.Member(geminiMetadata(batch), "dest")} {
		list := rawjson.Member(place, "inlinedResponses")
		if inner := rawjson.Member(list, "inlinedResponses"); rawjson.IsSet(inner) {
			list = inner
		}
		if rawjson.IsSet(list) {
			return list
		}
	}
	return nil
}

// takeGemini takes one result.
func (r *results) takeGemini(result []byte) error {
	one := wire.Result{Status: http.StatusOK, Reply: rawjson.Member(result, "response"), Error: rawjson.Member(result, "error")}
	if rawjson.IsSet(one.Error) {
		one.Reply, one.Status = nil, googleStatus(count(rawjson.Member(one.Error, "code")))
	}
	name, _ := rawjson.Text(rawjson.Member(result, "metadata", "key"))
	return r.take("the results", r.all+1, name, one, result)
}

// googleStatus returns the HTTP status for a code of google.rpc.Code (google/rpc/code.proto), or for one
// that is an HTTP status already.
func googleStatus(code int64) int {
	switch code {
	case 3, 9, 11:
		return http.StatusBadRequest
	case 4:
		return http.StatusGatewayTimeout
	case 5:
		return http.StatusNotFound
	case 7:
		return http.StatusForbidden
	case 8:
		return http.StatusTooManyRequests
	case 16:
		return http.StatusUnauthorized
	}
	if code >= 400 && code < 600 {
		return int(code)
	}
	return http.StatusInternalServerError
}
