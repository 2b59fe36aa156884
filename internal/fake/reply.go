package fake

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/rawjson"
)

// A reply is what is said to an ask, and how it is worded.
type reply struct {
	ask       *ask
	id        string // hexadecimal, the same for the same request of the same prompt
	created   time.Time
	text      string
	reasoning string
	finish    verbatim.Finish
	word      string // the finish reason as it is sent; "": the protocol's word for finish
	prompt    int64  // tokens of the prompt
	written   *int64 // tokens of the text, where a Model counted them and kept to the limit
	chunk     int    // bytes of an event of a stream
	field     string // of chat completions, for reasoning

	fingerprint string // of what answers

	usage              string // what is odd about the token counts: "missing", "null", "zero", "twice", "huge"
	noFinish, noEnd    bool
	errorNull, strange bool
	// trouble ends a stream after the text.
	trouble *trouble
}

// tokenBytes is how many bytes count as a token, rounded up.
const tokenBytes = 4

// imageTokens is what a picture counts.
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

func (r *reply) thought() int64    { return tokens(len(r.reasoning)) }
func (r *reply) completion() int64 { return r.said() + r.thought() }

func (r *reply) said() int64 { return r.saidBy(len(r.text)) }

// saidBy counts the tokens of the text's first n bytes.
func (r *reply) saidBy(n int) int64 {
	switch {
	case r.written == nil:
		return tokens(n)
	case n == len(r.text):
		return *r.written
	}
	return *r.written * int64(n) / int64(len(r.text))
}

// finishWord is the finish reason as it is sent, in the protocol's spelling.
func (r *reply) finishWord(spell func(verbatim.Finish) string) string {
	if r.word != "" {
		return r.word
	}
	return spell(r.finish)
}

// idOf names the reply to an ask.
func idOf(a *ask) string {
	var b [20]byte
	copy(b[:], a.key[:])
	binary.BigEndian.PutUint32(b[16:], uint32(a.try))
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

// count appends a number of tokens, or what is reported in its place.
func (r *reply) count(b []byte, n int64) []byte {
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

// within cuts text to a budget of tokens; 0 is none. It says whether it had to.
func within(text string, budget int) (string, bool) {
	if budget <= 0 || tokens(len(text)) <= int64(budget) {
		return text, false
	}
	n := budget * tokenBytes
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n], true
}

// appendWord appends s as a JSON string, or null for "".
func appendWord(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return rawjson.AppendString(b, s)
}
