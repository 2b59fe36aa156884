package fake

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"verbatim"
)

// A contentPart is a part of a message's content in the spellings of both OpenAI's and Anthropic's
// protocols.
type contentPart struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	ImageURL json.RawMessage `json:"image_url"` // {"url": …}, or the URL itself
	Source   *struct {
		Type  string `json:"type"`
		Media string `json:"media_type"`
		Data  string `json:"data"`
		URL   string `json:"url"`
	} `json:"source"`
}

var errContent = errors.New("content must be a string or an array of parts")

// parseContent reads the content of a message: a string, or an array of parts.
func parseContent(raw json.RawMessage) ([]verbatim.Part, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] == '"' {
		var text string
		err := json.Unmarshal(raw, &text)
		return []verbatim.Part{{Text: text}}, err
	}
	var in []contentPart
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, errContent
	}
	out := make([]verbatim.Part, 0, len(in))
	for _, p := range in {
		switch {
		case p.Source != nil && p.Source.Type == "base64":
			out = append(out, inline(p.Source.Media, p.Source.Data))
		case p.Source != nil:
			out = append(out, imageAt(p.Source.URL))
		case len(p.ImageURL) > 0:
			var o struct {
				URL string `json:"url"`
			}
			if json.Unmarshal(p.ImageURL, &o.URL) != nil && json.Unmarshal(p.ImageURL, &o) != nil {
				return nil, errors.New("image_url must hold a URL")
			}
			out = append(out, imageAt(o.URL))
		default:
			out = append(out, verbatim.Part{Text: p.Text})
		}
	}
	return out, nil
}

// imageAt returns the picture at a URL. The bytes of a data URI are decoded; any other URL becomes
// the Path, and nothing is fetched.
func imageAt(url string) verbatim.Part {
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		if media, data, ok := strings.Cut(rest, ";base64,"); ok {
			return inline(media, data)
		}
	}
	return verbatim.Part{Image: &verbatim.Image{Path: url}}
}

// inline returns a picture whose bytes are in the request, in base64. Data that is no base64 is
// taken as the bytes.
func inline(media, data string) verbatim.Part {
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		b = []byte(data)
	}
	return verbatim.Part{Image: &verbatim.Image{Media: media, Bytes: b}}
}

// roleOf returns a role as verbatim.Message names it.
func roleOf(r string) string {
	switch r {
	case "developer":
		return "system"
	case "model":
		return "assistant"
	case "":
		return "user"
	}
	return r
}
