package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/fake"
	"verbatim/internal/obedient"
	"verbatim/internal/verdict/preflight"
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
			body = bytes.Replace(body, []byte(`"tools":`), []byte(`"metadata":`), 1)
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

// protocolAddresses are the protocols, with what is before and after the address of a server.
var protocolAddresses = [][2]string{{"", "/v1#m"}, {"responses+", "/v1#m"}, {"anthropic+", "#m"}, {"gemini+", "/v1beta#m"}, {"ollama+", "#m"}}

// inMatrix reports whether a test takes the f-th fault over the w-th protocol. The
// first protocol has all faults. The others share them, so that two protocols have
// each. The first of the list, which has no fault, is taken over every protocol. With
// VERBATIM_EXHAUSTIVE every protocol has every fault.
func inMatrix(w, f int) bool {
	others := len(protocolAddresses) - 1
	return w == 0 || f == 0 || f%others == w-1 || exhaustive.All()
}

// TestPreflightMatrix tests an endpoint that keeps every contract, and one that breaks each,
// over every protocol: the contract that is broken is the only one that is called broken.
func TestPreflightMatrix(t *testing.T) {
	t.Parallel()
	breaks := map[string]preflight.Contract{
		"limit": preflight.TokenLimit, "finish": preflight.Finish, "stop": preflight.Stop, "temperature": preflight.Temperature, "system": preflight.System,
		"stream": preflight.Streaming, "count": preflight.Streaming, "usage": preflight.Usage, "unicode": preflight.Unicode, "context": preflight.Context, "sum": preflight.Logprobs,
	}
	for w, address := range protocolAddresses {
		wire, path := cmp.Or(strings.TrimSuffix(address[0], "+"), "chat"), address[1]
		if underRace && wire != "chat" {
			continue // the protocols share what runs concurrently
		}
		for f, contract := range append([]fake.Contract{{Name: ""}}, fake.Contracts()...) {
			if !inMatrix(w, f) {
				continue
			}
			t.Run(wire+"/"+contract.Name, func(t *testing.T) {
				t.Parallel()
				url := obedientServer(t, contract.Name)
				r := invoke(t, filepath.Join(t.TempDir(), "x.db"), "preflight", address[0]+url+path, "--json", "--quiet", "--context", "1000")
				var got struct {
					Contracts []preflight.Line
					Calls     int
				}
				if err := json.Unmarshal([]byte(r.out), &got); err != nil {
					t.Fatalf("exit code %d: %s", r.code, r.err)
				}
				if got.Calls > preflight.MaxCalls {
					t.Errorf("%d calls", got.Calls)
				}
				want := breaks[contract.Name]
				switch {
				case wire == "responses" && want == preflight.Stop, wire == "anthropic" && want == preflight.Logprobs:
					want = "" // the protocol has no such parameter
				}
				for _, l := range got.Contracts {
					if (l.State == preflight.Broken) != (l.Contract == want) {
						t.Errorf("%s is %s: %s %q", l.Contract, l.State, l.Says, l.Evidence)
					}
					if contract.Name == "" && l.State != wantState(wire, l.Contract) {
						t.Errorf("%s is %s, want %s: %s %q", l.Contract, l.State, wantState(wire, l.Contract), l.Says, l.Evidence)
					}
				}
				for _, l := range got.Contracts {
					if says := map[bool]string{true: "n: 2 counts one choice only", false: "n: 2 counts both choices"}[contract.Name == "choices"]; wire == "chat" && l.Contract == preflight.Usage &&
						l.State == preflight.Held && !strings.HasSuffix(l.Says, says) && contract.Name != "limit" && contract.Name != "finish" {
						t.Errorf("usage: %q, want %q", l.Says, says)
					}
				}
				if wantCode := map[bool]int{true: exitDone, false: Worse}[want == ""]; r.code != wantCode {
					t.Errorf("exit code %d, want %d", r.code, wantCode)
				}
			})
		}
	}
}

// obedientServer serves a model that does what prompts say, and breaks a contract; "": none.
func obedientServer(t *testing.T, contract string) (url string) {
	t.Helper()
	model, err := obedient.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := fake.Config{Model: model, Any: true, Item: func(verbatim.Prompt) *verbatim.Item { return nil }, Models: []string{"m"}, Strict: true}
	if contract != "" {
		if c.Disobeys, err = fake.ParseContracts([]string{contract}); err != nil {
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

// wantState returns the state of a contract at an endpoint that keeps all.
func wantState(wire string, c preflight.Contract) preflight.State {
	switch {
	case c == preflight.Greedy, c == preflight.Seed && wire != "responses" && wire != "anthropic", c == preflight.Upstream:
		return preflight.Information
	case c == preflight.Reasoning, c == preflight.Seed, c == preflight.Stop && wire == "responses", c == preflight.Logprobs && wire == "anthropic":
		return preflight.NotOffered
	}
	return preflight.Held
}
