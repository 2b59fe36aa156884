package wire

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// ollamaRequest makes the request for a chat of Ollama's.
func ollamaRequest(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error) {
	if params.ReasoningBudget != nil {
		return request{}, errors.New("Ollama has no number of reasoning tokens: name an effort instead")
	}
	messages, err := ollamaMessages(prompt)
	if err != nil {
		return request{}, err
	}
	o := newBody()
	o.text("model", e.Model)
	o.raw("stream", strconv.AppendBool(nil, e.Stream)) // it streams where it is not told
	o.raw("truncate", []byte("false"))
	o.raw("shift", []byte("false"))
	switch params.Effort {
	case "":
	case "true", "false":
		o.raw("think", []byte(params.Effort))
	default:
		o.text("think", params.Effort)
	}
	options := newBody()
	if maxTokens > 0 {
		options.value(cmp.Or(e.MaxTokensField, "num_predict"), maxTokens)
	}
	if params.Temperature != nil {
		options.value("temperature", *params.Temperature)
	}
	if params.TopP != nil {
		options.value("top_p", *params.TopP)
	}
	if params.Seed != nil {
		options.value(cmp.Or(e.SeedField, "seed"), *params.Seed)
	}
	extra := o.object("options", options, params.Extra)
	o.extra(extra, "messages")
	full, sent, err := o.with("messages", messages)
	return request{path: ollamaPath(e), sent: sent, body: full}, err
}

// ollamaPath returns what is appended to the base URL; one without a path gets the
// protocol's root anyway.
func ollamaPath(e Endpoint) string {
	u, err := e.parse()
	if err != nil || u.Path == "" || strings.HasSuffix(u.Path, "/api") {
		return "/chat"
	}
	return "/api/chat"
}

// ollamaMessages returns the messages of the prompt. A message has one text, and
// its images beside it, without an order between them.
func ollamaMessages(prompt verbatim.Prompt) ([]byte, error) {
	b := []byte{'['}
	err := eachMessage(prompt, func(m verbatim.Message) error {
		text, texts := "", 0
		images := []byte{}
		for _, p := range m.Content {
			switch {
			case p.Image == nil:
				text = p.Text
				texts++
			case len(images) > 0:
				images = append(images, ',')
				fallthrough
			default:
				images = append(appendBase64(append(images, '"'), p.Image), '"')
			}
		}
		if texts > 1 {
			return errors.New("Ollama takes one text in a message: join them")
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = rawjson.AppendString(append(b, `{"role":`...), m.Role)
		b = rawjson.AppendString(append(b, `,"content":`...), text)
		if len(images) > 0 {
			b = append(append(append(b, `,"images":[`...), images...), ']')
		}
		b = append(b, '}')
		return nil
	})
	return append(b, ']'), err
}
