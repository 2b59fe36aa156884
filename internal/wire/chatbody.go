package wire

import (
	"cmp"
	"errors"

	"verbatim"
	"verbatim/internal/rawjson"
)

// chatRequest writes the request for a chat completion.
func chatRequest(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error) {
	messages, err := chatMessages(prompt)
	if err != nil {
		return request{}, err
	}
	o := newBody()
	o.Text("model", e.Model)
	if e.Stream {
		o.Raw("stream", []byte("true"))
		if e.StreamOptions == nil {
			o.Raw("stream_options", []byte(`{"include_usage":true}`))
		} else if len(e.StreamOptions) > 0 {
			o.Value("stream_options", e.StreamOptions)
		}
	}
	if maxTokens > 0 {
		o.Value(cmp.Or(e.MaxTokensField, "max_tokens"), maxTokens)
	}
	optionalField(o, "temperature", params.Temperature)
	optionalField(o, "top_p", params.TopP)
	optionalField(o, cmp.Or(e.SeedField, "seed"), params.Seed)
	addLogprobs(o, params)
	if err := chatEffort(o, e, params); err != nil {
		return request{}, err
	}
	form := chatStructure(params)
	o.Extra(params.Extra, append(form.Names(), "stream", "messages")...)
	full, sent, err := o.With("messages", messages)
	return request{path: "/chat/completions", sent: sent, body: form.appendTo(full)}, err
}

// addLogprobs adds the request for log probabilities, as chat completions and Ollama have it.
func addLogprobs(o *bodyWriter, params verbatim.Params) {
	if params.Logprobs > 0 {
		o.Raw("logprobs", []byte("true"))
		o.Value("top_logprobs", params.Logprobs)
	}
}

// chatEffort adds the reasoning effort and the reasoning token limit. OpenRouter has an object
// for both; elsewhere only the effort can be set.
func chatEffort(o *bodyWriter, e Endpoint, params verbatim.Params) error {
	if !e.ReasoningObject {
		if params.ReasoningBudget != nil {
			return errors.New("this endpoint has no parameter for reasoning tokens")
		}
		if params.Effort != "" {
			o.Text("reasoning_effort", params.Effort)
		}
		return nil
	}
	reasoning := map[string]any{}
	if params.Effort != "" {
		reasoning["effort"] = params.Effort
	}
	if params.ReasoningBudget != nil {
		reasoning["max_tokens"] = *params.ReasoningBudget
	}
	if len(reasoning) > 0 {
		o.Value("reasoning", reasoning)
	}
	return nil
}

// chatMessages returns the messages of the prompt.
func chatMessages(prompt verbatim.Prompt) ([]byte, error) {
	return bodyMessages(prompt, 0, func(b []byte, m verbatim.Message) ([]byte, error) {
		return appendMessage(b, m, chatPart), nil
	})
}

// chatPart appends a part of the content.
func chatPart(b []byte, p verbatim.Part) []byte {
	if p.Image == nil {
		return append(rawjson.AppendString(append(b, `{"type":"text","text":`...), p.Text), '}')
	}
	return append(appendDataURI(append(b, `{"type":"image_url","image_url":{"url":`...), p.Image), `}}`...)
}
