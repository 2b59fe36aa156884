package wire

import (
	"errors"
	"fmt"

	"verbatim"
	"verbatim/internal/rawjson"
)

// minBudget is the smallest reasoning budget that the API accepts, in tokens.
const minBudget = 1024

// anthropicRequest writes the request for a message.
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
	o := newBody()
	o.Text("model", e.Model)
	o.Value("max_tokens", maxTokens)
	if e.Stream {
		o.Raw("stream", []byte("true"))
	}
	optionalField(o, "temperature", params.Temperature)
	optionalField(o, "top_p", params.TopP)
	if err := anthropicEffort(o, maxTokens, params); err != nil {
		return request{}, err
	}
	form := anthropicStructure(params)
	o.Extra(params.Extra, append(form.Names(), "stream", "system", "messages")...)
	full, sent, err := o.With("messages", messages)
	if err != nil {
		return request{}, err
	}
	full = form.appendTo(full)
	if system != nil {
		full = rawjson.AppendMember(full, "system", system)
	}
	return request{path: "/messages", sent: sent, body: full}, nil
}

// anthropicEffort adds the reasoning effort and budget.
func anthropicEffort(o *bodyWriter, maxTokens int, params verbatim.Params) error {
	if params.Effort != "" && !isSchema(params) { // anthropicStructure writes it next to the schema
		config := newBody()
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
	n := *params.ReasoningBudget
	switch {
	case n < minBudget:
		return fmt.Errorf("a reasoning budget of %d tokens is too small for this protocol: set at least %d, or leave it out", n, minBudget)
	case n >= int64(maxTokens):
		return fmt.Errorf("a reasoning budget of %d tokens leaves no room in a token limit of %d, which includes it: raise the token limit or lower the budget", n, maxTokens)
	}
	// Without display, it differs from model to model whether the reasoning is shown.
	o.Raw("thinking", fmt.Appendf(nil, `{"type":"enabled","budget_tokens":%d,"display":"summarized"}`, n))
	return nil
}

// anthropicPrompt returns the fields "messages" and "system", the latter nil without
// system messages.
func anthropicPrompt(prompt verbatim.Prompt) (system, messages []byte, err error) {
	parts, n, err := systemParts(prompt)
	if err != nil {
		return nil, nil, err
	}
	if n > 0 {
		system = appendContent(nil, parts, anthropicPart)
	}
	messages, err = bodyMessages(prompt, n, func(b []byte, m verbatim.Message) ([]byte, error) {
		if m.Role != "user" && m.Role != "assistant" {
			return nil, unknownRole(m.Role)
		}
		return appendMessage(b, m, anthropicPart), nil
	})
	return system, messages, err
}

// unknownRole is the error of a role that the protocols with one place for system messages
// do not have.
func unknownRole(role string) error {
	return fmt.Errorf("this protocol has no role %q: use system, user or assistant", CleanLine(role, 40))
}

// anthropicPart appends a block of content.
func anthropicPart(b []byte, p verbatim.Part) []byte {
	if p.Image == nil {
		return append(rawjson.AppendString(append(b, `{"type":"text","text":`...), p.Text), '}')
	}
	b = rawjson.AppendString(append(b, `{"type":"image","source":{"type":"base64","media_type":`...), p.Image.Media)
	return append(appendBase64(append(b, `,"data":`...), p.Image), `}}`...)
}
