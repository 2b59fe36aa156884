package wire

import (
	"errors"
	"fmt"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire/body"
	"verbatim/internal/wire/clean"
	"verbatim/internal/wire/structure"
)

// minBudget is the smallest reasoning budget.
const minBudget = 1024

// anthropicRequest makes the request for a message.
func anthropicRequest(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error) {
	if maxTokens <= 0 {
		return request{}, errors.New("this protocol requires a token limit: set max_tokens above 0")
	}
	if params.Seed != nil {
		return request{}, errors.New("this protocol has no seed: leave it out, and use several trials")
	}
	system, messages, err := anthropicPrompt(prompt)
	if err != nil {
		return request{}, err
	}
	o := body.New()
	o.Text("model", e.Model)
	o.Value("max_tokens", maxTokens)
	if e.Stream {
		o.Raw("stream", []byte("true"))
	}
	if params.Temperature != nil {
		o.Value("temperature", *params.Temperature)
	}
	if params.TopP != nil {
		o.Value("top_p", *params.TopP)
	}
	if err := anthropicEffort(o, maxTokens, params); err != nil {
		return request{}, err
	}
	form := structure.Anthropic(params)
	o.Extra(params.Extra, append(form.Names(), "stream", "system", "messages")...)
	full, sent, err := o.With("messages", messages)
	if err != nil {
		return request{}, err
	}
	full = form.AppendTo(full)
	if system != nil {
		full = rawjson.AppendMember(full, "system", system)
	}
	return request{path: "/messages", sent: sent, body: full}, nil
}

// anthropicEffort adds the reasoning effort and budget.
func anthropicEffort(o *body.Writer, maxTokens int, params verbatim.Params) error {
	if params.Effort != "" && !structure.IsSchema(params) { // otherwise it is next to the schema
		config := body.New()
		config.Text("effort", params.Effort)
		raw, err := config.End()
		if err != nil {
			return err
		}
		o.Raw("output_config", raw)
	}
	if params.ReasoningBudget == nil {
		return nil
	}
	switch n := *params.ReasoningBudget; {
	case n < minBudget:
		return fmt.Errorf("a reasoning budget of %d tokens is too small for this protocol: set at least %d, or leave it out", n, minBudget)
	case n >= int64(maxTokens):
		return fmt.Errorf("a reasoning budget of %d tokens leaves no room in a token limit of %d, which includes it: raise the token limit or lower the budget", n, maxTokens)
	default:
		// Without display, it differs from model to model whether the reasoning is shown.
		o.Raw("thinking", fmt.Appendf(nil, `{"type":"enabled","budget_tokens":%d,"display":"summarized"}`, n))
	}
	return nil
}

// anthropicPrompt returns the fields "messages" and "system", the latter nil without
// system messages.
func anthropicPrompt(prompt verbatim.Prompt) (system, messages []byte, err error) {
	first, err := body.CountSystem(prompt)
	if err != nil {
		return nil, nil, err
	}
	var parts []verbatim.Part
	messages = []byte{'['}
	err = body.CheckMessages(prompt, func(m verbatim.Message) error {
		switch m.Role {
		case "system":
			parts = append(parts, m.Content...)
			return nil
		case "user", "assistant":
		default:
			return fmt.Errorf("this protocol knows no role %q: use system, user or assistant", clean.Line(m.Role, 40))
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

// anthropicContent appends content: a single text as a string, anything else in blocks.
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
		b = append(body.AppendBase64(b, p.Image), `"}}`...)
	}
	return append(b, ']')
}
