package cli

import (
	"path/filepath"
	"strings"
	"testing"
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
		{"run --temperature hot", exitUsage, []string{`--temperature must be a number, got "hot"`, "'verbatim run --help' describes the flag"}},
		{"run --trials x", exitUsage, []string{`--trials must be a whole number, got "x"`, "'verbatim run --help' describes the flag"}},
		{"run --for 10", exitUsage, []string{`--for must be a time with its unit, such as 90s, 10m or 1h, got "10"`}},
		{"run --seed x", exitUsage, []string{`--seed: "x" is not a whole number from 0 to 2^64-1, and not random`}},
		{"run --json=perhaps", exitUsage, []string{`--json must be true or false, got "perhaps"`}},
		{"run --model", exitUsage, []string{"--model needs a value"}},
		{"run -m", exitUsage, []string{"--model needs a value"}},
		{"run --modle nano", exitUsage, []string{"unknown flag: --modle", "did you mean '--model'?"}},
		{"runs --format json", exitUsage, []string{"unknown flag: --format", "--json prints everything"}},
		{"compare --format junit 1 2", exitUsage, []string{"this command has no format junit: report and check have it"}},
		{"run -y", exitUsage, []string{"unknown flag: -y", "'verbatim run --help' lists the flags"}},
		{"compare", exitUsage, []string{`"verbatim compare" needs an argument`, "usage: verbatim compare RUN..."}},
		{"import simpe", exitUsage, []string{`"verbatim import simpe" needs an argument`, "usage: verbatim import simpe PATH..."}},
		{"sentinel init", exitUsage, []string{`"verbatim sentinel init" needs an argument`, "usage: verbatim sentinel init MODEL"}},
		{"sentinel stauts", exitUsage, []string{`there is no command "sentinel stauts"`, "did you mean 'status'?"}},
		{"sentinel watch x", exitUsage, []string{`there is no command "sentinel watch"`, "'verbatim sentinel --help' lists the commands"}},
		{"help comapre", exitUsage, []string{`there is no command "comapre"`, "did you mean 'compare'?"}},
		{"help sentinel stauts", exitUsage, []string{`there is no command "sentinel stauts"`, "did you mean 'status'?"}},
		{"help sentinel status", exitDone, nil},
		{"completion foo", exitUsage, []string{`there is no command "completion foo"`, "'verbatim completion --help' lists the commands"}},
		{"completion bsah", exitUsage, []string{`there is no command "completion bsah"`, "did you mean 'bash'?"}},
		{"completion bash foo", exitUsage, []string{`"verbatim completion bash" takes no arguments, and "foo" is one`}},
		{"completion", exitDone, nil},
		{"help compare", exitDone, nil},
		{"help", exitDone, nil},
		{"tasks copy add", exitUsage, []string{`"verbatim tasks" takes one argument, got 2`, "usage: verbatim tasks [NAME]"}},
		{"run -m sim:perfect --items " + missing, exitUsage, []string{"--items: there is no file " + missing, "the path of a file of items"}},
		{"run -m sim:perfect --system @" + missing, exitUsage, []string{"--system: there is no file " + missing}},
		{"run -m sim:perfect --prices " + missing, exitUsage, []string{"--prices: there is no file " + missing}},
		{"grade " + missing, exitFailed, []string{"there is no file " + missing, "hint: check the path; - reads the standard input"}},
		{"import " + missing, exitFailed, []string{"there is no file " + missing, "hint: check the path; - reads the standard input"}},
		{"import simpe " + missing, exitFailed, []string{"there is no file or folder " + missing, "hint: check the path"}},
		{"import sortbench " + missing, exitFailed, []string{"there is no file or folder " + missing}},
		{"import inspect " + missing, exitFailed, []string{"there is no file or folder " + missing}},
		{"import lm-eval " + missing, exitFailed, []string{"there is no file or folder " + missing}},
		{"items -t copy -l 8 -n 1 -o " + filepath.Join(dir, "no", "x.jsonl"), exitUsage, []string{"there is no folder " + filepath.Join(dir, "no")}},
		{"import mistakes_test.go", exitFailed, []string{"mistakes_test.go: line 1: not a line of an exported run: "}},
		{"run -m sim:perfect --extra {a", exitUsage, []string{"--extra: not a JSON object: "}},
		{"run -m http://192.0.2.1/v1#m", exitUsage, []string{"would be sent without encryption"}},
		{"report 99", exitUsage, []string{`no run is called "99"; the newest is sim-perfect-`, "'verbatim runs' lists the runs"}},
		{"report nothing", exitUsage, []string{`no run is called "nothing"`, "'verbatim runs' lists the runs"}},
		{"show 1 --label foo", exitDone, []string{`no record has the label "foo"`, "'verbatim show 1' counts the labels of the run"}},
		{"show 1 --outcome foo", exitDone, []string{`no record has the outcome "foo"`}},
		{"run -q -m http://127.0.0.1:9/v1#m -n 1 -t copy", exitFailed, []string{"nothing listens there: start a model server", "or check the port"}},
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
