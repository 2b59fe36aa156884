package fake

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"

	"verbatim"
)

// An ask is one request for an answer, whatever protocol it came in.
type ask struct {
	protocol *protocol
	model    string // as the client names it
	prompt   verbatim.Prompt
	// maxTokens bounds the answer; 0 is no bound.
	maxTokens int
	params    verbatim.Params // how a Model is to choose its words
	stream    bool
	usage     bool // in a stream of chat completions, token counts were asked for
	array     bool // a stream of Gemini's without alt=sse is one JSON array

	key   key
	try   int   // how often this prompt was asked before
	place int64 // in the order of arrival, from 1
	id    string
}

// A sampling is how tokens are to be chosen, in the spelling of most protocols.
type sampling struct {
	Temperature *float64 `json:"temperature"`
	TopP        *float64 `json:"top_p"`
	Seed        *int64   `json:"seed"`
}

func (s sampling) params() verbatim.Params {
	return verbatim.Params{Temperature: s.Temperature, TopP: s.TopP, Seed: s.Seed}
}

// A key names a prompt.
type key [16]byte

// keyOf hashes roles, texts and pictures of a prompt.
func keyOf(p verbatim.Prompt) key {
	h := sha256.New()
	var size [9]byte
	add := func(kind byte, s string) {
		size[0] = kind
		binary.LittleEndian.PutUint64(size[1:], uint64(len(s)))
		h.Write(size[:])
		h.Write([]byte(s))
	}
	for _, m := range p {
		add('r', m.Role)
		for _, part := range m.Content {
			switch {
			case part.Image == nil:
				add('t', part.Text)
			case len(part.Image.Bytes) == 0:
				add('u', part.Image.Path)
			default:
				add('i', "")
				h.Write(part.Image.Bytes)
			}
		}
	}
	var sum [sha256.Size]byte
	return key(h.Sum(sum[:0])[:16])
}

// question returns the last message of the user, or the last one where there is none.
func question(p verbatim.Prompt) verbatim.Prompt {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].Role == "user" {
			return p[i : i+1]
		}
	}
	return p[max(0, len(p)-1):]
}

// textOf returns the texts of a prompt.
func textOf(p verbatim.Prompt) string {
	if len(p) == 1 && len(p[0].Content) == 1 {
		return p[0].Content[0].Text
	}
	var b strings.Builder
	for _, m := range p {
		for _, part := range m.Content {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}

// The streams of random numbers of one request.
const (
	drawFault = iota + 1
	drawLatency
	drawAnswer
	drawPlace
	drawBatch
)

// rand returns the generator of a stream of a request: a function of the seed,
// the prompt and how often it was asked before.
func (s *Server) rand(a *ask, stream uint64) *rand.Rand {
	hi := mix(binary.LittleEndian.Uint64(a.key[:8]) ^ mix(s.config.Seed+stream<<32))
	lo := mix(binary.LittleEndian.Uint64(a.key[8:]) + mix(uint64(a.try)))
	return rand.New(rand.NewPCG(hi, lo))
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A part of a message's content in the spellings of OpenAI's and Anthropic's
// protocols, which do not collide.
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
			out = append(out, address(p.Source.URL))
		case len(p.ImageURL) > 0:
			var o struct {
				URL string `json:"url"`
			}
			if json.Unmarshal(p.ImageURL, &o.URL) != nil && json.Unmarshal(p.ImageURL, &o) != nil {
				return nil, errors.New("image_url must hold a URL")
			}
			out = append(out, address(o.URL))
		default:
			out = append(out, verbatim.Part{Text: p.Text})
		}
	}
	return out, nil
}

// address returns the picture at a URL, which is only read where it is data.
func address(url string) verbatim.Part {
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		if media, data, ok := strings.Cut(rest, ";base64,"); ok {
			return inline(media, data)
		}
	}
	return verbatim.Part{Image: &verbatim.Image{Path: url}}
}

// inline returns a picture that is in the request itself.
func inline(media, data string) verbatim.Part {
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		b = []byte(data) // a picture all the same, for whoever counts them
	}
	return verbatim.Part{Image: &verbatim.Image{Media: media, Bytes: b}}
}

// role returns a role in the vocabulary's words.
func role(r string) string {
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
