package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/rawjson"
)

// CleanLine returns a server's text as one line that is safe for a terminal. White space becomes one
// space. Invisible and control characters become escapes. A text of more than max characters
// is cut and ends in "…"; an escape counts as one character.
func CleanLine(s string, max int) string {
	if isPlain(s) && len(s) <= max {
		return s
	}
	var b strings.Builder
	n, space := 0, false
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		char := s[:size]
		s = s[size:]
		switch {
		case unicode.IsSpace(r):
			space = n > 0
			continue
		case r == utf8.RuneError && size == 1:
			char = fmt.Sprintf(`\x%02x`, char[0])
		case !unicode.IsGraphic(r):
			char = strings.Trim(strconv.QuoteRuneToASCII(r), "'")
		}
		if space {
			b.WriteByte(' ')
			space = false
			n++
		}
		if n >= max {
			b.WriteString("…")
			break
		}
		b.WriteString(char)
		n++
	}
	return b.String()
}

// isPlain reports whether s is visible ASCII without spaces, as most names are.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// The greatest number of characters that are saved of a server's texts.
const (
	maxMessage = 400 // of a message
	maxValue   = 200 // of a header or a name
)

// serverText returns the text of a string, the JSON of any other value, and "" for none and
// null. It is safe to print, limited in length and without the key.
func serverText(raw json.RawMessage, key Key) string {
	if !rawjson.IsSet(raw) {
		return ""
	}
	s, ok := rawjson.Text(raw)
	if !ok {
		s = string(raw)
	}
	return CleanLine(key.Hide(s), maxMessage)
}

// Word returns a string or a number that a server uses as a name, safe to print. Anything else
// is "".
func Word(raw json.RawMessage) string {
	s, ok := rawjson.Text(raw)
	if !ok && len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		s = string(raw)
	}
	return CleanLine(s, maxValue)
}

// setOnce sets *s to the Word of raw if it is empty.
func setOnce(s *string, raw json.RawMessage) {
	if *s == "" {
		*s = Word(raw)
	}
}

// pageTitle returns the title of a web page, or the text of its beginning.
func pageTitle(page []byte) string {
	lower := bytes.ToLower(page)
	if i := bytes.Index(lower, []byte("<title>")); i >= 0 && len(lower) == len(page) {
		title, _, _ := bytes.Cut(page[i+len("<title>"):], []byte("<"))
		return string(title)
	}
	var text []byte
	inTag := false
	for _, b := range page[:min(len(page), 4<<10)] {
		switch {
		case b == '<':
			inTag = true
			text = append(text, ' ')
		case b == '>':
			inTag = false
		case !inTag:
			text = append(text, b)
		}
	}
	return string(text)
}

const (
	headBytes = 4 << 10
	tailBytes = 4 << 10
)

// HeadAndTail returns the part that is saved of the text of an incomplete reply: all of a short
// one, the head and the tail of a long one, in whole characters.
func HeadAndTail(text string) string {
	if len(text) <= headBytes+tailBytes+100 {
		return text
	}
	head, tail := headBytes, len(text)-tailBytes
	for head > headBytes-utf8.UTFMax && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text)-tailBytes+utf8.UTFMax && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", text[:head], tail-head, text[tail:])
}
