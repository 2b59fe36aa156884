package cli

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// An extra parameter that the program sets itself is a mistake on the command line, in every protocol
// and command: nothing is sent and no run is saved.
func TestExtraOfTheProgram(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.NotFound(w, r)
	}))
	defer server.Close()
	db := filepath.Join(t.TempDir(), "v.db")
	for wire, names := range map[string]string{
		"": "model messages stream max_tokens stream_options", "responses+": "model input stream store max_output_tokens previous_response_id",
		"anthropic+": "model messages system stream max_tokens", "gemini+": "contents systemInstruction", "ollama+": "model messages stream truncate shift",
	} {
		for name := range strings.FieldsSeq(names) {
			for _, command := range []string{"run", "plan", "preflight", "smoke"} {
				args := []string{command, wire + server.URL + "#m", "--extra", `{"` + name + `":1}`}
				if command == "run" || command == "plan" {
					args = append(args[:1], append([]string{"-t", "copy", "-n", "1", "-l", "4", "-m"}, args[1:]...)...)
				}
				if r := invoke(t, db, args...); r.code != Usage || !strings.Contains(r.err, `"`+name+`" is set already`) || !strings.Contains(r.err, "hint: leave it out") {
					t.Errorf("%q: exit code %d: %s", args, r.code, r.err)
				}
			}
		}
	}
	r := invoke(t, db, "run", "-m", server.URL+"#m", "-t", "match", "-n", "1", "--as", "tool", "--extra", `{"tools":[]}`)
	if r.code != Usage || asked.Load() != 0 {
		t.Errorf("a tool: exit code %d: %s; %d requests were sent", r.code, r.err, asked.Load())
	}
	if r := invoke(t, db, "runs"); !strings.Contains(r.err, "there is no database") {
		t.Errorf("runs: %s %s", r.out, r.err)
	}
}
