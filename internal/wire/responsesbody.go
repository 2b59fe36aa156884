package wire

import (
	"cmp"
	"errors"
	"fmt"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire/body"
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
	o := body.New()
	o.Text("model", e.Model)
	o.Raw("store", []byte("false"))
	if e.Stream {
		o.Raw("stream", []byte("true"))
		if len(e.StreamOptions) > 0 {
			o.Value("stream_options", e.StreamOptions)
		}
	}
	if maxTokens > 0 {
		o.Value(cmp.Or(e.MaxTokensField, "max_output_tokens"), maxTokens)
	}
	if params.Temperature != nil {
		o.Value("temperature", *params.Temperature)
	}
	if params.TopP != nil {
		o.Value("top_p", *params.TopP)
	}
	if params.Logprobs > 0 {
		o.Raw("include", []byte(`["message.output_text.logprobs"]`))
		o.Value("top_logprobs", params.Logprobs)
	}
	reasoning := body.New()
	if params.Effort != "" {
		reasoning.Text("effort", params.Effort)
	}
	extra := o.Object("reasoning", reasoning, params.Extra)
	form := structure.Responses(params)
	o.Extra(extra, append(form.Names(), "stream", "input", "background", "conversation", "previous_response_id")...)
	full, sent, err := o.With("input", input)
	return request{path: "/responses", sent: sent, body: form.AppendTo(full)}, err
}

// responsesInput returns the messages of the prompt as items of the input. The
// system's are items like the others and not "instructions": they keep their place
// and their number, and nothing has to be joined.
func responsesInput(prompt verbatim.Prompt) ([]byte, error) {
	b := []byte{'['}
	err := body.CheckMessages(prompt, func(m verbatim.Message) error {
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
		b = append(body.AppendBase64(b, p.Image), `"}`...)
	}
	return append(b, ']'), nil
}
