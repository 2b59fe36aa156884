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
