package fake

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"verbatim"

	"verbatim/internal/rawjson"
)

// A reply is the answer to a request, and how it is written.
type reply struct {
	request        *request
	id             string // hexadecimal, the same for the same request of the same prompt
	created        time.Time
	text           string
	reasoning      string
	tokens         []verbatim.Token // of the text, if log probabilities were requested
	finish         verbatim.Finish
	finishOverride string // the finish reason as it is sent; "": the protocol's word for finish
	prompt         int64  // tokens of the prompt
	written        *int64 // tokens of the text, if a Model counted them and obeyed the limit; nil: from bytes
	chunk          int    // bytes of an event of a stream
	field          string // of chat completions, for reasoning
	fingerprint    string
	upstream       string // the provider that a router chose; "": no router

	// The effects of faults.
	usage         string    // of the token counts: "missing", "null", "zero", "twice", "huge"; "": none
	noFinish      bool      // there is no finish reason
	noEnd         bool      // the stream has no end marker
	errorNull     bool      // a member "error" is null
	unknownFields bool      // there is a member that no client knows
	apiError      *apiError // ends a stream after the text
}

// tokenBytes is how many bytes count as a token, rounded up.
const tokenBytes = 4

// imageTokens is the number of tokens that a picture counts as.
const imageTokens = 256

// tokens counts the tokens of n bytes of text.
func tokens(n int) int64 { return int64(n+tokenBytes-1) / tokenBytes }

// promptTokens counts the tokens of a prompt: a quarter of its bytes, rounded up,
// and imageTokens for each picture.
func promptTokens(p verbatim.Prompt) int64 {
	bytes, images := 0, int64(0)
	for _, m := range p {
		for _, part := range m.Content {
			bytes += len(part.Text)
			if part.Image != nil {
				images++
			}
		}
	}
	return tokens(bytes) + images*imageTokens
}

func (r *reply) reasoningTokens() int64  { return tokens(len(r.reasoning)) }
func (r *reply) completionTokens() int64 { return r.textTokens() + r.reasoningTokens() }

func (r *reply) textTokens() int64 { return r.tokensBefore(len(r.text)) }

// tokensBefore counts the tokens of the first n bytes of the text.
func (r *reply) tokensBefore(n int) int64 {
	switch {
	case r.written == nil:
		return tokens(n)
	case n == len(r.text):
		return *r.written
	}
	return *r.written * int64(n) / int64(len(r.text))
}

// finishReason returns the finish reason as it is sent, in the protocol's spelling.
func (r *reply) finishReason(spell func(verbatim.Finish) string) string {
	if r.finishOverride != "" {
		return r.finishOverride
	}
	return spell(r.finish)
}

// appendFinish appends the finish reason as JSON, or null if a fault leaves it out.
func (r *reply) appendFinish(b []byte, spell func(verbatim.Finish) string) []byte {
	if r.noFinish {
		return append(b, "null"...)
	}
	return rawjson.AppendString(b, r.finishReason(spell))
}

// appendUnknown appends the members that faults add: an error of null, and one that no client
// knows.
func (r *reply) appendUnknown(b []byte, name string) []byte {
	if r.errorNull {
		b = append(b, `,"error":null`...)
	}
	if r.unknownFields {
		b = append(b, `,"`+name+`":{"nested":[1,null,{"deep":true}]}`...)
	}
	return b
}

// openUsage begins the object of the token counts. ok is false if a fault leaves them out or
// makes them null.
func (r *reply) openUsage(b []byte, name string) (usage []byte, ok bool) {
	switch r.usage {
	case "missing":
		return b, false
	case "null":
		return append(b, `,"`+name+`":null`...), false
	}
	return append(b, `,"`+name+`":{`...), true
}

// call returns the answer as a call of the tool. ok is false if no tool is to be called, or if the
// answer is no JSON object: then it is text.
func (r *reply) call() (c toolCall, ok bool) {
	ok = r.request.tool != "" && r.finish == verbatim.FinishStop && len(r.text) > 1 && r.text[0] == '{' && rawjson.Valid([]byte(r.text))
	return toolCall{ID: r.id, Tool: r.request.tool, JSON: r.text}, ok
}

// spell returns the protocol's word for the finish reason; called is its word for a call.
func (r *reply) spell(spell func(verbatim.Finish) string, called string) func(verbatim.Finish) string {
	if _, ok := r.call(); ok {
		return func(verbatim.Finish) string { return called }
	}
	return spell
}

// idOf returns the id of the reply to a request.
func idOf(q *request) string {
	var b [20]byte
	copy(b[:], q.key[:])
	binary.BigEndian.PutUint32(b[16:], uint32(q.repeat))
	return hex.EncodeToString(b[4:])
}

// pieces cuts text into pieces of the reply's chunk size, whole characters each.
func (r *reply) pieces(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			n := min(len(text), r.chunk)
			for n < len(text) && n > 0 && !utf8.RuneStart(text[n]) {
				n--
			}
			if n == 0 {
				_, n = utf8.DecodeRuneInString(text)
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// setTokens sets the tokens of the text, if log probabilities were requested. Those of a Model
// stay if they spell the text. All others are made up: the same for the same prompt, with
// probabilities that sum to at most 1.
func (r *reply) setTokens(seed uint64) {
	n := r.request.params.Logprobs
	if n <= 0 {
		r.tokens = nil
		return
	}
	if spellTokens(r.tokens) == r.text && len(r.tokens) > 0 {
		return
	}
	hi, lo := binary.LittleEndian.Uint64(r.request.key[:8]), binary.LittleEndian.Uint64(r.request.key[8:])
	r.tokens = makeUpLogprobs(r.text, n, rand.New(rand.NewPCG(hi^mix(seed+drawLogprobs<<32), lo)))
}

// textPieces cuts the text into the pieces of a stream. With log probabilities, each piece is
// as few tokens as are whole characters together.
func (r *reply) textPieces() func(yield func(string, []verbatim.Token) bool) {
	return func(yield func(string, []verbatim.Token) bool) {
		if len(r.tokens) == 0 {
			for piece := range r.pieces(r.text) {
				if !yield(piece, nil) {
					return
				}
			}
			return
		}
		from := 0
		for to := 1; to <= len(r.tokens); to++ {
			piece := spellTokens(r.tokens[from:to])
			if !utf8.ValidString(piece) && to < len(r.tokens) {
				continue
			}
			if !yield(piece, r.tokens[from:to]) {
				return
			}
			from = to
		}
	}
}

// appendCount appends before, which ends in the name of a member, and a number of tokens, or what
// a fault reports in its place.
func (r *reply) appendCount(b []byte, before string, n int64) []byte {
	b = append(b, before...)
	switch r.usage {
	case "zero":
		return append(b, '0')
	case "null":
		return append(b, "null"...)
	case "huge":
		return append(b, "99999999999999999999"...)
	}
	return strconv.AppendInt(b, n, 10)
}

// cutToTokens returns text if it is within the token limit, otherwise its beginning and true.
func cutToTokens(text string, limit int) (beginning string, isCut bool) {
	if tokens(len(text)) <= int64(limit) {
		return text, false
	}
	n := limit * tokenBytes
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n], true
}

// appendUsage appends the token counts, which usage writes for a number of completion tokens; a
// fault has them written twice.
func (r *reply) appendUsage(b []byte, usage func(b []byte, r *reply, completion int64) []byte) []byte {
	if r.usage == "twice" {
		b = usage(b, r, r.completionTokens()/2)
	}
	return usage(b, r, r.completionTokens())
}

// appendStringOrNull appends s as a JSON string, or null for "".
func appendStringOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return rawjson.AppendString(b, s)
}

// route draws the upstream that answers, and applies its faults to the text. The error is that
// of an upstream that fails.
func (r *reply) route(c *Config) *apiError {
	var candidates []Upstream
	for _, u := range c.Upstreams {
		if len(r.request.providers) == 0 || u.Stray || slices.Contains(r.request.providers, u.Name) {
			candidates = append(candidates, u)
		}
	}
	if len(candidates) == 0 {
		candidates = c.Upstreams // a router falls back rather than fail
	}
	u := candidates[r.request.rand(c.Seed, drawUpstream).IntN(len(candidates))]
	r.upstream = u.Name
	if u.Short {
		_, n := utf8.DecodeLastRuneInString(r.text)
		r.text = r.text[:len(r.text)-n]
	}
	if u.Fails {
		return &apiError{status: http.StatusServiceUnavailable, message: "Provider returned error", upstream: u.Name}
	}
	return nil
}
