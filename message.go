package verbatim

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// MarshalJSON writes the content as a string if it is one text, otherwise as an array of strings and
// of {"image": path}. An image without a path has a data URI in its place.
func (m Message) MarshalJSON() ([]byte, error) {
	out := struct {
		Role    string `json:"role"`
		Content any    `json:"content"`
	}{Role: m.Role}
	if len(m.Content) == 1 && m.Content[0].Image == nil {
		out.Content = m.Content[0].Text
	} else {
		parts := make([]any, len(m.Content))
		for i, p := range m.Content {
			if p.Image != nil {
				parts[i] = map[string]string{"image": p.Image.reference()}
			} else {
				parts[i] = p.Text
			}
		}
		out.Content = parts
	}
	return marshalReadable(out)
}

// UnmarshalJSON reads what MarshalJSON writes. It does not read the file of an image with a path: the
// caller knows the folder.
func (m *Message) UnmarshalJSON(data []byte) error {
	var in struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return err
	}
	m.Role, m.Content = in.Role, nil
	var text string
	if json.Unmarshal(in.Content, &text) == nil {
		m.Content = []Part{{Text: text}}
		return nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(in.Content, &parts); err != nil {
		return fmt.Errorf("content must be a string, or an array of strings and {\"image\": path}")
	}
	for i, raw := range parts {
		var part struct {
			Image string  `json:"image"`
			Text  *string `json:"text"` // in a part of OpenAI's
			URL   struct {
				URL string `json:"url"`
			} `json:"image_url"`
		}
		switch {
		case json.Unmarshal(raw, &text) == nil:
			m.Content = append(m.Content, Part{Text: text})
		case json.Unmarshal(raw, &part) == nil && part.Text != nil:
			m.Content = append(m.Content, Part{Text: *part.Text})
		case part.Image != "" || strings.HasPrefix(part.URL.URL, dataPrefix):
			img, err := referredImage(cmp.Or(part.Image, part.URL.URL))
			if err != nil {
				return fmt.Errorf("content part %d: %w", i, err)
			}
			m.Content = append(m.Content, Part{Image: img})
		default:
			return fmt.Errorf("content part %d must be a string or {\"image\": path}", i)
		}
	}
	return nil
}

// dataPrefix begins the data URI of an image.
const dataPrefix = "data:image/"

// reference returns the path of an image; without a path, its bytes as a data URI.
func (m *Image) reference() string {
	if m.Path != "" || len(m.Bytes) == 0 {
		return m.Path
	}
	return "data:" + m.Media + ";base64," + base64.StdEncoding.EncodeToString(m.Bytes)
}

// referredImage returns the image of a reference. With a path it has no bytes.
func referredImage(reference string) (*Image, error) {
	if !strings.HasPrefix(reference, dataPrefix) {
		return &Image{Path: reference}, nil
	}
	media, data, ok := strings.Cut(reference[len("data:"):], ";base64,")
	bytes, err := base64.StdEncoding.DecodeString(data)
	if !ok || err != nil || len(bytes) == 0 {
		return nil, errors.New("the image is not a data URI in base64")
	}
	return &Image{Media: media, Bytes: bytes}, nil
}
