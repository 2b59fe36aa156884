package wire

import (
	"bytes"
	"encoding/json"

	"verbatim/internal/rawjson"
	"verbatim/internal/wire/apikey"
	"verbatim/internal/wire/clean"
)

// maxMessage is how many characters are saved of a server's message.
const maxMessage = 400

// maxValue is how many characters are saved of a header or of a name from a server.
const maxValue = 200

// serverText returns a string, or the JSON text of any other value that is set.
func serverText(raw json.RawMessage, key apikey.Key) string {
	if !rawjson.IsSet(raw) {
		return ""
	}
	s, ok := rawjson.Text(raw)
	if !ok {
		s = string(raw)
	}
	return clean.Line(key.Hide(s), maxMessage)
}

// Word returns a string, or the text of a number, that a server uses as a name, safe to
// print. Anything else is "".
func Word(raw json.RawMessage) string {
	s, ok := rawjson.Text(raw)
	if !ok && len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		s = string(raw)
	}
	return clean.Line(s, maxValue)
}

// setOnce sets *s if it is empty.
func setOnce(s *string, raw json.RawMessage) {
	if *s == "" {
		*s = Word(raw)
	}
}

// pageTitle returns the title of a web page, or its first words without tags.
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
