package exchange_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/exchange"
)

const (
	lmRight = `{"doc_id": 3, "doc": {"q": "x"}, "target": "['Paris']", "arguments": {"gen_args_0": {"arg_0": "Q\nA:", "arg_1": {"until": [], "max_gen_toks": 16}}}, "resps": [[" Paris"]], "filtered_resps": ["Paris"], "filter": "strict", "metrics": ["exact_match", "f1"], "f1": NaN, "exact_match": 1.0}`
	lmAgain = `{"doc_id": 3, "doc": {"q": "x"}, "target": "Paris", "arguments": {"gen_args_0": {"arg_0": "Q\nA:", "arg_1": {}}}, "resps": [[" Paris"]], "filtered_resps": ["P"], "filter": "loose", "metrics": ["exact_match"], "exact_match": 0.0}`
	lmChat  = `{"doc_id": 4, "doc": {}, "target": 42, "arguments": {"gen_args_0": {"arg_0": ["[{\"role\": \"system\", \"content\": \"s\"}, {\"role\": \"user\", \"content\": \"u\"}]"], "arg_1": {}}}, "resps": [["42", "43"]], "filtered_resps": ["42"], "filter": "none", "metrics": []}`
	lmMany  = `{"doc_id": 5, "doc": {}, "target": "['a', 'b']", "arguments": {"gen_args_0": {"arg_0": "[{not a chat", "arg_1": {}}}, "resps": [["b"]], "filtered_resps": ["b"], "filter": "none", "metrics": ["acc"], "acc": true}`
	lmFile  = "samples_a_task_2026-01-02T03-04-05.678901.jsonl"
)

func TestLMEval(t *testing.T) {
	dir := tree(t, map[string]string{
		"org__small/" + lmFile:                               strings.Join([]string{lmRight, lmAgain, "", lmChat, lmMany}, "\n"),
		"org__small/results_2026-01-02T03-04-05.678901.json": `{"model_name": "org/small", "results": {}}`,
		"other/" + lmFile:                                    lmRight + "\n",
	})
	runs, err := exchange.ReadLMEval(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 2 || runs[0].Model != "org/small" || runs[1].Model != "other" {
		t.Fatalf("runs %+v", runs)
	}
	run := runs[0]
	if run.Origin != "lm-eval" || run.Plan.Count != 4 || run.Plan.Trials != 2 || run.Plan.Items.N != 3 || !run.Started.Equal(time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)) {
		t.Errorf("run %+v", run.Run)
	}
	recs := collect(t, run)
	var got []string
	for _, rec := range recs {
		line := rec.Item.ID[:strings.LastIndexByte(rec.Item.ID, '/')] + " " + rec.Item.Want.Text + " " + string(rec.Outcome)
		if rec.Reply != nil {
			line += " reply=" + rec.Reply.Text
		}
		if rec.Grade != nil {
			line += " " + rec.Grade.Grader + " " + rec.Grade.Label
		}
		got = append(got, line)
	}
	want := []string{
		"lm-eval:a_task/3 Paris  reply= Paris lm-eval-exact_match pass",
		"lm-eval:a_task/4 42  reply=42",
		"lm-eval:a_task/4 42  reply=43",
		"lm-eval:a_task/5 a  reply=b lm-eval-acc pass",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("records\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if several := recs[3].Item.Accept; len(several) != 1 || several[0].Text != "b" {
		t.Errorf("accepted %v", several)
	}
	if recs[0].MaxTokens != 16 || recs[2].Trial != 1 || len(recs[1].Prompt) != 2 || recs[1].Prompt[0].Role != "system" || recs[3].Prompt[0].Content[0].Text != "[{not a chat" || recs[0].Item.Facts["family"] != "a_task" {
		t.Errorf("records %+v", recs)
	}
	if a, b := recs[0].Item.ID, collect(t, runs[1])[0].Item.ID; a != b {
		t.Errorf("the same document is %s and %s", a, b)
	}
}

func TestBrokenLMEval(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"no JSON":     {lmRight + "\n{", "line 2: unexpected end"},
		"other lines": {`{"a": 1}`, "line 1: this is no sample of lm-eval"},
		"choice":      {strings.Replace(lmRight, `[[" Paris"]]`, `[[["-1.5", "False"]]]`, 1), "log-likelihoods"},
		"two":         {strings.Replace(lmRight, `[[" Paris"]]`, `[["a"], ["b"]]`, 1), "2 requests for one document"},
		"twice":       {lmRight + "\n" + lmRight, `line 2: there is a line with the doc_id 3 and the filter "strict" before`},
		"prompt":      {strings.Replace(lmRight, `"arg_0": "Q\nA:"`, `"arg_0": 7`, 1), "arg_0: want a text, found a number"},
		"target":      {strings.Replace(lmRight, `"['Paris']"`, `{}`, 1), "target: want a text, found an object"},
		"kind":        {strings.Replace(lmRight, `"doc_id": 3`, `"doc_id": "3"`, 1), "line 1: doc_id: want a number, found a JSON string"},
		"empty":       {"\n", "there are no samples"},
		"array":       {"[" + lmRight + ", {}]", "sample 2: this is no sample of lm-eval"},
		"cut array":   {"[" + lmRight + ", {", "the file ends in the middle"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(tree(t, map[string]string{"m/" + lmFile: c.content}), "m", lmFile)
			_, err := exchange.ReadLMEval(path)
			wantError(t, err, c.want)
		})
	}
	dir := tree(t, map[string]string{"m/x.jsonl": "", "n/" + lmFile: lmRight, "n/results_2026-01-02T03-04-05.678901.json": "{"})
	for path, want := range map[string]string{
		"m/x.jsonl": "the name of a file of samples is samples_TASK_TIME.jsonl",
		"m":         "was it written with --log_samples?",
		"none":      "none",
		"n":         "results_2026-01-02T03-04-05.678901.json: line 1",
	} {
		_, err := exchange.ReadLMEval(filepath.Join(dir, path))
		wantError(t, err, want)
	}
}

// The files are laid out as lm-eval's own, with its hashes.
func TestWriteLMEval(t *testing.T) {
	dir := t.TempDir()
	rec := verbatim.Record{Item: &verbatim.Item{ID: "a", Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "é?"}}}}, Want: verbatim.TextAnswer("é"), Facts: map[string]string{"family": "copy"}},
		MaxTokens: 9, Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: "é"}, Grade: &verbatim.Grade{Outcome: verbatim.Pass, Exact: true, Grader: "text/1"}}
	again := rec
	again.Seq, again.Trial = 1, 1
	run := someRun([]verbatim.Record{rec, again})
	run.Model = "../org/m:8b"
	files, left, err := exchange.WriteLMEval(exchange.Folder{Path: dir}, &run)
	if err != nil || left != 0 || len(files) != 2 {
		t.Fatal(files, left, err)
	}
	for i, want := range []string{"samples_copy_2001-09-09T01-46-40.000005.jsonl", "results_2001-09-09T01-46-40.000005.json"} {
		if rel, err := filepath.Rel(dir, files[i]); err != nil || rel != filepath.Join("__org__m__8b", want) {
			t.Errorf("file %s, want %s", rel, want)
		}
	}
	lines, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(string(lines), "\n")
	var s struct {
		DocID      *int `json:"doc_id"`
		Target     string
		Arguments  map[string]map[string]any
		Resps      [][]string
		Filtered   []string `json:"filtered_resps"`
		Filter     string
		ExactMatch float64 `json:"exact_match"`
		DocHash    string  `json:"doc_hash"`
		PromptHash string  `json:"prompt_hash"`
		TargetHash string  `json:"target_hash"`
	}
	if err := json.Unmarshal([]byte(first), &s); err != nil {
		t.Fatal(err)
	}
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return hex.EncodeToString(sum[:])
	}
	doc := "{\n  \"id\": \"a\",\n  \"messages\": [\n    {\n      \"role\": \"user\",\n      \"content\": \"é?\"\n    }\n  ],\n  \"want\": \"é\",\n  \"facts\": {\n    \"family\": \"copy\"\n  }\n}"
	if *s.DocID != 0 || s.Target != "é" || s.Arguments["gen_args_0"]["arg_0"] != "é?" || s.Resps[0][0] != "é" || s.Filtered[0] != "é" || s.Filter != "none" || s.ExactMatch != 1 ||
		s.DocHash != hash(doc) || s.PromptHash != hash("é?") || s.TargetHash != hash("é") {
		t.Errorf("sample %+v", s)
	}
	if !strings.Contains(second, `"doc_id":0`) || !strings.Contains(second, `"filter":"trial=1"`) {
		t.Errorf("the second trial is %s", second)
	}
	results, err := os.ReadFile(files[1])
	if err != nil || !strings.Contains(string(results), `"exact_match,trial=1": 1`) || !strings.Contains(string(results), `"model_name": "../org/m:8b"`) {
		t.Errorf("%v: results %s", err, results)
	}
}

// Families with the same file name are one file, which has the samples of both.
func TestWriteLMEvalFamilies(t *testing.T) {
	var recs []verbatim.Record
	for i, family := range []string{"a/b", "a_b", "a:b"} {
		recs = append(recs, verbatim.Record{Seq: int64(i), Item: &verbatim.Item{ID: family, Want: verbatim.TextAnswer("x"), Facts: map[string]string{"family": family}},
			Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: "x"}, Grade: &verbatim.Grade{Outcome: verbatim.Pass, Exact: true, Grader: "text/1"}})
	}
	dir := t.TempDir()
	run := someRun(recs)
	files, _, err := exchange.WriteLMEval(exchange.Folder{Path: dir}, &run)
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	runs, err := exchange.ReadLMEval(filepath.Dir(files[0]))
	if err != nil || len(runs) != 1 {
		t.Fatal(len(runs), err)
	}
	if back := collect(t, runs[0]); len(back) != len(recs) {
		t.Errorf("%d of %d samples come back", len(back), len(recs))
	}
}

// Whatever a file holds, reading it ends, and what is accepted can be ranged over
// twice with the same result.
func FuzzLMEval(f *testing.F) {
	for _, line := range []string{lmRight, lmChat, lmMany, lmRight + "\n" + lmAgain} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), lmFile)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		runs, err := exchange.ReadLMEval(path)
		if err != nil {
			return
		}
		if a, b := collect(t, runs[0]), collect(t, runs[0]); len(a) != len(b) || len(a) == 0 {
			t.Fatalf("%d, then %d records", len(a), len(b))
		}
	})
}
