package fake

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"verbatim"

	"verbatim/internal/rawjson"
)

// ollamaWire returns the /api/chat protocol of Ollama. A stream is JSON lines, the last one with
// done, the counts and the durations. Replies are streamed unless the request says otherwise.
func ollamaWire() *wire {
	return &wire{
		name: "ollama", root: "/api/", read: readOllama, appendReply: ollamaWhole, writeStream: ollamaStream, appendError: ollamaError,
		paths:      []string{"/api/chat"},
		modelsPath: "/api/tags", appendModels: appendOllamaModels,
		pages:     map[string]string{"/api/version": `{"version":"0.0.0-fake"}`},
		idHeader:  "X-Request-Id",
		jsonLines: true,
	}
}

func readOllama(body []byte, _ *http.Request) (*request, *apiError) {
	var in struct {
		Model    string `json:"model"`
		Messages []struct {
			Role    string   `json:"role"`
			Content string   `json:"content"`
			Images  []string `json:"images"`
		} `json:"messages"`
		Stream *bool           `json:"stream"`
		Tools  json.RawMessage `json:"tools"`
		logprobParams
		Options struct {
			NumPredict int       `json:"num_predict"`
			Stop       stopParam `json:"stop"`
			samplingParams
		} `json:"options"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, badRequest(err.Error(), "")
	}
	switch {
	case in.Model == "":
		return nil, badRequest("model is required", "")
	case len(in.Messages) == 0:
		return nil, badRequest("messages are required", "")
	}
	q := &request{model: in.Model, stream: in.Stream == nil || *in.Stream, maxTokens: max(0, in.Options.NumPredict), params: in.Options.params(), stop: in.Options.Stop, tool: offeredTool(in.Tools)}
	var err *apiError
	if q.params.Logprobs, err = in.alternatives(); err != nil {
		return nil, err
	}
	for _, m := range in.Messages {
		var parts []verbatim.Part
		if m.Content != "" || len(m.Images) == 0 {
			parts = append(parts, verbatim.Part{Text: m.Content})
		}
		for _, image := range m.Images {
			if _, err := base64.StdEncoding.DecodeString(image); err != nil {
				return nil, badRequest("illegal base64 data in images", "")
			}
			parts = append(parts, inline("", image))
		}
		q.prompt = append(q.prompt, verbatim.Message{Role: roleOf(m.Role), Content: parts})
	}
	return q, nil
}

func ollamaError(b []byte, e *apiError) []byte {
	b = appendText(b, `{"error":`, e.message)
	return append(b, '}')
}

// ollamaLine appends the beginning of a line, up to the members that follow the message and the
// log probabilities.
func ollamaLine(b []byte, r *reply, text, reasoning string, list []verbatim.Token) []byte {
	b = appendText(b, `{"model":`, r.request.model)
	b = append(b, `,"created_at":"`...)
	b = r.created.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, `","message":{"role":"assistant","content":`...)
	call, ok := r.call()
	if ok && text != "" {
		b = call.appendOllama(append(b, `""`...))
	} else {
		b = rawjson.AppendString(b, text)
	}
	if reasoning != "" {
		b = appendText(b, `,"thinking":`, reasoning)
	}
	b = append(b, '}')
	if len(list) > 0 {
		b = append(b, `,"logprobs":`...)
		b = appendLogprobList(b, list)
	}
	return r.appendUnknown(b, "x_unknown")
}

// ollamaEnd appends the rest of the last line: done, the counts and the durations.
func ollamaEnd(b []byte, r *reply) []byte {
	b = append(b, `,"done":true`...)
	if !r.noFinish {
		b = appendText(b, `,"done_reason":`, r.finishReason(ollamaFinish))
	}
	took := time.Since(r.created).Nanoseconds() + 1
	b = append(b, `,"total_duration":`...)
	b = strconv.AppendInt(b, took, 10)
	b = append(b, `,"load_duration":1000`...)
	count := func(name string, n int64) {
		switch r.usage {
		case "missing":
			return
		case "twice":
			b = append(b, `,"`+name+`":`...)
			b = strconv.AppendInt(b, n/2, 10)
		}
		b = r.appendCount(b, `,"`+name+`":`, n)
	}
	count("prompt_eval_count", r.prompt)
	b = append(b, `,"prompt_eval_duration":1000`...)
	count("eval_count", r.completionTokens())
	b = append(b, `,"eval_duration":`...)
	b = strconv.AppendInt(b, took, 10)
	return append(b, '}')
}

// ollamaFinish spells a finish reason. Ollama has two.
func ollamaFinish(f verbatim.Finish) string {
	if f == verbatim.FinishLength {
		return "length"
	}
	return "stop"
}

func ollamaWhole(b []byte, r *reply) []byte {
	b = ollamaLine(b, r, r.text, r.reasoning, r.tokens)
	if r.noFinish {
		return append(b, `,"done":false}`...)
	}
	return ollamaEnd(b, r)
}

func ollamaStream(s *script, r *reply) {
	line := func(text, reasoning string, list []verbatim.Token) {
		s.b = ollamaLine(s.b, r, text, reasoning, list)
		s.add(`,"done":false}`, "\n")
		s.flush(tokens(len(text) + len(reasoning)))
	}
	for piece := range r.pieces(r.reasoning) {
		line("", piece, nil)
	}
	if _, ok := r.call(); ok { // a call is sent as a whole
		line(r.text, "", nil)
	} else {
		for piece, list := range r.textPieces() {
			line(piece, "", list)
		}
	}
	switch {
	case r.apiError != nil:
		s.b = ollamaError(s.b, r.apiError)
	case r.noEnd:
		return
	default:
		s.b = ollamaLine(s.b, r, "", "", nil)
		s.b = ollamaEnd(s.b, r)
	}
	s.add("\n")
	s.flush(0)
}

func appendOllamaModels(b []byte, names []string) []byte {
	return appendModels(b, names, `{"models":[`, func(name string) string {
		return `{"name":` + name + `,"model":` + name + `,"modified_at":"2026-01-01T00:00:00Z","size":1,"digest":"0","details":{"format":"gguf","family":"fake","families":["fake"],"parameter_size":"0","quantization_level":"none"}}`
	}, "]}")
}
