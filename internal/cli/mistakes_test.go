package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/exhaustive"
)

// TestCommonMistakes: a wrong command line is refused in words of its user, with what to do.
func TestCommonMistakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, missing := filepath.Join(dir, "v.db"), filepath.Join(dir, "missing.jsonl")
	if got := invoke(t, db, "run", "-q", "-t", "reverse", "-l", "8", "-n", "1", "-m", "sim:perfect"); got.code != exitDone {
		t.Fatal(got.err)
	}
	for _, test := range []struct {
		line string
		code int
		says []string
	}{
		{"run --temperature hot", Usage, []string{`--temperature must be a number, got "hot"`, "'verbatim run --help' describes the flag"}},
		{"run --trials x", Usage, []string{`--trials must be a whole number, got "x"`, "'verbatim run --help' describes the flag"}},
		{"run --for 10", Usage, []string{`--for must be a time with its unit, such as 90s, 10m or 1h, got "10"`}},
		{"run --seed x", Usage, []string{`--seed: "x" is not a whole number from 0 to 2^64-1, and not random`}},
		{"run --json=perhaps", Usage, []string{`--json must be true or false, got "perhaps"`}},
		{"run --model", Usage, []string{"--model needs a value"}},
		{"run -m", Usage, []string{"--model needs a value"}},
		{"run --modle nano", Usage, []string{"unknown flag: --modle", "did you mean '--model'?"}},
		{"runs --format json", Usage, []string{"unknown flag: --format", "--json prints everything"}},
		{"compare --format junit 1 2", Usage, []string{"this command has no format junit: report and check have it"}},
		{"run -y", Usage, []string{"unknown flag: -y", "'verbatim run --help' lists the flags"}},
		{"compare", Usage, []string{`"verbatim compare" needs an argument`, "usage: verbatim compare RUN..."}},
		{"import simpe", Usage, []string{`"verbatim import simpe" needs an argument`, "usage: verbatim import simpe PATH..."}},
		{"sentinel init", Usage, []string{`"verbatim sentinel init" needs an argument`, "usage: verbatim sentinel init MODEL"}},
		{"sentinel stauts", Usage, []string{`there is no command "sentinel stauts"`, "did you mean 'status'?"}},
		{"sentinel watch x", Usage, []string{`there is no command "sentinel watch"`, "'verbatim sentinel --help' lists the commands"}},
		{"help comapre", Usage, []string{`there is no command "comapre"`, "did you mean 'compare'?"}},
		{"help sentinel stauts", Usage, []string{`there is no command "sentinel stauts"`, "did you mean 'status'?"}},
		{"help sentinel status", exitDone, nil},
		{"completion foo", Usage, []string{`there is no command "completion foo"`, "'verbatim completion --help' lists the commands"}},
		{"completion bsah", Usage, []string{`there is no command "completion bsah"`, "did you mean 'bash'?"}},
		{"completion bash foo", Usage, []string{`"verbatim completion bash" takes no arguments, and "foo" is one`}},
		{"completion", exitDone, nil},
		{"help compare", exitDone, nil},
		{"help", exitDone, nil},
		{"tasks copy add", Usage, []string{`"verbatim tasks" takes one argument, got 2`, "usage: verbatim tasks [NAME]"}},
		{"run -m sim:perfect --items " + missing, Usage, []string{"--items: there is no file " + missing, "the path of a file of items"}},
		{"run -m sim:perfect --system @" + missing, Usage, []string{"--system: there is no file " + missing}},
		{"run -m sim:perfect --prices " + missing, Usage, []string{"--prices: there is no file " + missing}},
		{"grade " + missing, Failed, []string{"there is no file " + missing, "hint: check the path; - reads the standard input"}},
		{"import " + missing, Failed, []string{"there is no file " + missing, "hint: check the path; - reads the standard input"}},
		{"import simpe " + missing, Failed, []string{"there is no file or folder " + missing, "hint: check the path"}},
		{"import sortbench " + missing, Failed, []string{"there is no file or folder " + missing}},
		{"import inspect " + missing, Failed, []string{"there is no file or folder " + missing}},
		{"import lm-eval " + missing, Failed, []string{"there is no file or folder " + missing}},
		{"items -t copy -l 8 -n 1 -o " + filepath.Join(dir, "no", "x.jsonl"), Usage, []string{"there is no folder " + filepath.Join(dir, "no")}},
		{"import mistakes_test.go", Failed, []string{"mistakes_test.go: line 1: not a line of an exported run: "}},
		{"run -m sim:perfect --extra {a", Usage, []string{"--extra: not a JSON object: "}},
		{"run -m http://192.0.2.1/v1#m", Usage, []string{"would be sent without encryption"}},
		{"report 99", Usage, []string{`no run is called "99"; the newest is sim-perfect-`, "'verbatim runs' lists the runs"}},
		{"report nothing", Usage, []string{`no run is called "nothing"`, "'verbatim runs' lists the runs"}},
		{"show 1 --label foo", exitDone, []string{`no record has the label "foo"`, "'verbatim show 1' counts the labels of the run"}},
		{"show 1 --outcome foo", exitDone, []string{`no record has the outcome "foo"`}},
		{"run -q -m http://127.0.0.1:9/v1#m -n 1 -t copy", Failed, []string{"nothing listens there: start a model server", "or check the port"}},
	} {
		got := invoke(t, db, strings.Fields(test.line)...)
		if got.code != test.code {
			t.Errorf("%s: exit code %d, want %d", test.line, got.code, test.code)
		}
		for _, want := range test.says {
			if !strings.Contains(got.err, want) {
				t.Errorf("%s: %swant %q", test.line, got.err, want)
			}
		}
	}
}

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

// flagBases make each command a valid one that is quick, before a flag is added.
var flagBases = map[string][]string{
	"run":          {"--model", "sim:perfect", "--task", "reverse", "--length", "4", "--items", "1", "--quiet"},
	"check":        {"--baseline", "1", "--model", "sim:perfect", "--quiet"},
	"verify":       {"sim:perfect", "sim:careful", "--task", "reverse", "--length", "4", "--items", "1", "--quiet"},
	"preflight":    {"sim:obedient", "--quiet"},
	"sentinel run": {"sim:obedient", "--quiet"},
	"init":         {"sim:obedient", "--quiet"},
	"accept":       {"sim:obedient", "--quiet"},
	"status":       {},
	"smoke":        {"sim:obedient", "--quiet"},
	"horizon":      {"--model", "sim:perfect", "--task", "reverse", "--items", "2", "--quiet"},
	"aa":           {"--model", "sim:perfect", "--task", "reverse", "--length", "4", "--items", "2", "--quiet"},
	"plan":         {"--model", "sim:perfect", "--task", "reverse", "--length", "4", "--items", "1"},
	"models":       {"sim"},
	"fake":         {"--task", "reverse", "--length", "4", "--items", "1", "--for", "1ms"},
	"report":       {"1"},
	"compare":      {"1", "2"},
	"runs":         {},
	"show":         {"1"},
	"tasks":        {},
	"suites":       {},
	"items":        {"--task", "reverse", "--length", "4", "--items", "1"},
	"grade":        {},
	"regrade":      {"1"},
	"selfcheck":    {"--items", "1"},
	"import":       {"nothing.jsonl"},
	"sortbench":    {"nothing"},
	"simpe":        {"nothing.json"},
	"inspect":      {"nothing.json"},
	"lm-eval":      {"nothing"},
	"export":       {"1"},
}

// badValues are values, by the type of a flag, that are out of its range or no value of
// it at all.
var badValues = map[string][]string{
	"int":         {"-1", "-99999999999999999999", "99999999999", "99999999999999999999", "NaN", "", "1e3", "٣", "1\n2"},
	"int64":       {"-9223372036854775809", "9223372036854775808", "nan", "", "1.5"},
	"uint64":      {"-1", "18446744073709551616", "nan", "", "1.5"},
	"float64":     {"nan", "inf", "-inf", "-1", "1e400", "", "0,5", "1e300"},
	"duration":    {"-1s", "-1ns", "9999999h", "1e99s", "5", "", "nan"},
	"string":      {"", " ", "\n"},
	"stringArray": {"", " "},
	"stringSlice": {" ", "reverse,,copy"},
}

// TestBadFlags gives every flag of every command values that it cannot have, and two formats at
// once: each is refused with exit code 2 and the name of the flag, and nothing is sent or written.
// Without VERBATIM_EXHAUSTIVE each flag gets a third of the values.
func TestBadFlags(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs one command after the other")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	db := filepath.Join(dir, "kept.db")
	for _, model := range []string{"sim:perfect", "sim:sloppy"} {
		if r := invoke(t, db, "run", "--model", model, "--task", "reverse", "--length", "4", "--items", "1"); r.code != exitDone {
			t.Fatal(r.err)
		}
	}
	before := listing(t, dir)
	var env Env
	env.Getenv = func(string) string { return "" }
	tried, flags, twoFormats := 0, 0, 0
	var walk func(c *cobra.Command, path []string)
	walk = func(c *cobra.Command, path []string) {
		if c.Name() == "completion" {
			return // cobra's, with flags of its own
		}
		for _, sub := range c.Commands() {
			walk(sub, append(slices.Clone(path), sub.Name()))
		}
		base, known := flagBases[strings.Join(path, " ")]
		if !known {
			base, known = flagBases[c.Name()]
		}
		if !known {
			if c.Runnable() && c.HasLocalFlags() && c.Name() != "verbatim" {
				t.Errorf("the command %q has no valid arguments in flagBases", c.Name())
			}
			return
		}
		if c.Flags().Lookup("format") != nil && c.Flags().Lookup("json") != nil {
			args := append(append(slices.Clone(path), base...), "--json", "--format=csv")
			if r := within(t, db, args); r.code != Usage || !strings.Contains(r.err, "--json does not go with --format csv") {
				t.Errorf("%q: exit code %d\n%s", args, r.code, r.err)
			}
			twoFormats++
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			flags++
			for i, value := range badValues[f.Value.Type()] {
				if !exhaustive.All() && (flags+i)%6 != 0 {
					continue
				}
				args := append(append(slices.Clone(path), base...), "--"+f.Name+"="+value)
				tried++
				r := within(t, db, args)
				if strings.Contains(r.err, "panic") || r.code != Usage || !strings.Contains(r.err, "--"+f.Name) {
					t.Errorf("%q: exit code %d\n%s", args, r.code, r.err)
				}
			}
		})
	}
	walk(rootCommand(&env), nil)
	if least := map[bool]int{false: 300, true: 2000}[exhaustive.All()]; tried < least {
		t.Errorf("only %d values were tried", tried)
	}
	if twoFormats < 5 {
		t.Errorf("only %d commands have --json and --format", twoFormats)
	}
	if after := listing(t, dir); !slices.Equal(after, before) {
		t.Errorf("files before: %q, after: %q", before, after)
	}
	r := invoke(t, db, "runs")
	if n := strings.Count(r.out, "\n"); n != 3 {
		t.Errorf("there are runs in addition to the two:\n%s", r.out)
	}
}

// within runs a command line that must end.
func within(t *testing.T, db string, args []string) ran {
	t.Helper()
	done := make(chan ran, 1)
	go func() {
		var out, err bytes.Buffer
		code := Main(args, Env{
			In: strings.NewReader(""), Out: &out, Err: &err,
			Getenv: func(name string) string {
				return map[string]string{"VERBATIM_DISCOVER": "off", "VERBATIM_DB": db}[name]
			},
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} },
		})
		done <- ran{code, out.String(), err.String()}
	}()
	select {
	case r := <-done:
		return r
	case <-time.After(time.Minute):
		t.Fatalf("%q does not end", args)
		return ran{}
	}
}

// listing is the names of the files in a folder.
func listing(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestRangesNameFlags: every range is of a flag that some command has.
func TestRangesNameFlags(t *testing.T) {
	var env Env
	env.Getenv = func(string) string { return "" }
	names := map[string]bool{}
	for _, c := range rootCommand(&env).Commands() {
		for _, sub := range append(c.Commands(), c) {
			sub.Flags().VisitAll(func(f *pflag.Flag) { names[f.Name] = true })
		}
	}
	for name := range valueRanges {
		if !names[name] {
			t.Errorf("there is a range for --%s, and no such flag", name)
		}
	}
	for name, r := range valueRanges {
		if !(r.Least < r.Most) {
			t.Errorf("--%s: %s", name, fmt.Sprint(r))
		}
	}
}
