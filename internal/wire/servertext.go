package wire

import (
	"bytes"
	"encoding/json"

	"verbatim/internal/rawjson"
)

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
