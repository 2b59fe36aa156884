package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"verbatim"

	"verbatim/internal/fake"

	"verbatim/internal/obedient"
	"verbatim/internal/verdict/smoke"
)

// TestSmokeMatrix tests a server that holds under load, and one with each fault, over every
// protocol.
func TestSmokeMatrix(t *testing.T) {
	t.Parallel()
	faults := []struct {
		name string
		want smoke.Kind
	}{{"", ""}, {"leak", smoke.Leak}, {"garble", smoke.Characters}, {"empty", smoke.Empty}, {"corrupt", "copies"}, {"cut:0.2", smoke.Cut}, {"500:0.2", smoke.ServerFail}}
	for w, address := range protocolAddresses {
		wire, path := address[0], address[1]
		if underRace && wire != "" {
			continue // the protocols share what runs concurrently
		}
		for f, fault := range faults {
			if !inMatrix(w, f) {
				continue
			}
			name, want := fault.name, fault.want
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
				wantCode := Worse
				if want == "" {
					wantCode = exitDone
				}
				if kind != want || r.code != wantCode {
					t.Errorf("%s with exit code %d, want %q: %+v", got.Word, r.code, want, got)
				}
				if tools := got.Tools; want == "" && (tools == nil || tools.Right != 16 || tools.Called != 16) {
					t.Errorf("the calls of a tool: %+v", tools)
				}
			})
		}
	}
}

// TestSmokeTools tests servers that have no tools, or call them wrongly. The lines of text are
// copied right everywhere.
func TestSmokeTools(t *testing.T) {
	t.Parallel()
	served := loadedServer(t, "")
	target, err := url.Parse(served)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	calls := func(r *http.Request) (body []byte, tool bool) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		return body, bytes.Contains(body, []byte(`"tools":`))
	}
	servers := []struct {
		name  string
		serve http.HandlerFunc
		want  smoke.Tools
		word  smoke.Word
	}{
		{"refuses tools", func(w http.ResponseWriter, r *http.Request) {
			if _, tool := calls(r); tool {
				http.Error(w, `{"error":{"message":"tools are not supported"}}`, http.StatusBadRequest)
				return
			}
			proxy.ServeHTTP(w, r)
		}, smoke.Tools{Count: smoke.Count{Planned: 2, Missing: 2}}, smoke.NoFault},
		{"ignores tools", func(w http.ResponseWriter, r *http.Request) {
			body, _ := calls(r)
			body = bytes.Replace(body, []byte(`"tools":`), []byte(`"ignored":`), 1)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			proxy.ServeHTTP(w, r)
		}, smoke.Tools{Count: smoke.Count{Planned: 2, Replies: 2}}, smoke.NoFault},
		{"fails with tools", func(w http.ResponseWriter, r *http.Request) {
			if _, tool := calls(r); tool {
				http.Error(w, `{"error":{"message":"internal error"}}`, http.StatusInternalServerError)
				return
			}
			proxy.ServeHTTP(w, r)
		}, smoke.Tools{Count: smoke.Count{Planned: 2, Missing: 2}}, smoke.Undecided},
		{"spoils accents in arguments", func(w http.ResponseWriter, r *http.Request) {
			body, tool := calls(r)
			if tool { // of the prompt that the model copies
				body = bytes.ReplaceAll(body, []byte("café"), []byte("caf?"))
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			}
			proxy.ServeHTTP(w, r)
		}, smoke.Tools{Count: smoke.Count{Planned: 16, Replies: 16}, Called: 16}, smoke.NoFault},
	}
	for _, server := range servers {
		t.Run(server.name, func(t *testing.T) {
			r := invoke(t, filepath.Join(t.TempDir(), "x.db"), "smoke", serve(t, server.serve)+"/v1#m", "--json", "--quiet", "--max-attempts", "1")
			var got smoke.Result
			if err := json.Unmarshal([]byte(r.out), &got); err != nil {
				t.Fatalf("exit code %d: %s", r.code, r.err)
			}
			server.want.Phase = "tools"
			if got.Tools == nil || *got.Tools != server.want || got.Word != server.word || got.Phases[1].Right != 36 {
				t.Errorf("%s, want %s: tools %+v, want %+v; %+v", got.Word, server.word, got.Tools, server.want, got.Phases)
			}
		})
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
	if set, err := fake.ParseContracts([]string{name}); err == nil {
		c.Disobeys = set
	} else if name != "" {
		if c.Faults, err = fake.ParseFaults(name); err != nil {
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
