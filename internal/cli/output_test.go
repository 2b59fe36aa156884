package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"verbatim/internal/errkind"

	"verbatim/internal/redact"
	"verbatim/internal/terminal"
)

// What a model or a file is called reaches terminals through JSON too.
func TestJSONIsHarmless(t *testing.T) {
	const hostile = "m\x1b[31m\x07\u202eevil\u200b\u0085\x7f"
	var document, lines, complaint bytes.Buffer
	if err := writeDocument(&document, "test", map[string]string{"name": hostile}); err != nil {
		t.Fatal(err)
	}
	if err := terminal.WriteJSONLine(&lines, map[string]string{"name": hostile}); err != nil {
		t.Fatal(err)
	}
	printError(&complaint, 0, errkind.Runtimef("", "%s", hostile), true, redact.Redactor{})
	for what, text := range map[string]string{"a document": document.String(), "a line": lines.String(), "an error": complaint.String()} {
		if strings.ContainsAny(text, "\x1b\x07\u202e\u200b\u0085\x7f") {
			t.Errorf("%s lets through what a terminal obeys: %q", what, text)
		}
		var got map[string]string
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%s is no JSON: %v", what, err)
		}
		if got["name"] != hostile && got["message"] != hostile {
			t.Errorf("%s means something else: %q", what, text)
		}
	}
}
