package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/cli/exit"
)

// A system message of a task would replace the default one of a chat template, and hide that it
// differs between the endpoints: it is sent in the user message, unless the flag says otherwise.
func TestVerifySystemText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flags    []string
		messages int // of a request
		start    string
	}{
		{nil, 1, "Your task is to sort a list"}, {[]string{"--system-as", "user"}, 1, "Your task is to sort a list"}, {[]string{"--system-as", "system"}, 2, "Sort the following list"},
	} {
		w := newWireLog(t)
		flags := append([]string{"verify", w.url, w.url, "--task", "sort-int", "--items", "1", "--no-logprobs", "--no-sampling", "--no-tools", "--quiet"}, c.flags...)
		if r := invoke(t, filepath.Join(t.TempDir(), "x.db"), flags...); r.code != exit.Done {
			t.Fatalf("%q: exit code %d: %s", c.flags, r.code, r.err)
		}
		if len(w.requests) == 0 {
			t.Errorf("%q: no request", c.flags)
		}
		for _, r := range w.requests {
			if text := r.Messages[len(r.Messages)-1].Content; len(r.Messages) != c.messages || !strings.HasPrefix(text, c.start) {
				t.Errorf("%q: %d messages, the last one is %q", c.flags, len(r.Messages), text)
			}
		}
	}
}
