package wire

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire/structure"
)

// minResponseTokens is the smallest token limit that the API accepts, by its schema.
const minResponseTokens = 16

// responsesRequest makes the request for a response.
func responsesRequest(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error) {
	switch {
	case maxTokens > 0 && maxTokens < minResponseTokens:
		return request{}, fmt.Errorf("the Responses API has token limits of at least %d, got %d: raise the token limit", minResponseTokens, maxTokens)
	case params.Seed != nil:
		return request{}, errors.New("the Responses API has no seed: leave it out, or use chat completions")
	case params.ReasoningBudget != nil:
		return request{}, errors.New("the Responses API has no reasoning token limit: set an effort instead")
	}
	input, err := responsesInput(prompt)
	if err != nil {
		return request{}, err
	}
	o := newObject()
	o.text("model", e.Model)
	o.raw("store", []byte("false"))
	if e.Stream {
		o.raw("stream", []byte("true"))
		if len(e.StreamOptions) > 0 {
			o.value("stream_options", e.StreamOptions)
		}
	}
	if maxTokens > 0 {
		o.value(cmp.Or(e.MaxTokensField, "max_output_tokens"), maxTokens)
	}
	if params.Temperature != nil {
		o.value("temperature", *params.Temperature)
	}
	if params.TopP != nil {
		o.value("top_p", *params.TopP)
	}
	if params.Logprobs > 0 {
		o.raw("include", []byte(`["message.output_text.logprobs"]`))
		o.value("top_logprobs", params.Logprobs)
	}
	reasoning := newObject()
	if params.Effort != "" {
		reasoning.text("effort", params.Effort)
	}
	extra := o.object("reasoning", reasoning, params.Extra)
	form := structure.Responses(params)
	o.extra(extra, append(form.Names(), "stream", "input", "background", "conversation", "previous_response_id")...)
	full, sent, err := o.with("input", input)
	return request{path: "/responses", sent: sent, body: form.AppendTo(full)}, err
}

// responsesInput returns the messages of the prompt as items of the input. The
// system's are items like the others and not "instructions": they keep their place
// and their number, and nothing has to be joined.
func responsesInput(prompt verbatim.Prompt) ([]byte, error) {
	b := []byte{'['}
	err := checkMessages(prompt, func(m verbatim.Message) error {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = rawjson.AppendString(append(b, `{"role":`...), m.Role)
		b = append(b, `,"content":`...)
		var err error
		switch {
		case len(m.Content) == 0:
			b = append(b, `""`...)
		case len(m.Content) == 1 && m.Content[0].Image == nil:
			b = rawjson.AppendString(b, m.Content[0].Text)
		default:
			b, err = responsesParts(b, m)
		}
		b = append(b, '}')
		return err
	})
	return append(b, ']'), err
}

// responsesParts appends content in parts. Messages of the assistant are output.
func responsesParts(b []byte, m verbatim.Message) ([]byte, error) {
	kind := "input_text"
	if m.Role == "assistant" {
		kind = "output_text"
	}
	b = append(b, '[')
	for i, p := range m.Content {
		if i > 0 {
			b = append(b, ',')
		}
		if p.Image == nil {
			b = fmt.Appendf(b, `{"type":"%s","text":`, kind)
			b = append(rawjson.AppendString(b, p.Text), '}')
			continue
		}
		if m.Role == "assistant" {
			return b, errors.New("the Responses API takes no images from the assistant")
		}
		b = fmt.Appendf(b, `{"type":"input_image","detail":"auto","image_url":"data:%s;base64,`, p.Image.Media)
		b = append(appendBase64(b, p.Image), `"}`...)
	}
	return append(b, ']'), nil
}

// object adds an object, if it has members, together with those of the extra parameter of
// that name. It returns the other extra parameters.
func (o *objectWriter) object(name string, inner *objectWriter, params map[string]json.RawMessage) map[string]json.RawMessage {
	more, isThere := params[name]
	if isThere {
		var object map[string]json.RawMessage
		if json.Unmarshal(more, &object) != nil || object == nil {
			o.fail(fmt.Errorf("the extra parameter %q must be a JSON object", name))
		}
		inner.extra(object)
	}
	value, err := inner.end()
	switch {
	case err != nil:
		o.fail(fmt.Errorf("in %q: %w", name, err))
	case len(inner.names) > 0 || isThere:
		o.raw(name, value)
	}
	rest := maps.Clone(params)
	delete(rest, name)
	return rest
}
