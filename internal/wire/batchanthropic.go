package wire

import (
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
)

// AnthropicBatches is Anthropic's Message Batches API. The limits are 100,000
// requests and 256 MB. Results can be collected for 29 days.
//
// The API keeps nothing of the caller's with a batch but the names of its requests,
// so each name begins with a digest of the key, and shows those names only with the
// results, once the batch has ended. Find therefore reads the first result of
// every batch that has ended, the newest first, among the newest 300; while one
// that could be it is still being answered, Find fails with the class Overload: it
// cannot be known yet, and is to be asked again later.
//
// Source: https://docs.claude.com/en/api/creating-message-batches.
func AnthropicBatches() *BatchAPI {
	return &BatchAPI{
		protocol:  anthropic(),
		header:    http.Header{"Anthropic-Version": {"2023-06-01"}},
		most:      100_000,
		mostBytes: 256_000_000,
		longestID: 64 - len(keyDigest("")),
		envelope: func(string) envelope {
			return envelope{media: "application/json", head: `{"requests":[`, between: ",\n", tail: "]}"}
		},
		line: func(b []byte, key, id string, body []byte) []byte {
			b = append(b, `{"custom_id":"`+keyDigest(key)+id+`","params":`...)
			return append(append(b, body...), '}')
		},
		submit: func(ctx context.Context, c batchClient, key string, requests payload) (string, error) {
			batch, err := c.post(ctx, "/messages/batches", requests)
			if err != nil {
				return "", err
			}
			return c.id(batch, "id")
		},
		find:    findAnthropic,
		collect: collectAnthropic,
	}
}

// keyDigest returns what the names of requests begin with: ten digits and a hyphen.
func keyDigest(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:5]) + "-"
}

func findAnthropic(ctx context.Context, c batchClient, key string) (string, error) {
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
			id := name(rawjson.Member(batch, "id"))
			switch {
			case isSet(rawjson.Member(batch, "archived_at")) || !isWord(id): // its results are no longer there
			case name(rawjson.Member(batch, "processing_status")) != "ended":
				waiting = id
			default:
				is, err := c.isOf(ctx, id, key)
				if err != nil || is {
					return id, err
				}
			}
		}
		last := name(rawjson.Member(list, "last_id"))
		switch {
		case string(rawjson.Member(list, "has_more")) == "true" && last != "":
			query = "limit=100&after_id=" + url.QueryEscape(last)
		case waiting != "":
			k := &call{e: c.e}
			return "", k.fail(verbatim.Failure{Class: verbatim.Overload,
				Err:  fmt.Errorf("batch %s is still being answered, and may be the one that is looked for", waiting),
				Hint: "ask again when it has ended: only then the provider shows its requests"}, "")
		default:
			return "", nil
		}
	}
	return "", c.tooMany(pages)
}

// isOf reports whether a batch that has ended was submitted under key.
func (c batchClient) isOf(ctx context.Context, id, key string) (is bool, err error) {
	err = c.lines(ctx, "/messages/batches/"+id+"/results", func(line []byte) (bool, error) {
		is = strings.HasPrefix(name(rawjson.Member(line, "custom_id")), keyDigest(key))
		return false, nil
	})
	// One whose results were deleted meanwhile, or that has none, is not ours.
	var f *verbatim.Failure
	if errors.As(err, &f) && f.Status == http.StatusNotFound {
		return false, nil
	}
	return is, err
}

func collectAnthropic(ctx context.Context, c batchClient, id string, answer batchAnswer) (verbatim.BatchState, error) {
	if !isWord(id) {
		return verbatim.BatchState{}, c.strange("no id of a batch: " + Clean(id, 80))
	}
	batch, err := c.get(ctx, "/messages/batches/"+id, "")
	if err != nil {
		return verbatim.BatchState{}, err
	}
	state := verbatim.BatchState{Raw: name(rawjson.Member(batch, "processing_status"))}
	rawjson.Members(rawjson.Member(batch, "request_counts"), func(n, v []byte) {
		state.Total += tally(v)
		if string(n) != "processing" {
			state.Done += tally(v)
		}
	})
	switch state.Raw {
	case "":
		return state, c.strange("the server does not say how far the batch is")
	case "ended":
		state.Over = true
	default:
		return state, nil
	}
	// The address of the results that the server gives is not used: the key would
	// go wherever it points.
	lines := int64(0)
	err = c.lines(ctx, "/messages/batches/"+id+"/results", func(line []byte) (bool, error) {
		lines++
		custom, ok := rawjson.Text(rawjson.Member(line, "custom_id"))
		_, ask, cut := strings.Cut(custom, "-")
		if !ok || !cut {
			return false, c.strange("a result names no request of ours: " + Clean(string(line), 80))
		}
		reply, err := anthropicLine(rawjson.Member(line, "result")).read(c, id)
		return true, answer(ask, reply, err)
	})
	if err == nil && lines < state.Total {
		err = c.broken(lines, state.Total)
	}
	return state, err
}

// anthropicLine reads a result.
func anthropicLine(result []byte) batchLine {
	kind := name(rawjson.Member(result, "type"))
	switch kind {
	case "succeeded":
		return batchLine{status: http.StatusOK, answer: rawjson.Member(result, "message")}
	case "errored":
		failure := rawjson.Member(result, "error")
		return batchLine{failure: failure, requestID: name(rawjson.Member(failure, "request_id"))}
	}
	return batchLine{failure: fmt.Appendf(nil, `{"message":%q}`, "the request was not answered: the batch says "+or(kind, "nothing of it"))}
}
