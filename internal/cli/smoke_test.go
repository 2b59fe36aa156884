package cli

import (
	"encoding/json"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/fake/disobey"
	"verbatim/internal/fault"
	"verbatim/internal/obedient"
	"verbatim/internal/verdict/smoke"
)

// TestSmokeMatrix tests a server that holds under load, and one with each fault, over every
// protocol.
func TestSmokeMatrix(t *testing.T) {
	wires := map[string]string{"": "/v1#m", "responses+": "/v1#m", "anthropic+": "#m", "gemini+": "/v1beta#m", "ollama+": "#m"}
	faults := map[string]smoke.Kind{"": "", "leak": smoke.Leak, "garble": smoke.Characters, "empty": smoke.Empty, "corrupt": "copies", "cut:0.2": smoke.Cut, "500:0.2": smoke.ServerFail}
	for wire, path := range wires {
		if underRace && wire != "" {
			continue // the protocols share what runs concurrently
		}
		for name, want := range faults {
			t.Run(wire+name, func(t *testing.T) {
				t.Parallel()
				r := invoke(t, filepath.Join(t.TempDir(), "x.db"), "smoke", wire+loadedServer(t, name)+path, "--json", "--quiet")
				var got smoke.Result
				if err := json.Unmarshal([]byte(r.out), &got); err != nil {
					t.Fatalf("exit code %d: %s", r.code, r.err)
				}
				kind := smoke.Kind("")
				switch {
				case len(got.Failures) > 0:
					kind = got.Failures[0].Kind
				case got.Word == smoke.Fault:
					kind = "copies"
				}
				wantCode := exitWorse
				if want == "" {
					wantCode = exitDone
				}
				if kind != want || r.code != wantCode {
					t.Errorf("%s with exit code %d, want %q: %+v", got.Word, r.code, want, got)
				}
			})
		}
	}
}

// loadedServer serves a model that does what prompts say, with a fault.
func loadedServer(t *testing.T, name string) (url string) {
	t.Helper()
	model, err := obedient.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := fake.Config{Model: model, Any: true, Item: func(verbatim.Prompt) *verbatim.Item { return nil }, Pace: fake.Pace{Latency: 10 * time.Millisecond}}
	if set, err := disobey.Parse([]string{name}); err == nil {
		c.Disobeys = set
	} else if name != "" {
		if c.Faults, err = fault.Parse(name); err != nil {
			t.Fatal(err)
		}
	}
	server, err := fake.New(c)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(server)
	t.Cleanup(s.Close)
	return s.URL
}
