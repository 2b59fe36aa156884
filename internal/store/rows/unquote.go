package rows

import (
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// What jsonText writes most often is read here without encoding/json, which
// makes a scan with texts twice as fast. Whatever is not exactly in that form is
// left to encoding/json: these functions then report false.

// plainPrompt reads a prompt of messages with one text each.
func plainPrompt(s string) (verbatim.Prompt, bool) {
	s, ok := strings.CutPrefix(s, "[")
	var p verbatim.Prompt
	for ok {
		var role, text string
		if s, ok = strings.CutPrefix(s, `{"role":`); ok {
			role, s, ok = rawjson.CutText(s)
		}
		if ok {
			s, ok = strings.CutPrefix(s, `,"content":`)
		}
		if ok {
			text, s, ok = rawjson.CutText(s)
		}
		if !ok {
			break
		}
		p = append(p, verbatim.Message{Role: role, Content: []verbatim.Part{{Text: text}}})
		if s == "}]" {
			return p, true
		}
		s, ok = strings.CutPrefix(s, "},")
	}
	return nil, false
}

// plainText reads a JSON string that is all of s.
func plainText(s string) (string, bool) {
	text, rest, ok := rawjson.CutText(s)
	return text, ok && rest == ""
}
