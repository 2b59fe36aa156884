package cli

import (
	"cmp"
	"encoding/json"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"

	"verbatim/internal/exhaustive"
	"verbatim/internal/fake"

	"verbatim/internal/obedient"
	"verbatim/internal/verdict/preflight"
)

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
	case c == preflight.Greedy, c == preflight.Seed && wire != "responses" && wire != "anthropic", c == preflight.Upstream, c == preflight.Reasoning:
		return preflight.Information
	case c == preflight.Seed, c == preflight.Stop && wire == "responses", c == preflight.Logprobs && wire == "anthropic":
		return preflight.NotOffered
	}
	return preflight.Held
}
