package fake

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// maxBody is the largest size of a request. Batches of Anthropic's may be that large.
const maxBody = 256 << 20

// A request is a request for an answer, the same type for all protocols.
type request struct {
	wire      *wire
	model     string // as the client names it
	prompt    verbatim.Prompt
	maxTokens int             // the token limit; 0: none
	choices   int             // of chat completions
	stop      []string        // sequences that end the answer
	params    verbatim.Params // for a Model
	stream    bool
	usage     bool     // in a stream of chat completions: token counts are requested
	providers []string // that the router may choose; none: any
	tool      string   // that must be called; "": none
	array     bool     // a stream of Gemini's without alt=sse, which is one JSON array

	key      key
	repeat   int   // how often this prompt was asked before
	position int64 // in the order of arrival, from 1
	id       string
}

// An inputMessage is a message of a request in the form of OpenAI's and Anthropic's protocols.
type inputMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// addMessages adds messages to the prompt. If one is invalid, it returns its index and the error.
func (q *request) addMessages(list []inputMessage) (int, error) {
	q.prompt = slices.Grow(q.prompt, len(list))
	for i, m := range list {
		parts, err := parseContent(m.Content)
		if err != nil {
			return i, err
		}
		q.prompt = append(q.prompt, verbatim.Message{Role: roleOf(m.Role), Content: parts})
	}
	return 0, nil
}

// A stopParam is the stop sequences: a list of strings, or a single string.
type stopParam []string

// UnmarshalJSON implements json.Unmarshaler.
func (s *stopParam) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*s = stopParam{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(s))
}

// A samplingParams has the sampling parameters in the spelling of most protocols.
type samplingParams struct {
	Temperature *float64 `json:"temperature"`
	TopP        *float64 `json:"top_p"`
	Seed        *int64   `json:"seed"`
}

func (s samplingParams) params() verbatim.Params {
	return verbatim.Params{Temperature: s.Temperature, TopP: s.TopP, Seed: s.Seed}
}

// logprobParams is the request for log probabilities, in the spelling of chat completions and
// Ollama.
type logprobParams struct {
	Logprobs    bool `json:"logprobs"`
	TopLogprobs int  `json:"top_logprobs"`
}

// alternatives returns the number of alternatives per token, 0 if none are requested, or the
// error of a number that no server offers.
func (p logprobParams) alternatives() (int, *apiError) {
	switch {
	case p.TopLogprobs < 0 || p.TopLogprobs > verbatim.MaxLogprobs:
		return 0, badRequest("Invalid value for 'top_logprobs': must be from 0 to "+strconv.Itoa(verbatim.MaxLogprobs)+".", "top_logprobs")
	case !p.Logprobs:
		return 0, nil
	}
	return max(p.TopLogprobs, 1), nil
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

// question returns the last message of the user, or the last one without such a message.
func question(p verbatim.Prompt) verbatim.Prompt {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].Role == "user" {
			return p[i : i+1]
		}
	}
	return p[max(0, len(p)-1):]
}

// textOf returns the texts of a prompt, joined.
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
	drawPosition
	drawBatch
	drawUpstream
	drawLogprobs
)

// rand returns the generator of one kind of draws for the request: a function of the
// server's seed, the prompt and how often it was asked before.
func (q *request) rand(seed, stream uint64) *rand.Rand {
	hi := mix(binary.LittleEndian.Uint64(q.key[:8]) ^ mix(seed+stream<<32))
	lo := mix(binary.LittleEndian.Uint64(q.key[8:]) + mix(uint64(q.repeat)))
	return rand.New(rand.NewPCG(hi, lo))
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

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

// A Call is the call of the one tool that a request offers.
type toolCall struct {
	ID   string
	Tool string
	JSON string // the arguments, an object
}

// offeredTool returns the name of the first tool of a request, in any of the protocols; "" for none.
func offeredTool(tools json.RawMessage) string {
	type named struct{ Name string }
	var list []struct {
		named
		Function     named
		Declarations []named `json:"functionDeclarations"`
	}
	if json.Unmarshal(tools, &list) != nil || len(list) == 0 {
		return ""
	}
	switch t := list[0]; {
	case t.Name != "":
		return t.Name
	case len(t.Declarations) > 0:
		return t.Declarations[0].Name
	default:
		return t.Function.Name
	}
}

// function appends `"name":…,"arguments":…` with the arguments as a string.
func (c toolCall) function(b []byte, arguments string) []byte {
	b = rawjson.AppendString(append(b, `"name":`...), c.Tool)
	return rawjson.AppendString(append(b, `,"arguments":`...), arguments)
}

// AppendChat appends a call of chat completions: whole, or the first piece of a stream, which
// has no arguments yet.
func (c toolCall) appendChat(b []byte, arguments string) []byte {
	b = append(b, `{"index":0,"id":"call_`...)
	b = append(append(b, c.ID...), `","type":"function","function":{`...)
	return append(c.function(b, arguments), "}}"...)
}

// AppendOutput appends a call as an item of the output of the Responses API.
func (c toolCall) appendOutput(b []byte, arguments, status string) []byte {
	b = append(append(b, `{"type":"function_call","id":"fc_`...), c.ID...)
	b = append(append(b, `","call_id":"call_`...), c.ID...)
	b = c.function(append(b, `",`...), arguments)
	b = append(append(b, `,"status":"`...), status...)
	return append(b, `"}`...)
}

// AppendBlock appends a block of content of Anthropic's API. input is JSON.
func (c toolCall) appendBlock(b []byte, input string) []byte {
	b = append(append(b, `{"type":"tool_use","id":"toolu_`...), c.ID...)
	b = rawjson.AppendString(append(b, `","name":`...), c.Tool)
	return append(append(append(b, `,"input":`...), input...), '}')
}

// compact returns the arguments without white space, as a server writes an object that is no
// string.
func (c toolCall) compact() []byte {
	var b bytes.Buffer
	if json.Compact(&b, []byte(c.JSON)) != nil {
		return []byte(c.JSON)
	}
	return b.Bytes()
}

// Part returns a part of the content of Gemini's API.
func (c toolCall) Part() string {
	b := rawjson.AppendString([]byte(`{"functionCall":{"name":`), c.Tool)
	return string(append(append(append(b, `,"args":`...), c.compact()...), "}}"...))
}

// AppendOllama appends the member of a message of Ollama's API.
func (c toolCall) appendOllama(b []byte) []byte {
	b = rawjson.AppendString(append(b, `,"tool_calls":[{"function":{"name":`...), c.Tool)
	return append(append(append(b, `,"arguments":`...), c.compact()...), "}}]"...)
}
