package conformance

import (
	"context"
	"net/http"
	"net/url"

	"github.com/ollama/ollama/api"

	"verbatim"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// ollama is Ollama's own API.
func ollama() pair {
	return pair{
		name:          "ollama",
		sdk:           "ollama/api",
		base:          "/api",
		ours:          wire.Ollama(),
		theirs:        askOllama,
		stream:        modeltest.OllamaStream,
		document:      modeltest.OllamaDocument,
		zeroIsNone:    true,
		breaksAreEnds: true,
		noKey:         true,
		counts: func(u verbatim.Usage) verbatim.Usage {
			return verbatim.Usage{Prompt: u.Prompt, Completion: u.Completion}
		},
	}
}

// askOllama asks like users of the SDK. Its counts are numbers, not pointers: a count
// that is not given is zero.
func askOllama(ctx context.Context, base string, c *http.Client, q question) reading {
	u, err := url.Parse(base)
	if err != nil {
		return reading{err: err}
	}
	var r reading
	r.err = api.NewClient(u, c).Chat(ctx, ollamaParams(q), func(res api.ChatResponse) error {
		r.Text += res.Message.Content
		r.Reasoning += res.Message.Thinking
		if res.Done {
			r.Finish = wire.Finish(res.DoneReason)
			r.Usage.Prompt = positive(res.PromptEvalCount)
			r.Usage.Completion = positive(res.EvalCount)
		}
		return nil
	})
	return r
}

// ollamaParams returns a question in the SDK's types.
func ollamaParams(q question) *api.ChatRequest {
	no := false
	p := &api.ChatRequest{Model: model, Stream: &q.stream, Truncate: &no, Shift: &no, Options: map[string]any{}}
	for _, m := range q.prompt {
		out := api.Message{Role: m.Role}
		for _, part := range m.Content {
			if part.Image == nil {
				out.Content = part.Text
			} else {
				out.Images = append(out.Images, part.Image.Bytes)
			}
		}
		p.Messages = append(p.Messages, out)
	}
	if q.maxTokens > 0 {
		p.Options["num_predict"] = q.maxTokens
	}
	if q.params.Temperature != nil {
		p.Options["temperature"] = *q.params.Temperature
	}
	if q.params.TopP != nil {
		p.Options["top_p"] = *q.params.TopP
	}
	if q.params.Seed != nil {
		p.Options["seed"] = *q.params.Seed
	}
	if q.params.Effort != "" {
		p.Think = &api.ThinkValue{Value: q.params.Effort}
	}
	return p
}
