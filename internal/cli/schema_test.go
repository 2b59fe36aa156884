package cli

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"verbatim"

	"verbatim/internal/exhaustive"
	"verbatim/internal/store"
)

// An example is what a command printed or read, and the schema that it follows.
type example struct {
	schema string
	lines  bool // of which each is a document
	data   []byte
}

// checks are documents of tests against a baseline, with all that can be absent.
func checks(call func(args ...string) []byte) []example {
	call("run", "--quiet", "--model", "sim:sloppy?down=0&seed=9", "--task", "reverse", "--length", "8", "--items", "40")
	base := []string{"--baseline", "sim:sloppy?down=0&seed=9", "--json", "--quiet"}
	check := func(args ...string) example {
		return example{"check.json", false, call(append(append([]string{"check"}, base...), args...)...)}
	}
	return []example{
		check(),
		check("--model", "sim:sloppy?reverse=2&down=0"),
		check("--model", "sim:sloppy?seed=4&down=0", "--items", "20"),
		{"checks.json", false, call(append([]string{"check", "--model", "sim:sloppy?reverse=2&down=0", "--model", "sim:sloppy?down=0&seed=9"}, base...)...)},
		check("--model", "sim:sloppy?down=0.4", "--max-attempts", "1"),
		{"run.json", true, call("run", "--until-verdict", "--baseline", "sim:sloppy?down=0&seed=9", "--json", "--quiet", "--model", "sim:perfect")},
	}
}

// longExamples are further documents of commands that take long.
func longExamples(call func(args ...string) []byte) []example {
	return []example{
		{"plan.json", false, call("plan", "--model", "http://127.0.0.1:9/v1#m", "--suite", "simpe", "--json")},
		{"verification.json", false, call("verify", "--json", "--quiet", "sim:careful", "sim:sloppy")},
		{"verifications.json", false, call("verify", "--json", "--quiet", "--items", "1", "sim:obedient", "sim:obedient?build=1", "sim:obedient?build=2")},
		{"selfcheck.json", false, call("selfcheck", "--items", "1", "--seed", "1", "--json")},
		{"aa.json", false, call("aa", "sim:sloppy", "--json", "--quiet", "--task", "reverse,copy", "--length", "8,16", "--items", "5", "--max-attempts", "1")},
	}
}

// TestSchemas checks what commands print, and what they read, against the
// schemas of docs/schema; every schema must be used.
func TestSchemas(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	replies := `{"want":"ab","reply":"\"ab\""}` + "\n" + `{"item":{"id":"x","messages":[{"role":"user","content":"Say x."}],"want":[1,2.0]},"reply":"[2, 1]","finish_reason":null}` + "\n"
	if err := os.WriteFile(in("replies.jsonl"), []byte(replies), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in("broken.jsonl"), []byte("{\"want\":\"ab\"}\nno JSON\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	echo := `import json, os, sys
os.chdir(os.path.dirname(__file__))
for line in sys.stdin:
    open("asked.jsonl", "a").write(line)
    answer = json.dumps({"text": "no", "usage": {"prompt_tokens": 3, "completion_tokens": None}})
    open("answered.jsonl", "a").write(answer + "\n")
    print(answer, flush=True)`
	if err := os.WriteFile(in("echo.py"), []byte(echo), 0o666); err != nil {
		t.Fatal(err)
	}
	call := func(args ...string) []byte {
		r := invoke(t, in("x.db"), args...)
		if r.code != exitDone && r.out == "" {
			return []byte(r.err)
		}
		return []byte(r.out)
	}
	file := func(name string) []byte {
		data, err := os.ReadFile(in(name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	examples := []example{
		{"run.json", true, call("run", "--json", "--quiet", "--model", "sim:sloppy?down=0.1&cut=0.1", "--max-attempts", "1", "--trials", "2")},
		{"report.json", false, call("report", "last", "--json")},
		{"runs.json", false, call("runs", "--json")},
		{"verify.json", false, call("runs", "--verify", "--json")},
		{"show.json", false, call("show", "last", "sort-word-duplicate@1/len=8", "--json")},
		{"store.json", true, call("export", "last")},
		{"regrade.json", false, call("regrade", "last", "--json")},
		{"tasks.json", false, call("tasks", "--json")},
		{"suites.json", false, call("suites", "--json")},
		{"models.json", false, call("models", "--json")},
		{"fake.json", false, call("fake", "--json", "--for", "10ms")},
		{"item.json", true, call("items")},
		{"grade-in.json", true, []byte(replies)},
		{"grade-out.json", true, call("grade", in("replies.jsonl"))},
		{"grade-out.json", true, call("grade", in("broken.jsonl"))},
		{"error.json", true, call("report", "nosuchrun", "--json")},
		{"run.json", true, call("run", "--json", "--quiet", "--model", "sim:careful", "--task", "copy", "--length", "4", "--items", "3", "--shots", "2", "--paraphrase", "1", "--system", "Be brief.")},
		{"report.json", false, call("report", "last", "1", "--json")},
		{"runs.json", false, call("runs", "--json")},
		{"store.json", true, call("export", "last")},
		{"plan.json", false, call("plan", "--model", "sim:careful", "--budget", "1", "--json")},
		{"item.json", true, call("items", "--shots", "1", "--no-system")},
		{"verification.json", false, call("verify", "--json", "--quiet", "sim:perfect", "sim:careful", "--items", "1")},
		{"preflight.json", false, call("preflight", "--json", "--quiet", "sim:obedient")},
		{"enrolment.json", false, call("sentinel", "init", "--json", "--quiet", "sim:obedient")},
		{"watch.json", false, call("sentinel", "run", "--json", "--quiet", "sim:obedient")},
		{"watch.json", false, call("sentinel", "status", "--format", "json")},
		{"verification.json", false, call("verify", "--json", "--quiet", "--items", "1", "sim:obedient", "sim:obedient?build=1")},
		{"verification.json", false, call("verify", "--json", "--quiet", "--items", "1", "nano", "nano", "--task", "copy", "--length", "4")},
		{"call-plan.json", false, call("smoke", "--plan", "--json", "sim:obedient")},
		{"smoke.json", false, call("smoke", "--json", "--quiet", "sim:obedient")},
		{"horizon.json", false, call("horizon", "--json", "--quiet", "--model", "sim:sloppy", "--task", "reverse,add", "--items", "20")},
		{"verifications.json", false, call("verify", "--json", "--quiet", "--items", "1", "--no-logprobs", "sim:careful", "sim:careful?seed=2", "sim:sloppy")},
		{"horizon.json", false, call("horizon", "--json", "--quiet", "--model", "sim:down", "--task", "copy", "--max-attempts", "1")},
	}
	if exhaustive.All() {
		examples = append(examples, longExamples(call)...)
	}
	if err := os.Mkdir(in("lists"), 0o755); err != nil {
		t.Fatal(err)
	}
	for length, lists := range map[string]string{
		"2": `{"list_1": ["b", "a"], "list_2": ["c", "d"], "list_3": ["f", "e"]}`,
		"4": `{"list_1": ["b", "a", "d", "c"], "list_2": ["c", "d", "x", "y"], "list_3": ["f", "e", "g", "a"]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, "lists", "sortbench_basic_v1.0_English_"+length+".json"), []byte(lists), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, model := range []string{"sim:careful", "sim:sloppy?down=0"} {
		call("--db", in("paper.db"), "run", "--quiet", "--model", model, "--suite", "sortbench", "--edition", "reference", "--lists", in("lists"))
	}
	examples = append(examples, example{"paper.json", false, call("--db", in("paper.db"), "report", "--preset", "sortbench", "--format", "json")})
	conclude(t, in("tests.db"))
	examples = append(examples,
		example{"runs.json", false, call("--db", in("tests.db"), "runs", "--json")},
		example{"store.json", true, call("--db", in("tests.db"), "export", "1", "2")})
	examples = append(examples, checks(call)...)
	for _, model := range []string{"sim:sloppy", "sim:careful", "sim:sloppy?seed=2&cut=0.2"} {
		call("--db", in("pairs.db"), "run", "--quiet", "--task", "reverse,sort-int", "--length", "8,16", "--items", "5", "--trials", "2", "--model", model)
		call("--db", in("pairs.db"), "run", "--quiet", "--task", "sort-int", "--length", "8,16", "--items", "5", "--max-attempts", "9", "--model", strings.ReplaceAll(model, "cut=0.2", "cut=0"))
	}
	examples = append(examples,
		example{"compare.json", false, call("--db", in("pairs.db"), "compare", "1", "3", "5", "--json")},
		example{"compare.json", false, call("--db", in("pairs.db"), "compare", "1", "4", "--json", "--flips", "all")},
		example{"compare.json", false, call("--db", in("pairs.db"), "compare", "2", "4", "--json", "--method", "signed-rank")},
		example{"error.json", true, call("--db", in("pairs.db"), "compare", "1", "1", "--json")})
	// Reports of runs that were paid for and tried twice, and of all that can be said.
	for _, name := range []string{"variants.json", "full.json"} {
		report, err := os.ReadFile(filepath.Join(root, "internal", "layout", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		examples = append(examples, example{"report.json", false, report})
	}
	if _, err := exec.LookPath("python3"); err == nil {
		call("run", "--quiet", "--model", "exec:python3 "+in("echo.py"), "--task", "copy", "--length", "4", "--items", "2", "-j", "1")
		examples = append(examples, example{"exec-in.json", true, file("asked.jsonl")}, example{"exec-out.json", true, file("answered.jsonl")})
	} else {
		t.Log("python3 is not installed: the lines of exec: are not checked")
	}
	used := map[string]bool{"exec-in.json": true, "exec-out.json": true}
	if !exhaustive.All() {
		used["aa.json"], used["selfcheck.json"] = true, true
	}
	compiler := jsonschema.NewCompiler()
	for _, e := range examples {
		used[e.schema] = true
		schema, err := compiler.Compile(filepath.Join(root, "docs", "schema", e.schema))
		if err != nil {
			t.Fatal(err)
		}
		documents := []string{string(e.data)}
		if e.lines {
			documents = strings.Split(strings.TrimSpace(string(e.data)), "\n")
		}
		for i, d := range documents {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(d))
			if err != nil {
				t.Errorf("%s: document %d is no JSON: %v: %.200s", e.schema, i+1, err, d)
				break
			}
			if err := schema.Validate(v); err != nil {
				t.Errorf("docs/schema/%s does not hold document %d; a new field needs a property in it: %s\n%.300s", e.schema, i+1, strings.Join(reasons(err), "; "), d)
				break
			}
		}
	}
	paths, err := filepath.Glob(filepath.Join(root, "docs", "schema", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if !used[filepath.Base(path)] {
			t.Errorf("%s is checked against nothing", path)
		}
		if data, err := os.ReadFile(path); err != nil || !json.Valid(data) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// conclude makes a database of an open test and of closed ones of each kind.
func conclude(t *testing.T, path string) {
	t.Helper()
	s, err := store.Create(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	run := verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef", Suite: "custom", Edition: verbatim.Standard, Trials: 1, Count: 9}, Model: "m",
		Test: &verbatim.Test{Kind: "check", Baseline: "m-abcdef-1", Settings: map[string]string{"margin": "0.02"}}}
	for _, kind := range []string{"check", "until-verdict", "horizon", "verify", "preflight", "smoke", "sentinel", ""} {
		closed := kind != ""
		if closed {
			run.Test.Kind = kind
		}
		begun, _, err := s.Begin(t.Context(), run, true)
		if err == nil && closed {
			err = s.CloseTest(t.Context(), begun.N, "pass", "x", time.Unix(1800000000, 0))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// reasons returns what is wrong with a document: the five reasons that are deepest in it. A document
// of another kind than some alternative differs from that one near its root.
func reasons(err error) []string {
	list := leaves(err)
	slices.SortStableFunc(list, func(a, b string) int { return strings.Count(b, "/") - strings.Count(a, "/") })
	list = slices.Compact(list)
	return list[:min(len(list), 5)]
}

// leaves returns the messages of an error without those that only lead to others.
func leaves(err error) (list []string) {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) || len(invalid.Causes) == 0 {
		return []string{err.Error()}
	}
	for _, cause := range invalid.Causes {
		list = append(list, leaves(cause)...)
	}
	return list
}

// TestSampleSchema: a sample of a report may have every property of a record that is shown.
func TestSampleSchema(t *testing.T) {
	type object struct{ Properties map[string]any }
	var show object
	var report struct {
		Defs map[string]object `json:"$defs"`
	}
	for name, to := range map[string]any{"show.json": &show, "report.json": &report} {
		data, err := os.ReadFile(filepath.Join("..", "..", "docs", "schema", name))
		if err == nil {
			err = json.Unmarshal(data, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(show.Properties) < 10 {
		t.Fatalf("%d properties in show.json", len(show.Properties))
	}
	for name := range show.Properties {
		if _, ok := report.Defs["sample"].Properties[name]; !ok {
			t.Errorf("a sample in report.json has no %q", name)
		}
	}
}
