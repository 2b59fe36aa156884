package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestGradeStreams sends a line and reads its grade, or why it has none, before it sends the next one.
func TestGradeStreams(t *testing.T) {
	in, lines := io.Pipe()
	grades, out := io.Pipe()
	var talk strings.Builder
	ended := make(chan int, 1)
	go func() {
		ended <- Main([]string{"grade"}, Env{In: in, Out: out, Err: &talk, Getenv: func(string) string { return "" },
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} }})
		out.Close()
	}()
	time.AfterFunc(30*time.Second, func() { out.CloseWithError(io.ErrNoProgress) })
	read := bufio.NewReader(grades)
	for _, c := range []struct{ reply, label string }{{"abc", "pass"}, {"ABC", "case"}, {"ab", "dropped_char"}, {"", ""}} {
		question := `{"want":"abc","reply":"` + c.reply + `"}`
		want := `"label":"` + c.label + `"`
		if c.label == "" {
			question, want = `{"want":"abc","reply":null}`, `"grade":null,"grade_error":"no `
		}
		io.WriteString(lines, question+"\n")
		line, err := read.ReadString('\n')
		if err != nil {
			t.Fatalf("no grade while the input is open: %v", err)
		}
		if !strings.Contains(line, want) {
			t.Errorf("%s: %s; want %s", question, line, want)
		}
	}
	lines.Close()
	if code := <-ended; code != Failed {
		t.Errorf("exit code %d: %s", code, talk.String())
	}
}

// TestWantedWhiteSpace grades what run refuses, and gets the same refusal.
func TestWantedWhiteSpace(t *testing.T) {
	var out, talk strings.Builder
	code := Main([]string{"grade"}, Env{In: strings.NewReader(`{"want":"abc ","reply":"abc"}`), Out: &out, Err: &talk, Getenv: func(string) string { return "" },
		Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} }})
	if code != Failed || !strings.Contains(out.String(), `"grade":null`) || !strings.Contains(talk.String(), `"want" begins or ends with white space`) {
		t.Errorf("exit code %d, %q, %q", code, out.String(), talk.String())
	}
}

// TestUnknownCommands holds what is said about commands that people type.
func TestUnknownCommands(t *testing.T) {
	for word, want := range map[string]string{
		"list":    "'verbatim runs' lists the saved runs",
		"man":     "'verbatim --help' lists the commands",
		"modles":  "did you mean 'models'?",
		"rnu":     "did you mean 'run'?",
		"comapre": "did you mean 'compare'?",
		"test":    "did you mean 'run'?",
	} {
		if got := invoke(t, "", word); got.code != Usage || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit code %d, %s; want %q", word, got.code, got.err, want)
		}
	}
}

// TestFlagsTypedAsArguments holds the hints about words that are values of a flag.
func TestFlagsTypedAsArguments(t *testing.T) {
	for line, want := range map[string]string{
		"run http://127.0.0.1:8080/v1": "did you mean 'verbatim run --model http://127.0.0.1:8080/v1'?",
		"plan openai:gpt-4o-mini":      "did you mean 'verbatim plan --model openai:gpt-4o-mini'?",
		"run nano":                     "did you mean 'verbatim run --model nano'?",
		"run reverse":                  "did you mean 'verbatim run --task reverse'?",
		"items sortbench":              "did you mean 'verbatim items --suite sortbench'?",
		"check 1":                      "did you mean 'verbatim check --baseline 1'?",
		"check last":                   "did you mean 'verbatim check --baseline last'?",
		"run gpt":                      "usage: verbatim run [flags]",
		"runs 1":                       "usage: verbatim runs [flags]",
	} {
		words := strings.Fields(line)
		got := invoke(t, "", words...)
		if says := `"verbatim ` + words[0] + `" takes no arguments, and "` + words[1] + `" is one`; got.code != Usage || !strings.Contains(got.err, says) || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit code %d, %s; want %q and %q", line, got.code, got.err, says, want)
		}
	}
}

// TestShowLines: show --json of several records prints one document a line, as
// docs/format.md says.
func TestShowLines(t *testing.T) {
	db := filepath.Join(t.TempDir(), "v.db")
	invoke(t, db, "run", "-q", "-t", "reverse", "-l", "8", "-n", "4", "-m", "sim:sloppy")
	for _, args := range [][]string{{"show", "1", "--all", "--json"}, {"show", "1", "reverse@1/len=8/seed=1/0", "reverse@1/len=8/seed=1/1", "reverse@1/len=8/seed=1/2", "reverse@1/len=8/seed=1/3", "--json"}} {
		got := invoke(t, db, args...)
		lines := strings.Split(strings.TrimSpace(got.out), "\n")
		if len(lines) != 4 {
			t.Fatalf("%v: %d lines: %s%s", args, len(lines), got.out, got.err)
		}
		for _, line := range lines {
			if !json.Valid([]byte(line)) {
				t.Errorf("%v: %q is no document", args, line)
			}
		}
	}
}

// TestForEndsAsPlanned: a run that --for ends has not failed, and says what was not sent.
func TestForEndsAsPlanned(t *testing.T) {
	db := filepath.Join(t.TempDir(), "v.db")
	args := []string{"run", "-q", "-t", "reverse", "-l", "8", "-n", "500", "-j", "1", "-m", "sim:careful?latency=50ms"}
	got := invoke(t, db, append(args, "--for", "500ms")...)
	if got.code != exitDone || !strings.Contains(got.err, "The time of --for is over: ") || !strings.Contains(got.err, " of 500 requests were not sent. Continue with: verbatim run") {
		t.Errorf("exit code %d: %s", got.code, got.err)
	}
	got = invoke(t, db, append(args, "--for", "1ns", "--new")...)
	if got.code != exitDone || !strings.Contains(got.err, "500 of 500 requests were not sent") {
		t.Errorf("without a request: exit code %d: %s", got.code, got.err)
	}
	got = invoke(t, db, append(args, "--for", "500ms", "--new", "--model", "sim:down", "--max-attempts", "1")...)
	if got.code != Failed {
		t.Errorf("with a model that is down: exit code %d: %s", got.code, got.err)
	}
}

// TestNextSteps: the first table of a database ends with what to do next, later ones do not.
func TestNextSteps(t *testing.T) {
	db := filepath.Join(t.TempDir(), "v.db")
	args := []string{"run", "-q", "-t", "reverse", "-l", "16", "-n", "1", "-m", "sim:echo"}
	got := invoke(t, db, args...)
	for _, want := range []string{"What next", " show 1\n", " report 1 --format html -o report.html\n", " compare 1 last\n", " tokens for the longest prompt with its answer\n"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s%s", want, got.out, got.err)
		}
	}
	if got = invoke(t, db, append(args, "--new")...); strings.Contains(got.out, "What next") {
		t.Errorf("the second run:\n%s", got.out)
	}
}

// TestSystemRefused: a model without a system role gets the system text in its first user
// message, after one refusal or at once with --system-as user, and the database says so.
func TestSystemRefused(t *testing.T) {
	var refused, answered atomic.Int64
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"role":"user"`) {
			http.NotFound(w, r)
			return
		}
		if strings.Contains(string(body), `"role":"system"`) {
			refused.Add(1)
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"error":{"message":"System role not supported","type":"BadRequestError","code":400}}`)
			return
		}
		if strings.Contains(string(body), `Answer with one word.\n\nSay`) {
			answered.Add(1)
		}
		answering("yes")(w, r)
	}))
	items := filepath.Join(t.TempDir(), "items.jsonl")
	var lines strings.Builder
	for i := range 6 {
		fmt.Fprintf(&lines, `{"id":"i%d","messages":[{"role":"system","content":"Answer with one word."},{"role":"user","content":"Say yes %d."}],"want":"yes"}`+"\n", i, i)
	}
	if err := os.WriteFile(items, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags   []string
		refused int64
		says    string
	}{{nil, 1, "refuses the system role: the system text is sent in the first user message"}, {[]string{"--system-as", "user"}, 0, ""}} {
		refused.Store(0)
		answered.Store(0)
		db := filepath.Join(t.TempDir(), "v.db")
		got := invoke(t, db, append([]string{"run", "-q", "-j", "1", "--items", items, "-m", base + "/v1#m"}, c.flags...)...)
		if got.code != exitDone || refused.Load() != c.refused || answered.Load() != 6 || !strings.Contains(got.err, c.says) {
			t.Errorf("%v: exit code %d, %d refused, %d answered: %s", c.flags, got.code, refused.Load(), answered.Load(), got.err)
		}
		if export := invoke(t, db, "export", "1"); strings.Count(export.out, `\"system_as\":\"user\"`)+strings.Count(export.out, `"system_as":"user"`) < 6 {
			t.Errorf("%v: the records do not say how the system text was sent:\n%s", c.flags, export.out)
		}
	}
}
