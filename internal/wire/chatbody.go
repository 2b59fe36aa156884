package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"verbatim"
)

// chatBody returns the JSON body of a chat completion request. It refuses what
// it could only send by changing it.
func chatBody(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) ([]byte, error) {
	messages, err := chatMessages(prompt)
	if err != nil {
		return nil, err
	}
	body := map[string]any{"model": e.Model, "messages": messages}
	if e.Stream {
		body["stream"] = true
		if e.StreamOptions == nil {
			body["stream_options"] = map[string]bool{"include_usage": true}
		} else if len(e.StreamOptions) > 0 {
			body["stream_options"] = e.StreamOptions
		}
	}
	if maxTokens > 0 {
		body[or(e.MaxTokensField, "max_tokens")] = maxTokens
	}
	if params.Temperature != nil {
		body["temperature"] = *params.Temperature
	}
	if params.TopP != nil {
		body["top_p"] = *params.TopP
	}
	if params.Seed != nil {
		body[or(e.SeedField, "seed")] = *params.Seed
	}
	if params.Effort != "" {
		body["reasoning_effort"] = params.Effort
	}
	for name, value := range params.Extra {
		if _, taken := body[name]; taken || name == "stream" {
			return nil, fmt.Errorf("the extra parameter %q is one that is set already", name)
		}
		if !json.Valid(value) {
			return nil, fmt.Errorf("the extra parameter %q is not JSON", name)
		}
		body[name] = value
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// or returns s, or the other where s is empty.
func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// A chatPart is a part of a message's content, where it is not a lone text.
type chatPart struct {
	Type     string     `json:"type"`
	Text     *string    `json:"text,omitempty"`
	ImageURL *chatImage `json:"image_url,omitempty"`
}

type chatImage struct {
	URL string `json:"url"`
}

// chatMessages returns the messages of the prompt: a lone text as a string,
// which every server understands, anything else in parts.
func chatMessages(prompt verbatim.Prompt) ([]map[string]any, error) {
	if len(prompt) == 0 {
		return nil, errors.New("the prompt is empty")
	}
	messages := make([]map[string]any, len(prompt))
	for i, m := range prompt {
		content, err := chatContent(m.Content)
		if err != nil {
			return nil, fmt.Errorf("message %d of the prompt: %w", i+1, err)
		}
		messages[i] = map[string]any{"role": m.Role, "content": content}
	}
	return messages, nil
}

func chatContent(parts []verbatim.Part) (any, error) {
	out := make([]chatPart, len(parts))
	for i, p := range parts {
		switch {
		case p.Image == nil && !utf8.ValidString(p.Text):
			return nil, errors.New("the text is not valid UTF-8 and cannot be sent unchanged")
		case p.Image == nil:
			out[i] = chatPart{Type: "text", Text: &p.Text}
		case len(p.Image.Bytes) == 0 || p.Image.Media == "":
			return nil, errors.New("an image has no bytes or no media type")
		default:
			url := "data:" + p.Image.Media + ";base64," + base64.StdEncoding.EncodeToString(p.Image.Bytes)
			out[i] = chatPart{Type: "image_url", ImageURL: &chatImage{url}}
		}
	}
	switch {
	case len(out) == 0:
		return "", nil
	case len(out) == 1 && out[0].Text != nil:
		return *out[0].Text, nil
	}
	return out, nil
}
