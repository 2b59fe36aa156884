package cli

import (
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"verbatim/internal/exhaustive"
)

// TestEndlessStream asks servers that ignore the token limit and never stop, over every
// protocol that streams: each answer is truncated, before and after the room for reasoning is
// gone.
func TestEndlessStream(t *testing.T) {
	for n, c := range []struct{ address, path, event string }{
		{"", "/v1", `data: {"choices":[{"delta":{"content":"word "}}]}` + "\n\n"},
		{"responses+", "/v1", "event: response.output_text.delta\n" + `data: {"type":"response.output_text.delta","delta":"word "}` + "\n\n"},
		{"anthropic+", "/v1", "event: content_block_delta\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"word "}}` + "\n\n"},
		{"gemini+", "/v1beta", `data: {"candidates":[{"content":{"parts":[{"text":"word "}]}}]}` + "\n\n"},
		{"ollama+", "", `{"message":{"role":"assistant","content":"word "},"done":false}` + "\n"},
	} {
		for k, whole := range []string{"", "50"} {
			if (n+k)%2 != 0 && !exhaustive.All() {
				continue // scripts/check has both for all protocols
			}
			t.Run(c.address+whole, func(t *testing.T) {
				t.Parallel()
				url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodGet {
						http.NotFound(w, r)
						return
					}
					w.Header().Set("Content-Type", "text/event-stream")
					for range 200_000 { // some 1 MB of text: the limit of its size ends it otherwise
						if _, err := io.WriteString(w, c.event); err != nil {
							return
						}
					}
				}))
				args := []string{"run", "--model", c.address + url + c.path + "#m", "--task", "copy", "--length", "8", "--items", "14", "--quiet", "--json", "-j", "1"}
				if whole != "" {
					args = append(args, "--max-tokens", whole)
				}
				r := invoke(t, filepath.Join(t.TempDir(), "x.db"), args...)
				if got := strings.Count(r.out, `"outcome":"truncated"`); got != 14 || r.code != exitDone {
					t.Errorf("exit code %d, %d of 14 truncated: %.300s %.300s", r.code, got, r.out, r.err)
				}
			})
		}
	}
}
