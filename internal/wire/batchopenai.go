package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// ChatBatches is OpenAI's batch API for chat completions: a file of requests is
// uploaded, a batch is made of it, and its results are two more files, one of
// answers and one of errors. The key is kept in the batch's metadata. The limits
// are 50,000 requests and 200 MB.
//
// Source: https://platform.openai.com/docs/api-reference/batch.
func ChatBatches() *BatchAPI { return openAIBatches(chat(), "/v1/chat/completions") }

// ResponsesBatches is ChatBatches for the Responses API.
func ResponsesBatches() *BatchAPI { return openAIBatches(responses(0), "/v1/responses") }

// openAIBatches is OpenAI's batch API for one of its endpoints.
func openAIBatches(p *protocol, endpoint string) *BatchAPI {
	return &BatchAPI{
		protocol:  p,
		most:      50_000,
		mostBytes: 200_000_000,
		envelope:  openAIFile,
		line: func(b []byte, _, id string, body []byte) []byte {
			b = append(b, `{"custom_id":"`+id+`","method":"POST","url":"`+endpoint+`","body":`...)
			return append(append(b, body...), '}')
		},
		submit: func(ctx context.Context, c batchClient, key string, requests payload) (string, error) {
			return c.submitOpenAI(ctx, key, endpoint, requests)
		},
		find:    findOpenAI,
		collect: collectOpenAI,
	}
}

// openAIFile is the form that uploads a file, RFC 7578. The boundary begins a line
// with two hyphens, which no line of JSON does.
func openAIFile(key string) envelope {
	const boundary = "verbatim-batch-boundary"
	return envelope{
		media: "multipart/form-data; boundary=" + boundary,
		head: "--" + boundary + "\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n" +
			"--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + key + ".jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n",
		between: "\n",
		tail:    "\n\r\n--" + boundary + "--\r\n",
	}
}

// metadataKey names our key in the metadata of a batch.
const metadataKey = "verbatim_key"

func (c batchClient) submitOpenAI(ctx context.Context, key, endpoint string, requests payload) (string, error) {
	file, err := c.post(ctx, "/files", requests)
	if err != nil {
		return "", err
	}
	o := newBody()
	o.text("input_file_id", name(rawjson.Member(file, "id")))
	o.text("endpoint", endpoint)
	o.text("completion_window", "24h")
	o.value("metadata", map[string]string{metadataKey: key})
	batch, err := c.postJSON(ctx, "/batches", o)
	if err != nil {
		return "", err
	}
	return c.id(batch, "id")
}

// id returns the id of a batch that was made.
func (c batchClient) id(batch []byte, field string) (string, error) {
	id := name(rawjson.Member(batch, field))
	if !isWord(strings.ReplaceAll(id, "/", "")) {
		return "", c.strange("the server made a batch but gave no id for it")
	}
	return id, nil
}

// batchPages bounds how many pages of a list are looked through.
const batchPages = 50

// findOpenAI looks through the list of batches, the newest first.
func findOpenAI(ctx context.Context, c batchClient, key string) (string, error) {
	query := "limit=100"
	for range batchPages {
		list, err := c.get(ctx, "/batches", query)
		if err != nil {
			return "", err
		}
		found, last := "", ""
		rawjson.Elements(rawjson.Member(list, "data"), func(batch []byte) {
			last = name(rawjson.Member(batch, "id"))
			if found == "" && name(rawjson.Member(rawjson.Member(batch, "metadata"), metadataKey)) == key {
				found = last
			}
		})
		if found != "" || last == "" || string(rawjson.Member(list, "has_more")) != "true" {
			return found, nil
		}
		query = "limit=100&after=" + url.QueryEscape(last)
	}
	return "", c.tooMany(batchPages)
}

// tooMany is the failure of a search that was given up.
func (c batchClient) tooMany(pages int) error {
	return c.strange(fmt.Sprintf("the batch is not on the first %d pages of the provider's list, and there are more: look for it at the provider", pages))
}

func collectOpenAI(ctx context.Context, c batchClient, id string, answer batchAnswer) (verbatim.BatchState, error) {
	batch, err := c.get(ctx, "/batches/"+id, "")
	if err != nil {
		return verbatim.BatchState{}, err
	}
	counts := rawjson.Member(batch, "request_counts")
	completed, failed := tally(rawjson.Member(counts, "completed")), tally(rawjson.Member(counts, "failed"))
	state := verbatim.BatchState{
		Raw:   name(rawjson.Member(batch, "status")),
		Done:  completed + failed,
		Total: tally(rawjson.Member(counts, "total")),
	}
	switch state.Raw {
	case "completed", "failed", "expired", "cancelled":
		state.Over = true
	case "":
		return state, c.strange("the server does not say how far the batch is")
	default:
		return state, nil
	}
	rawjson.Elements(rawjson.Member(rawjson.Member(batch, "errors"), "data"), func(e []byte) {
		if !strings.Contains(state.Raw, ":") { // the first says enough
			state.Raw += ": " + words(rawjson.Member(e, "message"), c.e.Key)
		}
	})
	for _, file := range []struct {
		field string
		lines int64
	}{{"output_file_id", completed}, {"error_file_id", 0}} {
		name := name(rawjson.Member(batch, file.field))
		if name == "" {
			if file.lines > 0 {
				return state, c.broken(0, file.lines)
			}
			continue
		}
		if err := c.collectFile(ctx, id, name, file.lines, answer); err != nil {
			return state, err
		}
	}
	return state, nil
}

// collectFile reads a file of results, of which there must be a number at least.
func (c batchClient) collectFile(ctx context.Context, id, file string, least int64, answer batchAnswer) error {
	if !isWord(file) {
		return c.strange("the file of results has a name that cannot be asked for: " + file)
	}
	lines := int64(0)
	err := c.lines(ctx, "/files/"+file+"/content", func(line []byte) (bool, error) {
		lines++
		ask, ok := rawjson.Text(rawjson.Member(line, "custom_id"))
		if !ok {
			return false, c.strange("a result names no request: " + Clean(string(line), 80))
		}
		response := rawjson.Member(line, "response")
		l := batchLine{
			status:    int(tally(rawjson.Member(response, "status_code"))),
			requestID: name(rawjson.Member(response, "request_id")),
			answer:    rawjson.Member(response, "body"),
			failure:   rawjson.Member(line, "error"),
		}
		if isSet(l.failure) {
			l.answer = nil
		}
		reply, err := l.read(c, id)
		return true, answer(ask, reply, err)
	})
	if err == nil && lines < least {
		return c.broken(lines, least)
	}
	return err
}

// tally returns a count, 0 where there is none; Google's APIs write them as texts.
func tally(raw json.RawMessage) int64 {
	if n := count([]byte(strings.Trim(string(raw), `"`))); n != nil {
		return *n
	}
	return 0
}
