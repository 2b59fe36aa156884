package nano

import (
	"slices"
	"strings"
)

// A token is a unit that the network reads or writes. Tokens below firstMark are bytes.
type token uint16

// The tokens after the bytes. The words begin at firstWord; the phrases follow them.
const (
	firstMark      token = 256
	endToken       token = 262 // ends an answer; no answer has a token above it
	systemToken    token = 263 // begins a system prompt
	userToken      token = 264 // begins a question
	assistantToken token = 265 // begins an answer
	textToken      token = 266 // begins content that is a text, or a number of a sum
	listToken      token = 267 // begins content that is a list
	unknownToken   token = 268 // a word that is not in the vocabulary
	firstWord      token = 269
)

// marks lists the texts of the tokens from firstMark up to endToken: the brackets and separators of
// lists.
func marks() [endToken - firstMark]string {
	return [...]string{"[", "]", ", ", "['", "', '", "']"}
}

func (t token) isMark() bool { return firstMark <= t && t < endToken }

// appendTo appends the text of a token of an answer.
func (t token) appendTo(dst []byte) []byte {
	switch {
	case t < firstMark:
		return append(dst, byte(t))
	case t.isMark():
		return append(dst, marks()[t-firstMark]...)
	}
	return dst
}

// listed returns the first token of the rest of a list, with its number of bytes: the longest mark that
// it begins with, or a byte.
func listed(s string) (t token, size int) {
	t, size = token(s[0]), 1
	for i, m := range marks() {
		if strings.HasPrefix(s, m) && (len(m) > size || t < firstMark) {
			t, size = firstMark+token(i), len(m)
		}
	}
	return t, size
}

// A vocabulary has the words and phrases of instructions.
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
	slices.SortStableFunc(v.phrases, func(a, b phrase) int { return len(b.text) - len(a.text) })
	return v
}

// instruction returns the first token of s with its number of bytes: a phrase, a word in any case, or
// unknownToken for another word. ok is false if s begins with a byte that is left out.
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

// isWordByte reports whether a byte belongs to a word. All bytes beyond ASCII do, as in training.
func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '\'' || c >= 0x80
}

// lower returns s with ASCII letters in lower case. Other letters keep their case, as in training.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}
