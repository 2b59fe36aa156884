package wire

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/rawjson"
)

// minResponseTokens is the smallest token limit that the API accepts, by its schema.
const minResponseTokens = 16

// responsesRequest writes the request for a response.
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
	o := newBody()
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
	optionalField(o, "temperature", params.Temperature)
	optionalField(o, "top_p", params.TopP)
	if params.Logprobs > 0 {
		o.Raw("include", []byte(`["message.output_text.logprobs"]`))
		o.Value("top_logprobs", params.Logprobs)
	}
	reasoning := newBody()
	if params.Effort != "" {
		reasoning.Text("effort", params.Effort)
	}
	extra := o.object("reasoning", reasoning, params.Extra)
	form := responsesStructure(params)
	o.Extra(extra, append(form.Names(), "stream", "input", "background", "conversation", "previous_response_id")...)
	full, sent, err := o.With("input", input)
	return request{path: "/responses", sent: sent, body: form.appendTo(full)}, err
}

// responsesInput returns the messages of the prompt as items of the input. System messages
// are items like the others, and not "instructions": they keep their place and their number,
// and nothing has to be joined.
func responsesInput(prompt verbatim.Prompt) ([]byte, error) {
	return bodyMessages(prompt, 0, func(b []byte, m verbatim.Message) ([]byte, error) {
		if m.Role != "assistant" {
			return appendMessage(b, m, responsesPart), nil
		}
		if slices.ContainsFunc(m.Content, func(p verbatim.Part) bool { return p.Image != nil }) {
			return nil, errors.New("the Responses API takes no images from the assistant")
		}
		return appendMessage(b, m, responsesOutputPart), nil
	})
}

// responsesPart appends a part of the content of the user or of the system.
func responsesPart(b []byte, p verbatim.Part) []byte {
	if p.Image == nil {
		return append(rawjson.AppendString(append(b, `{"type":"input_text","text":`...), p.Text), '}')
	}
	return append(appendDataURI(append(b, `{"type":"input_image","detail":"auto","image_url":`...), p.Image), '}')
}

// responsesOutputPart appends a text of the assistant.
func responsesOutputPart(b []byte, p verbatim.Part) []byte {
	return append(rawjson.AppendString(append(b, `{"type":"output_text","text":`...), p.Text), '}')
}
