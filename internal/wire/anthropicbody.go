package wire

import (
	"errors"
	"fmt"

	"verbatim"
	"verbatim/internal/rawjson"
)

// leastBudget is the smallest number of tokens that thinking can be given.
const leastBudget = 1024

// anthropicRequest makes the request for a message.
func anthropicRequest(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error) {
	if maxTokens <= 0 {
		return request{}, errors.New("this protocol has no answer without a bound: name a number of tokens above 0 (max_tokens)")
	}
	if params.Seed != nil {
		return request{}, errors.New("this protocol has no seed: leave it out, and ask several times where answers vary")
	}
	system, messages, err := anthropicPrompt(prompt)
	if err != nil {
		return request{}, err
	}
	o := newBody()
	o.text("model", e.Model)
	o.value("max_tokens", maxTokens)
	if e.Stream {
		o.raw("stream", []byte("true"))
	}
	if params.Temperature != nil {
		o.value("temperature", *params.Temperature)
	}
	if params.TopP != nil {
		o.value("top_p", *params.TopP)
	}
	if err := anthropicThinking(o, maxTokens, params); err != nil {
		return request{}, err
	}
	o.extra(params.Extra, "stream", "system", "messages")
	full, sent, err := o.with("messages", messages)
	if err != nil {
		return request{}, err
	}
	if system != nil {
		full = appendMember(full, "system", system)
	}
	return request{path: "/messages", sent: sent, body: full}, nil
}

// anthropicThinking adds how much a model is to think.
func anthropicThinking(o *body, maxTokens int, params verbatim.Params) error {
	if params.Effort != "" {
		config := newBody()
		config.text("effort", params.Effort)
		raw, err := config.end()
		if err != nil {
			return err
		}
		o.raw("output_config", raw)
	}
	if params.ReasoningBudget == nil {
		return nil
	}
	switch n := *params.ReasoningBudget; {
	case n < leastBudget:
		return fmt.Errorf("a thinking budget of %d tokens is too small for this protocol: name %d or more, or none at all", n, leastBudget)
	case n >= int64(maxTokens):
		return fmt.Errorf("a thinking budget of %d tokens leaves no room for an answer of %d, which includes it: allow more tokens for the answer, or a smaller budget", n, maxTokens)
	default:
		// Whether thoughts are shown differs from model to model unless it is asked.
		o.raw("thinking", fmt.Appendf(nil, `{"type":"enabled","budget_tokens":%d,"display":"summarized"}`, n))
	}
	return nil
}

// anthropicPrompt returns the fields "system", nil where there is none, and
// "messages".
func anthropicPrompt(prompt verbatim.Prompt) (system, messages []byte, err error) {
	first, err := systemFirst(prompt)
	if err != nil {
		return nil, nil, err
	}
	var parts []verbatim.Part
	messages = []byte{'['}
	err = eachMessage(prompt, func(m verbatim.Message) error {
		switch m.Role {
		case "system":
			parts = append(parts, m.Content...)
			return nil
		case "user", "assistant":
		default:
			return fmt.Errorf("this protocol knows no role %q: use system, user or assistant", Clean(m.Role, 40))
		}
		if len(messages) > 1 {
			messages = append(messages, ',')
		}
		messages = rawjson.AppendString(append(messages, `{"role":`...), m.Role)
		messages = append(anthropicContent(append(messages, `,"content":`...), m.Content), '}')
		return nil
	})
	if first > 0 {
		system = anthropicContent(nil, parts)
	}
	return system, append(messages, ']'), err
}

// anthropicContent appends content: a lone text as a string, anything else in
// blocks.
func anthropicContent(b []byte, parts []verbatim.Part) []byte {
	switch {
	case len(parts) == 0:
		return append(b, `""`...)
	case len(parts) == 1 && parts[0].Image == nil:
		return rawjson.AppendString(b, parts[0].Text)
	}
	b = append(b, '[')
	for i, p := range parts {
		if i > 0 {
			b = append(b, ',')
		}
		if p.Image == nil {
			b = append(rawjson.AppendString(append(b, `{"type":"text","text":`...), p.Text), '}')
			continue
		}
		b = rawjson.AppendString(append(b, `{"type":"image","source":{"type":"base64","media_type":`...), p.Image.Media)
		b = append(b, `,"data":"`...)
		b = append(appendBase64(b, p.Image), `"}}`...)
	}
	return append(b, ']')
}
