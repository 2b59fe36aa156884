package batch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire"
)

// Anthropic is Anthropic's Message Batches API. The limits are 100,000 requests and 256 MB.
// Results can be collected for 29 days.
//
// The only text of the caller that the API saves with a batch is the names of its requests, and it
// shows them only with the results of a batch that has ended. So each name begins with a digest of the
// key. Find reads the first result of each ended batch among the newest 300. If there is a batch that
// has not ended, it may be the right one: then Find fails with the class Overload. Call it again
// later.
//
// Source: https://docs.claude.com/en/api/creating-message-batches.
func Anthropic() *API {
	return &API{
		protocol:    wire.Anthropic(),
		maxRequests: 100_000,
		maxBytes:    256_000_000,
		frame: func(string) frame {
			return frame{mediaType: "application/json", head: `{"requests":[`, between: ",\n", tail: "]}"}
		},
		line: func(b []byte, key, id string, body []byte) []byte {
			b = append(b, `{"custom_id":"`+keyDigest(key)+id+`","params":`...)
			return append(append(b, body...), '}')
		},
		submit: func(ctx context.Context, c client, key string, requests wire.Upload) (string, error) {
			batch, err := c.post(ctx, "/messages/batches", requests)
			if err != nil {
				return "", err
			}
			return c.batchID(batch, "id")
		},
		find:    findAnthropic,
		collect: collectAnthropic,
	}
}

// keyDigest returns the beginning of the names of requests: ten hexadecimal digits and a hyphen.
func keyDigest(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:5]) + "-"
}

func findAnthropic(ctx context.Context, c client, key string) (string, error) {
	waiting := ""
	query := "limit=100"
	const pages = 3
	for range pages {
		list, err := c.get(ctx, "/messages/batches", query)
		if err != nil {
			return "", err
		}
		var batches [][]byte
		rawjson.Elements(rawjson.Member(list, "data"), func(batch []byte) { batches = append(batches, batch) })
		for _, batch := range batches {
			id := wire.Word(rawjson.Member(batch, "id"))
			switch {
			case rawjson.IsSet(rawjson.Member(batch, "archived_at")) || !isWord(id): // its results were deleted
			case wire.Word(rawjson.Member(batch, "processing_status")) != "ended":
				waiting = id
			default:
				is, err := c.hasKey(ctx, id, key)
				if err != nil || is {
					return id, err
				}
			}
		}
		last := wire.Word(rawjson.Member(list, "last_id"))
		switch {
		case string(rawjson.Member(list, "has_more")) == "true" && last != "":
			query = "limit=100&after_id=" + url.QueryEscape(last)
		case waiting != "":
			return "", c.e.Failure(verbatim.Failure{Class: verbatim.Overload,
				Err:  fmt.Errorf("batch %s has not ended, and may be the one that is searched for", waiting),
				Hint: "repeat this when it has ended: before that, the provider does not show its requests"})
		default:
			return "", nil
		}
	}
	return "", c.tooManyPages(pages)
}

// hasKey reports whether a batch that has ended was submitted under key, by the first result that names
// a request. Only the first lines are read.
func (c client) hasKey(ctx context.Context, id, key string) (is bool, err error) {
	lines := 0
	err = c.lines(ctx, "/messages/batches/"+id+"/results", func(line, _ []byte) (bool, error) {
		lines++
		name := wire.Word(rawjson.Member(line, "custom_id"))
		is = strings.HasPrefix(name, keyDigest(key))
		return !is && lines < 10, nil
	})
	// A batch without results, or whose results were deleted, is another one.
	if f, ok := errors.AsType[*verbatim.Failure](err); ok && f.Status == http.StatusNotFound {
		return false, nil
	}
	return is, err
}

func collectAnthropic(ctx context.Context, c client, id string, got *results) (verbatim.BatchState, error) {
	if !isWord(id) {
		return verbatim.BatchState{}, c.malformed("no id of a batch: " + wire.CleanLine(id, 80))
	}
	batch, err := c.get(ctx, "/messages/batches/"+id, "")
	if err != nil {
		return verbatim.BatchState{}, err
	}
	state := verbatim.BatchState{Raw: wire.Word(rawjson.Member(batch, "processing_status"))}
	rawjson.Members(rawjson.Member(batch, "request_counts"), func(n, v []byte) {
		state.Total += count(v)
		if string(n) != "processing" {
			state.Done += count(v)
		}
	})
	switch state.Raw {
	case "":
		return state, c.malformed("the batch has no status")
	case "ended":
		state.Over = true
	default:
		return state, nil
	}
	// The URL of the results that the server returns is not used: the key would be sent to
	// whatever server it names.
	err = c.lines(ctx, "/messages/batches/"+id+"/results", func(line, raw []byte) (bool, error) {
		custom, _ := rawjson.Text(rawjson.Member(line, "custom_id"))
		_, request, _ := strings.Cut(custom, "-")
		return true, got.take("the results", got.all+1, request, anthropicResult(rawjson.Member(line, "result")), raw)
	})
	if err == nil && got.all < state.Total {
		err = c.incomplete(got.all, state.Total)
	}
	return state, err
}

// anthropicResult reads a result.
func anthropicResult(result []byte) wire.Result {
	kind := wire.Word(rawjson.Member(result, "type"))
	switch kind {
	case "succeeded":
		return wire.Result{Status: http.StatusOK, Reply: rawjson.Member(result, "message")}
	case "errored":
		failure := rawjson.Member(result, "error")
		return wire.Result{Error: failure, RequestID: wire.Word(rawjson.Member(failure, "request_id"))}
	}
	return wire.Result{Error: fmt.Appendf(nil, `{"message":%q}`, "the request was not answered: the batch says "+cmp.Or(kind, "nothing about it"))}
}
