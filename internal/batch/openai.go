package batch

import (
	"context"
	"fmt"
	"net/url"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire"
)

// openAIChat is OpenAI's batch API for chat completions. A file of requests is uploaded, and a
// batch is created from it. The results are two files, one of replies and one of errors.
// The key is in the batch's metadata. The limits are 50,000 requests and 200 MB.
//
// Source: https://platform.openai.com/docs/api-reference/batch.
func openAIChat() *API { return openAI(wire.Chat(), "/v1/chat/completions") }

// openAIResponses is openAIChat for the Responses API.
func openAIResponses() *API { return openAI(wire.Responses(), "/v1/responses") }

// openAI is OpenAI's batch API for one of its endpoints.
func openAI(p *wire.Protocol, endpoint string) *API {
	return &API{
		protocol:    p,
		maxRequests: 50_000,
		maxBytes:    200_000_000,
		frame:       openAIFile,
		line: func(b []byte, _, id string, body []byte) []byte {
			b = append(b, `{"custom_id":"`+id+`","method":"POST","url":"`+endpoint+`","body":`...)
			return append(append(b, body...), '}')
		},
		submit: func(ctx context.Context, c client, key string, requests wire.Upload) (string, error) {
			return c.submitOpenAI(ctx, key, endpoint, requests)
		},
		find:    findOpenAI,
		collect: collectOpenAI,
	}
}

// openAIFile returns the form that uploads a file (RFC 7578). A line with the boundary begins with two
// hyphens, which no line of JSON does.
func openAIFile(key string) frame {
	const boundary = "verbatim-batch-boundary"
	return frame{
		mediaType: "multipart/form-data; boundary=" + boundary,
		head: "--" + boundary + "\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n" +
			"--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + key + ".jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n",
		between: "\n",
		tail:    "\n\r\n--" + boundary + "--\r\n",
	}
}

// metadataKey is the name of the key in the metadata of a batch.
const metadataKey = "verbatim_key"

func (c client) submitOpenAI(ctx context.Context, key, endpoint string, requests wire.Upload) (string, error) {
	file, err := c.post(ctx, "/files", requests)
	if err != nil {
		return "", err
	}
	doc := rawjson.AppendString([]byte(`{"input_file_id":`), wire.Word(rawjson.Member(file, "id")))
	doc = fmt.Appendf(doc, `,"endpoint":"%s","completion_window":"24h","metadata":{"%s":"%s"}}`, endpoint, metadataKey, key)
	batch, err := c.postJSON(ctx, "/batches", doc)
	if err != nil {
		return "", err
	}
	return c.batchID(batch, "id")
}

// findOpenAI searches the list of batches, the newest first.
func findOpenAI(ctx context.Context, c client, key string) (string, error) {
	query := "limit=100"
	for range maxPages {
		list, err := c.get(ctx, "/batches", query)
		if err != nil {
			return "", err
		}
		found, last := "", ""
		rawjson.Elements(rawjson.Member(list, "data"), func(batch []byte) {
			last = wire.Word(rawjson.Member(batch, "id"))
			if found == "" && wire.Word(rawjson.Member(batch, "metadata", metadataKey)) == key {
				found = last
			}
		})
		if found != "" || last == "" || string(rawjson.Member(list, "has_more")) != "true" {
			return found, nil
		}
		query = "limit=100&after=" + url.QueryEscape(last)
	}
	return "", c.tooManyPages(maxPages)
}

func collectOpenAI(ctx context.Context, c client, id string, got *results) (verbatim.BatchState, error) {
	batch, err := c.get(ctx, "/batches/"+id, "")
	if err != nil {
		return verbatim.BatchState{}, err
	}
	counts := rawjson.Member(batch, "request_counts")
	completed, failed := count(rawjson.Member(counts, "completed")), count(rawjson.Member(counts, "failed"))
	state := verbatim.BatchState{
		Raw:   wire.Word(rawjson.Member(batch, "status")),
		Done:  completed + failed,
		Total: count(rawjson.Member(counts, "total")),
	}
	switch state.Raw {
	case "completed", "failed", "expired", "cancelled":
		state.Over = true
	case "":
		return state, c.malformed("the batch has no status")
	default:
		return state, nil
	}
	first := true
	rawjson.Elements(rawjson.Member(batch, "errors", "data"), func(e []byte) {
		if first {
			state.Raw += ": " + wire.ServerMessage(rawjson.Member(e, "message"), c.e.Key)
			first = false
		}
	})
	for _, file := range []struct {
		field string
		lines int64
	}{{"output_file_id", completed}, {"error_file_id", 0}} {
		name := wire.Word(rawjson.Member(batch, file.field))
		if name == "" {
			if file.lines > 0 {
				return state, c.incomplete(0, file.lines)
			}
			continue
		}
		if err := c.collectFile(ctx, name, file.lines, got); err != nil {
			return state, err
		}
	}
	return state, nil
}

// collectFile reads a file of results and checks that it has at least minLines lines.
func (c client) collectFile(ctx context.Context, file string, minLines int64, got *results) error {
	if !isWord(file) {
		return c.malformed("the file of results has a name that is not allowed in a path: " + file)
	}
	lines := int64(0)
	err := c.lines(ctx, "/files/"+file+"/content", func(line, raw []byte) (bool, error) {
		lines++
		response := rawjson.Member(line, "response")
		r := wire.Result{
			Status:    int(count(rawjson.Member(response, "status_code"))),
			RequestID: wire.Word(rawjson.Member(response, "request_id")),
			Reply:     rawjson.Member(response, "body"),
			Error:     rawjson.Member(line, "error"),
		}
		if rawjson.IsSet(r.Error) {
			r.Reply = nil
		}
		name, _ := rawjson.Text(rawjson.Member(line, "custom_id"))
		return true, got.take("the file "+file, lines, name, r, raw)
	})
	if err == nil && lines < minLines {
		return c.incomplete(lines, minLines)
	}
	return err
}
