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

// ollamaWire returns the /api/chat protocol of Ollama: JSON lines, streamed unless the
// request says otherwise, the last one with done, the counts and the durations.
func ollamaWire() *wire {
	return &wire{
		name: "ollama", read: readOllama, appendReply: ollamaWhole, writeStream: ollamaStream, appendError: ollamaError,
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
		Stream  *bool `json:"stream"`
		Options struct {
			NumPredict int `json:"num_predict"`
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
	a := &request{model: in.Model, stream: in.Stream == nil || *in.Stream, maxTokens: max(0, in.Options.NumPredict), params: in.Options.params()}
	for _, m := range in.Messages {
		var content []verbatim.Part
		if m.Content != "" || len(m.Images) == 0 {
			content = append(content, verbatim.Part{Text: m.Content})
		}
		for _, image := range m.Images {
			if _, err := base64.StdEncoding.DecodeString(image); err != nil {
				return nil, badRequest("illegal base64 data in images", "")
			}
			content = append(content, inlineImage("", image))
		}
		a.prompt = append(a.prompt, verbatim.Message{Role: role(m.Role), Content: content})
	}
	return a, nil
}

func ollamaError(b []byte, t *apiError) []byte {
	b = append(b, `{"error":`...)
	b = rawjson.AppendString(b, t.message)
	return append(b, '}')
}

// ollamaLine appends a line up to what follows the message.
func ollamaLine(b []byte, r *reply, text, thinking string) []byte {
	b = append(b, `{"model":`...)
	b = rawjson.AppendString(b, r.request.model)
	b = append(b, `,"created_at":"`...)
	b = r.created.UTC().AppendFormat(b, time.RFC3339Nano)
	b = append(b, `","message":{"role":"assistant","content":`...)
	b = rawjson.AppendString(b, text)
	if thinking != "" {
		b = append(b, `,"thinking":`...)
		b = rawjson.AppendString(b, thinking)
	}
	b = append(b, '}')
	return r.appendUnknown(b, "x_unknown")
}

// ollamaEnd appends the further fields of the last line.
func ollamaEnd(b []byte, r *reply) []byte {
	b = append(b, `,"done":true`...)
	if !r.noFinish {
		b = append(b, `,"done_reason":`...)
		b = rawjson.AppendString(b, r.finishReason(ollamaFinish))
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
		b = append(b, `,"`+name+`":`...)
		b = r.appendCount(b, n)
	}
	count("prompt_eval_count", r.prompt)
	b = append(b, `,"prompt_eval_duration":1000`...)
	count("eval_count", r.completionTokens())
	b = append(b, `,"eval_duration":`...)
	b = strconv.AppendInt(b, took, 10)
	return append(b, '}')
}

// ollamaFinish spells a finish reason; there are two.
func ollamaFinish(f verbatim.Finish) string {
	if f == verbatim.FinishLength {
		return "length"
	}
	return "stop"
}

func ollamaWhole(b []byte, r *reply) []byte {
	b = ollamaLine(b, r, r.text, r.reasoning)
	if r.noFinish {
		return append(b, `,"done":false}`...)
	}
	return ollamaEnd(b, r)
}

func ollamaStream(s *script, r *reply) {
	line := func(text, thinking string) {
		s.b = ollamaLine(s.b, r, text, thinking)
		s.add(`,"done":false}`, "\n")
		s.flush(tokens(len(text) + len(thinking)))
	}
	for piece := range r.pieces(r.reasoning) {
		line("", piece)
	}
	for piece := range r.pieces(r.text) {
		line(piece, "")
	}
	switch {
	case r.apiError != nil:
		s.b = ollamaError(s.b, r.apiError)
	case r.noEnd:
		return
	default:
		s.b = ollamaLine(s.b, r, "", "")
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
