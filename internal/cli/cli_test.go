package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"verbatim/internal/exhaustive"
	"verbatim/internal/fake"
	"verbatim/internal/obedient"
	"verbatim/internal/testmain"
)

// A ran is what a command line printed and returned.
type ran struct {
	code     int
	out, err string
}

// invoke runs a command line with a database of its own.
func invoke(t *testing.T, db string, args ...string) ran {
	t.Helper()
	var out, err bytes.Buffer
	env := Env{
		In: strings.NewReader(""), Out: &out, Err: &err,
		Getenv: func(name string) string {
			return map[string]string{"VERBATIM_DISCOVER": "off", "VERBATIM_DB": db}[name]
		},
		Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} },
	}
	code := Main(args, env)
	return ran{code, out.String(), err.String()}
}

// answering serves streamed chat completions of the text.
func answering(text string) http.HandlerFunc {
	content, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", content)
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}
}

// serve serves h until the test ends. It does not say how many slots it has.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/props" || r.URL.Path == "/metrics" {
			http.NotFound(w, r)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestEndpointsThatAreNone runs against addresses that are no API: each ends with exit
// code 1 and says what is there and what to do.
func TestEndpointsThatAreNone(t *testing.T) {
	t.Parallel()
	status := func(code int, contentType, body string) string {
		return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}))
	}
	tests := []struct {
		name, url string
		want      []string
	}{
		{"a web page", status(200, "text/html", "<!DOCTYPE html><title>Router</title>"), []string{"web page", "/v1"}},
		{"no such path", status(404, "text/plain", "404 page not found"), []string{"404", "/v1"}},
		{"a key is missing", status(401, "application/json", `{"error":{"message":"missing key","code":401}}`), []string{"401", "VERBATIM_API_KEY"}},
		// A port below 1024 is never handed to another test's server.
		{"nobody listens", "http://127.0.0.1:1", []string{"refused", "server"}},
		{"an error in a 200", status(200, "application/json", `{"error":{"message":"the model is on fire \u001b[31m"}}`), []string{"on fire"}},
		{"an empty body", status(200, "text/event-stream", ""), []string{"cut"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "x.db")
			r := invoke(t, db, "run", "--model", test.url+"/v1#m", "--task", "reverse", "--length", "8", "--items", "12", "--max-attempts", "1")
			if r.code != Failed {
				t.Errorf("exit code %d, want 1", r.code)
			}
			for _, want := range append(test.want, "hint:", "have no answer yet", "continue with: verbatim run") {
				if !strings.Contains(r.err, want) {
					t.Errorf("the error does not say %q:\n%s", want, r.err)
				}
			}
			if strings.ContainsRune(r.err+r.out, '\x1b') {
				t.Error("an escape sequence of the server reached the terminal")
			}
			if strings.Contains(r.out, "100.0") {
				t.Errorf("the table shows answers:\n%s", r.out)
			}
		})
	}
}

// TestOversizedReplies gets replies that are far larger than their token limit allows.
// They are no answers, no request is repeated, and the database stays small.
func TestOversizedReplies(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	var asked atomic.Int64
	answer := answering(strings.Repeat("0123456789", 1<<20))
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			asked.Add(1)
		}
		answer.ServeHTTP(w, r)
	}))
	r := invoke(t, db, "run", "--model", url+"/v1#m", "--task", "reverse,sort-int,add", "--length", "8", "--items", "1")
	if r.code != Failed || !strings.Contains(r.err, "--max-reply raises it") {
		t.Errorf("exit code %d: %s", r.code, r.err)
	}
	if n := asked.Load(); n > 3 {
		t.Errorf("3 items were sent %d times", n)
	}
	if info, err := os.Stat(db); err != nil || info.Size() > 2<<20 {
		t.Errorf("the database has %d bytes, %v", info.Size(), err)
	}
}

// TestHostileAnswers runs models whose answers no terminal or database should trust:
// the run is complete, the table and the item can be shown, and no sequence in them is
// obeyed.
func TestHostileAnswers(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"NUL":      "a\x00b",
		"escapes":  "\x1b[2J\x1b]0;owned\x07 \u202egnp.exe \u200b",
		"newlines": strings.Repeat("\r\n", 1000),
		"large":    strings.Repeat("0123456789", 1<<18),
		"markup":   "</td><script>alert(1)</script>|`$(rm -rf /)`",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "x.db")
			url := serve(t, answering(text))
			start := time.Now()
			r := invoke(t, db, "run", "--model", url+"/v1#m", "--task", "reverse,sort-int,add", "--length", "8", "--items", "1", "--max-reply", "3000000")
			if r.code != exitDone {
				t.Fatalf("exit code %d: %s", r.code, r.err)
			}
			shown := invoke(t, db, "show", "last", "--full")
			if shown.code != exitDone || !strings.Contains(shown.out, "reverse@1/len=8/seed=1/0") {
				t.Errorf("show: exit code %d: %s", shown.code, shown.err)
			}
			for _, c := range []string{"\x1b", "\x00", "\u202e", "\u200b", "\x07", "\r"} {
				if strings.Contains(r.out+r.err+shown.out, c) {
					t.Errorf("%q reached the terminal", c)
				}
			}
			if len(shown.out) > 1<<20 {
				t.Errorf("show prints %d bytes", len(shown.out))
			}
			exported := filepath.Join(t.TempDir(), "x.jsonl")
			if e := invoke(t, db, "export", "last", "-o", exported); e.code != exitDone {
				t.Fatal(e.err)
			}
			t.Logf("%.1f s", time.Since(start).Seconds())
			again := invoke(t, "none", "report", exported)
			if again.code != exitDone || again.out == "" {
				t.Errorf("report of the export: exit code %d: %s", again.code, again.err)
			}
		})
	}
}

// TestCutStreams cuts an answer at every third byte: an answer that did not arrive whole
// is never graded.
func TestCutStreams(t *testing.T) {
	const whole = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"abcdefgh\"}}]}\n\n" +
		"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	end := strings.Index(whole, "[DONE]") + len("[DONE]")
	var requests atomic.Int64
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost { // a look at what the server serves
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, whole[:3*(requests.Add(1)-1)])
	}))
	db := filepath.Join(t.TempDir(), "x.db")
	cuts := (end + 1) / 3
	for done := 0; done < cuts; {
		items := min(7, cuts-done) // with one more the run would end at the eighth failure
		r := invoke(t, db, "run", "--new", "--model", url+"/v1#m", "--task", "reverse", "--length", "8", "--items", fmt.Sprint(items), "--max-attempts", "1", "--json", "--quiet")
		if done += items; r.code != Failed || strings.Count(r.out, `"outcome":"cut"`) != items || requests.Load() != int64(done) {
			t.Fatalf("the %d cuts before byte %d, after %d requests: exit code %d\n%s%s", items, 3*done, requests.Load(), r.code, r.out, r.err)
		}
	}
}

// TestJSONErrors wants errors as one document under --json, and under --format json, which is the same.
func TestJSONErrors(t *testing.T) {
	for _, flag := range []string{"--json", "--format=json"} {
		r := invoke(t, "none.db", "report", "last", flag)
		var doc struct{ Format, Kind, Message, Hint string }
		if err := json.Unmarshal([]byte(r.err), &doc); err != nil || doc.Format != "verbatim/error/1" || doc.Kind != "failed" && doc.Kind != "usage" || doc.Message == "" {
			t.Errorf("%s: %v: %s", flag, err, r.err)
		}
	}
	if r := invoke(t, "none.db", "report", "last", "--format=csv"); !strings.HasPrefix(r.err, "verbatim: error: ") {
		t.Errorf("an error is no text: %s", r.err)
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }

// TestFailingUpstream: a router one of whose upstreams refuses every request, so that the other one
// answers the retries. Every format of a report names the one that failed, and so does verify.
func TestFailingUpstream(t *testing.T) {
	t.Parallel()
	var list []fake.Upstream
	for _, up := range []string{"north", "east", "west"} {
		list = append(list, fake.Upstream{Name: up})
	}
	model, err := obedient.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := fake.New(fake.Config{Model: model, Any: true, Upstreams: append(list, fake.Upstream{Name: "south", Fails: true})})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	db := filepath.Join(t.TempDir(), "x.db")
	name := server.URL + "/v1#m"
	if r := invoke(t, db, "run", "--model", name, "--task", "copy", "--length", "4", "--items", "40", "--concurrency", "12", "-q"); r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	for format, want := range map[string][]string{
		"text": {"upstreams east", "south 0 answers, ", " failed (overload ", "! Upstream south answered no request: "},
		"md":   {"south 0 answers, ", "Upstream south answered no request: "},
		"csv":  {",upstream,failed_requests,failed_attempts,failed_classes", ",south,", ",overload:"},
		"json": {`"name": "south"`, `"failed": {`, `"name": "overload"`, `"kind": "upstream_failed"`},
		"html": {"failed attempts", "south", "overload"},
	} {
		r := invoke(t, db, "report", "1", "--format", format)
		for _, w := range want {
			if !strings.Contains(r.out, w) {
				t.Errorf("%s lacks %q", format, w)
			}
		}
	}
	if r := invoke(t, db, "show", "1", "--full"); !strings.Contains(r.out, "overload (HTTP 503) · by south") {
		t.Error("show does not say which upstream failed an attempt")
	}
	r := invoke(t, db, "verify", "sim:obedient", name, "--items", "20", "--task", "copy", "--length", "4", "--no-logprobs", "--mix-upstreams", "--json")
	if want := `An upstream of ` + name + ` failed: south: `; !strings.Contains(r.out, want) {
		t.Errorf("verify lacks %q in %s", want, r.out)
	}
}

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
