package evallog

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/exchange"
)

// attachment begins a reference to a text in the attachments of a sample.
const attachment = "attachment://"

// A resolver is the attachments of a sample.
type resolver map[string]string

// text returns the text to which s refers; s itself if it is no reference.
func (r resolver) text(s string) string {
	if key, ok := strings.CutPrefix(s, attachment); ok {
		if whole, ok := r[key]; ok {
			return whole
		}
	}
	return s
}

// messages returns a prompt as Inspect's messages, with images as data URIs. It appends the paths
// of images to images.
func messages(p verbatim.Prompt, images *[]string) []inspectMessage {
	out := make([]inspectMessage, 0, len(p))
	for _, m := range p {
		out = append(out, inspectMessage{Role: m.Role, Content: contents(m.Content, images), Source: "input"})
	}
	return out
}

func contents(parts []verbatim.Part, images *[]string) json.RawMessage {
	if len(parts) == 1 && parts[0].Image == nil {
		return marshalTexts(parts[0].Text)
	}
	list := make([]map[string]string, 0, len(parts))
	for _, p := range parts {
		if m := p.Image; m != nil {
			*images = append(*images, m.Path)
			uri := "data:" + m.Media + ";base64," + base64.StdEncoding.EncodeToString(m.Bytes)
			list = append(list, map[string]string{"type": "image", "image": uri})
			continue
		}
		list = append(list, map[string]string{"type": "text", "text": p.Text})
	}
	return marshalTexts(list)
}

// assistant returns a reply as Inspect's message of the model.
func assistant(reply *verbatim.Reply, model string) inspectMessage {
	m := inspectMessage{Role: "assistant", Source: "generate", Model: model, Content: marshalTexts(reply.Text)}
	if reply.Reasoning != "" {
		m.Content = marshalTexts([]map[string]string{
			{"type": "reasoning", "reasoning": reply.Reasoning},
			{"type": "text", "text": reply.Text},
		})
	}
	return m
}

// prompt returns messages as a prompt. A message with another role than system, user or assistant,
// such as the result of a tool, is an error. A part that is neither a text nor an image in the log
// becomes a text that says so. prompt removes the paths of images from paths, which may be too
// short.
func (r resolver) prompt(list []inspectMessage, paths *[]string) (verbatim.Prompt, error) {
	var out verbatim.Prompt
	for _, m := range list {
		switch m.Role {
		case "system", "user", "assistant":
		default:
			return nil, fmt.Errorf("a message has the role %.40q", m.Role)
		}
		parts, err := r.parts(m.Content, paths)
		if err != nil {
			return nil, err
		}
		out = append(out, verbatim.Message{Role: m.Role, Content: parts})
	}
	return out, nil
}

func (r resolver) parts(content json.RawMessage, paths *[]string) ([]verbatim.Part, error) {
	list, err := r.contents(content)
	if err != nil {
		return nil, err
	}
	parts := make([]verbatim.Part, 0, len(list))
	for _, c := range list {
		switch image, ok := decodeURI(r.text(c.Image)); {
		case c.Type == "text":
			parts = append(parts, verbatim.Part{Text: r.text(c.Text)})
		case c.Type == "image" && ok:
			if len(*paths) > 0 {
				image.Path, *paths = (*paths)[0], (*paths)[1:]
			}
			parts = append(parts, verbatim.Part{Image: image})
		case c.Type == "reasoning":
		default:
			parts = append(parts, verbatim.Part{Text: fmt.Sprintf("[%.20s that the log does not hold]", c.Type)})
		}
	}
	return parts, nil
}

// contents returns the parts of a content, which is a text or a list of parts.
func (r resolver) contents(content json.RawMessage) ([]inspectContent, error) {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return []inspectContent{{Type: "text", Text: s}}, nil
	}
	var list []inspectContent
	if err := json.Unmarshal(content, &list); err != nil {
		return nil, fmt.Errorf("content: want a text or a list of parts: %w", err)
	}
	return list, nil
}

// messageText returns the text and the reasoning of a message of the model.
func (r resolver) messageText(m *inspectMessage) (text, reasoning string, err error) {
	list, err := r.contents(m.Content)
	if err != nil {
		return "", "", err
	}
	var texts, reasonings []string
	for _, c := range list {
		switch {
		case c.Type == "text":
			texts = append(texts, r.text(c.Text))
		case c.Type == "reasoning" && !c.Redacted:
			reasonings = append(reasonings, r.text(c.Reasoning))
		}
	}
	// Inspect joins the texts of a message with line feeds.
	return strings.Join(texts, "\n"), strings.Join(reasonings, "\n"), nil
}

// decodeURI returns the image of a data URI.
func decodeURI(s string) (*verbatim.Image, bool) {
	rest, ok := strings.CutPrefix(s, "data:")
	media, data, found := strings.Cut(rest, ";base64,")
	if !ok || !found || !strings.HasPrefix(media, "image/") {
		return nil, false
	}
	bytes, err := base64.StdEncoding.DecodeString(data)
	if err != nil || len(bytes) == 0 {
		return nil, false
	}
	return &verbatim.Image{Media: media, Bytes: bytes}, true
}

// prompt returns the input of a sample as a prompt.
func (s *inspectSample) prompt(r resolver, paths *[]string) (verbatim.Prompt, error) {
	var text string
	if json.Unmarshal(s.Input, &text) == nil {
		return exchange.UserPrompt(r.text(text)), nil
	}
	var list []inspectMessage
	if err := json.Unmarshal(s.Input, &list); err != nil {
		return nil, fmt.Errorf("input: want a text or messages: %w", err)
	}
	p, err := r.prompt(list, paths)
	if err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	return p, nil
}
