package cli

import (
	"errors"
	"strings"
	"testing"

	"verbatim/internal/redact"
	"verbatim/internal/terminal"
)

// TestHintInWidth: a hint is broken between words on a terminal. A command at its end stays in
// one piece, on a line of its own.
func TestHintInWidth(t *testing.T) {
	const text, command = "raise the limit, or go on all the same with --keep-going, or give the model a second chance", "verbatim run --model 'http://127.0.0.1:8080/v1#m' --task copy --items 10 --reasoning-tokens 65536"
	f := Failure{Err: errors.New("it failed"), Hint: text + ": " + command}
	var narrow, wide strings.Builder
	f.Print(&narrow, 60, false, redact.Redactor{})
	f.Print(&wide, 0, false, redact.Redactor{})
	if want := "verbatim: hint: " + f.Hint + "\n"; !strings.HasSuffix(wide.String(), want) {
		t.Errorf("without a terminal:\n%s", wide.String())
	}
	lines := strings.Split(strings.TrimSuffix(narrow.String(), "\n"), "\n")
	if last := lines[len(lines)-1]; last != "  "+command {
		t.Errorf("the last line is %q", last)
	}
	for _, line := range lines[:len(lines)-1] {
		if !terminal.Fits(line, 60) {
			t.Errorf("%q does not fit 60 columns", line)
		}
	}
}
