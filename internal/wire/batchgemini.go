package wire

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// GeminiBatches is the batch API of Google's generateContent, with the requests
// and the results inside the calls. The limits are 20 MB and, so that the results,
// which come in one document, fit into memory, 10,000 requests. The key is the
// batch's display name. Batches in files, of up to 2 GB, are not made.
//
// States are understood in both spellings, BATCH_STATE_… and JOB_STATE_….
//
// Source: https://ai.google.dev/api/batch-api.
func GeminiBatches() *BatchAPI {
	return &BatchAPI{
		protocol:  gemini(),
		most:      10_000,
		mostBytes: 20_000_000,
		envelope: func(key string) envelope {
			return envelope{
				media:   "application/json",
				head:    `{"batch":{"displayName":"` + key + `","inputConfig":{"requests":{"requests":[`,
				between: ",\n",
				tail:    "]}}}}",
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

func submitGemini(ctx context.Context, c batchClient, key string, requests payload) (string, error) {
	model, err := geminiModel(c.e.Model)
	if err != nil {
		return "", err
	}
	batch, err := c.post(ctx, "/"+model+":batchGenerateContent", requests)
	if err != nil {
		return "", err
	}
	return c.id(batch, "name")
}

func findGemini(ctx context.Context, c batchClient, key string) (string, error) {
	query := "pageSize=20" // each may hold all its results
	for range batchPages {
		list, err := c.get(ctx, "/batches", query)
		if err != nil {
			return "", err
		}
		found := ""
		for _, field := range []string{"operations", "batches"} {
			rawjson.Elements(rawjson.Member(list, field), func(batch []byte) {
				if found == "" && name(rawjson.Member(geminiMetadata(batch), "displayName")) == key {
					found = name(rawjson.Member(batch, "name"))
				}
			})
		}
		next := name(rawjson.Member(list, "nextPageToken"))
		if found != "" || next == "" {
			return found, nil
		}
		query = "pageSize=20&pageToken=" + url.QueryEscape(next)
	}
	return "", c.tooMany(batchPages)
}

// geminiMetadata returns what an operation tells of its batch; a batch that is
// shown without its operation tells it itself.
func geminiMetadata(batch []byte) []byte {
	if m := rawjson.Member(batch, "metadata"); isSet(m) {
		return m
	}
	return batch
}

func collectGemini(ctx context.Context, c batchClient, id string, answer batchAnswer) (verbatim.BatchState, error) {
	batch, err := c.get(ctx, "/"+id, "")
	if err != nil {
		return verbatim.BatchState{}, err
	}
	told := geminiMetadata(batch)
	stats := rawjson.Member(told, "batchStats")
	state := verbatim.BatchState{
		Raw:   name(rawjson.Member(told, "state")),
		Done:  tally(rawjson.Member(stats, "successfulRequestCount")) + tally(rawjson.Member(stats, "failedRequestCount")),
		Total: tally(rawjson.Member(stats, "requestCount")),
		Over:  string(rawjson.Member(batch, "done")) == "true",
	}
	if state.Raw == "" && !state.Over {
		return state, c.strange("the server does not say how far the batch is")
	}
	_, end, _ := strings.Cut(state.Raw, "_STATE_")
	switch end {
	case "SUCCEEDED", "PARTIALLY_SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED":
		state.Over = true
	}
	if !state.Over {
		return state, nil
	}
	if failure := rawjson.Member(batch, "error"); isSet(failure) {
		state.Raw += ": " + parseError(failure, c.e.Key, 1).Error()
	}
	results := geminiResults(batch)
	got := int64(0)
	rawjson.Elements(results, func(result []byte) {
		if got++; err == nil {
			err = c.geminiResult(id, result, answer)
		}
	})
	switch {
	case err != nil:
	case end == "SUCCEEDED" && got < state.Total:
		err = c.broken(got, state.Total)
	case end == "SUCCEEDED" && !isSet(results):
		err = c.strange("the batch has no results in it; such as come in files are not read")
	}
	return state, err
}

// geminiResults finds the list of results, which is one level deeper than it
// should be, in the places where the API and its clients have it.
func geminiResults(batch []byte) []byte {
	for _, place := range [][]byte{rawjson.Member(batch, "response"), rawjson.Member(geminiMetadata(batch), "output"), rawjson.Member(geminiMetadata(batch), "dest")} {
		list := rawjson.Member(place, "inlinedResponses")
		if inner := rawjson.Member(list, "inlinedResponses"); isSet(inner) {
			list = inner
		}
		if isSet(list) {
			return list
		}
	}
	return nil
}

// geminiResult hands one result over.
func (c batchClient) geminiResult(id string, result []byte, answer batchAnswer) error {
	ask, ok := rawjson.Text(rawjson.Member(rawjson.Member(result, "metadata"), "key"))
	if !ok {
		return c.strange("a result names no request: " + Clean(string(result), 80))
	}
	l := batchLine{status: http.StatusOK, answer: rawjson.Member(result, "response"), failure: rawjson.Member(result, "error")}
	if isSet(l.failure) {
		l.answer, l.status = nil, googleStatus(tally(rawjson.Member(l.failure, "code")))
	}
	reply, err := l.read(c, id)
	return answer(ask, reply, err)
}

// googleStatus returns the HTTP status that stands for a code of google.rpc.Code
// (google/rpc/code.proto), or of HTTP.
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
