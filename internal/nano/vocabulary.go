package nano

import (
	"strings"

	"verbatim/internal/listsort"
)

// A token is what the network reads and writes. Those below firstMark are bytes.
type token uint16

// The tokens after the bytes. The words begin at firstWord; the phrases follow them.
const (
	firstMark      token = 256
	endToken       token = 262 // ends an answer; no answer holds a token above it
	systemToken    token = 263 // begins a system prompt,
	userToken      token = 264 // a question,
	assistantToken token = 265 // an answer,
	textToken      token = 266 // a payload that is a text, or a number of a sum,
	listToken      token = 267 // and a payload that is a list
	unknownToken   token = 268 // a word that the network does not know
	firstWord      token = 269
)

// marks lists the spellings of the tokens from firstMark to endToken: what stands
// between the items of a list.
func marks() [endToken - firstMark]string {
	return [...]string{"[", "]", ", ", "['", "', '", "']"}
}

func (t token) isMark() bool { return firstMark <= t && t < endToken }

// appendTo appends what a token of an answer stands for.
func (t token) appendTo(dst []byte) []byte {
	switch {
	case t < firstMark:
		return append(dst, byte(t))
	case t.isMark():
		return append(dst, marks()[t-firstMark]...)
	}
	return dst
}

// listed returns the token that a list begins with, the longest mark, otherwise a byte,
// and how many bytes it takes.
func listed(s string) (t token, size int) {
	t, size = token(s[0]), 1
	for i, m := range marks() {
		if strings.HasPrefix(s, m) && (len(m) > size || t < firstMark) {
			t, size = firstMark+token(i), len(m)
		}
	}
	return t, size
}

// A vocabulary holds the words and phrases that instructions are made of.
type vocabulary struct {
	words   map[string]token
	phrases []phrase // the longest first
}

// A phrase is a sentence that is one token.
type phrase struct {
	text  string
	token token
}

func newVocabulary(words, phrases []string) vocabulary {
	v := vocabulary{words: make(map[string]token, len(words))}
	for i, w := range words {
		v.words[w] = firstWord + token(i)
	}
	for i, p := range phrases {
		v.phrases = append(v.phrases, phrase{p, firstWord + token(len(words)+i)})
	}
	listsort.Stable(v.phrases, func(a, b phrase) int { return len(b.text) - len(a.text) })
	return v
}

// instruction returns the token that s begins with and how many bytes it takes: a
// phrase, a word, whatever its case, or unknownToken for another word. False where no
// token begins: such a byte is passed over.
func (v vocabulary) instruction(s string) (t token, size int, ok bool) {
	for _, p := range v.phrases {
		if strings.HasPrefix(s, p.text) {
			return p.token, len(p.text), true
		}
	}
	for size < len(s) && isWordByte(s[size]) {
		size++
	}
	if size == 0 {
		return 0, 1, false
	}
	if t, ok = v.words[lower(s[:size])]; !ok {
		t = unknownToken
	}
	return t, size, true
}

// isWordByte takes all of UTF-8 beyond ASCII for letters, which is near enough.
func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '\'' || c >= 0x80
}

// lower returns s with ASCII letters in lower case. Letters beyond ASCII keep their
// case, as in training.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}
