package report

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/stats"
	"verbatim/internal/terminal/terminaltest"
)

func TestParseGroupBy(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "[]",
		"  ":                        "[]",
		"model":                     "[model]",
		" model , length ":          "[model length]",
		"fact:task,task,difficulty": "[fact:task task difficulty]",
		"fact:a b":                  "[fact:a b]",
	} {
		got, err := ParseGroupBy(in)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for in, want := range map[string]string{
		"model,":            "nothing between two commas",
		",":                 "nothing between two commas",
		"model,model":       "named twice",
		"task,family":       "named twice",
		"x,fact:x":          "named twice",
		"fact:":             "there are task, length, model",
		"fact:a:b":          "names no fact",
		"a\x1b[31m":         "names no fact",
		"a,b,c,d,e,f,g,h,i": "at most 8",
	} {
		if got, err := ParseGroupBy(in); err == nil || !strings.Contains(err.Error(), want) || terminaltest.Unsafe(err.Error()) != "" {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	if _, err := Of(Options{GroupBy: []string{"model", "model"}}); err == nil {
		t.Error("Of takes what ParseGroupBy does not")
	}
}

// TestGroupFacts: every fact that is listed can be named, and says what it is.
func TestGroupFacts(t *testing.T) {
	if len(GroupFacts()) < 20 {
		t.Fatal("only a few facts are listed")
	}
	r := recordtest.Record("copy", "8", verbatim.Wrong, "case")
	r.Item.ID, r.Item.Facts[verbatim.FactEdition], r.Item.Facts[verbatim.FactMode] = "copy@1/len=8/seed=1/0", "paper", "basic"
	r.Reply.ServedModel, r.Reply.Finish, r.Trial = "m-1", verbatim.FinishStop, 2
	r.Reply.Times.Start = r.Reply.Times.Start.AddDate(2025, 4, 5)
	half := 0.5
	run := verbatim.Run{Name: "m-1a2b-1", Model: "openai:m", Origin: "file", Tool: "1.2", Params: verbatim.Params{Temperature: &half, Effort: "low"},
		Plan: verbatim.Plan{Suite: "quick", Seed: 7, Trials: 3, Hash: "0123456789abcdef"}}
	want := map[string]string{"task": "copy", "length": "8", "model": "openai:m", "run": "m-1a2b-1", "provider": "openai", "effort": "low", "temperature": "0.5",
		"suite": "quick", "edition": "paper", "version": "copy@1", "prompt": ItemsOwnPrompt, "parameters": "temperature 0.5, effort low", "seed": "7", "trials": "3",
		"plan": "0123456789ab", "served": "m-1", "grader": "text/1", "day": "2026-05-06", "trial": "2", "outcome": "wrong", "label": "case", "finish": "stop",
		"mode": "basic", "origin": "file", "tool": "1.2"}
	for _, f := range GroupFacts() {
		by, err := ParseGroupBy(f.Name)
		if err != nil || f.Doc == "" {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		rep := must(Of(Options{GroupBy: by}, Input{Run: run, Records: recordtest.Each(r)}))(t)
		if got := rep.Groups.Groups[0].Key[0]; got != want[f.Name] {
			t.Errorf("%s is %q, want %q", f.Name, got, want[f.Name])
		}
	}
	for model, want := range map[string]string{"gpt": "", "http://h:1/v1#m": "http://h:1/v1", "exec:cat": "exec"} {
		if got := provider(model); got != want {
			t.Errorf("the provider of %s is %q", model, got)
		}
	}
}

// TestGroupsAddUp: whatever it is grouped by, groups hold every record once, and what
// a plain count over their records gives.
func TestGroupsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var recs []verbatim.Record
		for i := range rapid.IntRange(0, 80).Draw(t, "n") {
			recs = append(recs, anyRecord(t, int64(i), 3))
		}
		names := rapid.Permutation(GroupFacts()).Draw(t, "facts")
		var by []string
		for _, f := range names[:rapid.IntRange(1, 3).Draw(t, "facts")] {
			by = append(by, f.Name)
		}
		rep, err := Of(Options{GroupBy: by}, Input{Records: recordtest.Each(recs...)})
		if err != nil {
			t.Fatal(err)
		}
		facts, _ := groupFacts(by)
		var total int64
		for _, g := range rep.Groups.Groups {
			total += g.Line.Recorded
			var n, exact int64
			for i := range recs {
				same := true
				for j, f := range facts {
					if f.record != nil {
						same = same && f.record(&recs[i]) == g.Key[j]
					}
				}
				if same {
					n++
					exact += int64(one(recs[i].Grade != nil && recs[i].Grade.Exact))
				}
			}
			if n == 0 || g.Line.Recorded != n || g.Line.Exact.N != exact {
				t.Fatalf("by %v, %v: %d records, %d exact; want %d and %d", by, g.Key, g.Line.Recorded, g.Line.Exact.N, n, exact)
			}
		}
		if total != int64(len(recs)) {
			t.Fatalf("by %v: %d of %d records", by, total, len(recs))
		}
	})
}

func TestGroupOrder(t *testing.T) {
	var recs []verbatim.Record
	for _, length := range []string{"10", "9", "", "long", "2", "1e1", "-3", "short"} {
		recs = append(recs, recordtest.Record("copy", length, verbatim.Wrong, "case"))
	}
	keys := func(by string, recs ...verbatim.Record) string {
		var list []string
		for _, g := range must(Of(Options{GroupBy: []string{by}}, Input{Records: recordtest.Each(recs...)}))(t).Groups.Groups {
			list = append(list, g.Key[0])
		}
		return strings.Join(list, " ")
	}
	if got := keys("length", recs...); got != "-3 2 9 10 1e1 long short " {
		t.Errorf("lengths in the order %q", got)
	}
	if got := keys("outcome", recordtest.Record("a", "1", verbatim.Errored, ""), recordtest.Record("a", "1", verbatim.Truncated, "x"), recordtest.Record("a", "1", verbatim.Pass, "pass"), recordtest.Record("a", "1", verbatim.Wrong, "x")); got != "pass wrong truncated error" {
		t.Errorf("outcomes in the order %q", got)
	}
}

// TestHiddenDifferences: a fact that differs within a group and is not shown is named,
// with its values and with the option that would separate them; a fact that is shown,
// or is about different things, is not.
func TestHiddenDifferences(t *testing.T) {
	record := func(family, id, edition, served, grader string) verbatim.Record {
		r := recordtest.Record(family, "8", verbatim.Wrong, "case")
		r.Item.ID, r.Item.Facts[verbatim.FactEdition], r.Reply.ServedModel, r.Grade.Grader = id, edition, served, grader
		return r
	}
	plan := verbatim.Plan{Hash: "aaaaaaaaaaaaaaaa", Suite: "quick", Seed: 1, Trials: 1}
	base := func(model string) Input {
		return Input{Run: verbatim.Run{Model: model, Plan: plan}, Records: recordtest.Each(
			record("copy", "copy@1/1", "standard", model+"-1", "text/1"), record("sort", "sort@3/1", "standard", model+"-1", "list/3"))}
	}
	for name, c := range map[string]struct {
		by     string
		change func(a, b *Input)
		want   string // facts that are mixed
		says   string
	}{
		"nothing":            {"model", func(a, b *Input) {}, "", ""},
		"models":             {"task", func(a, b *Input) {}, "model", "All 2 groups pool records that differ in model: a (2), b (2). --group-by task,model tells them apart."},
		"provider is enough": {"run", func(a, b *Input) { a.Run.Name, b.Run.Name = "1", "2" }, "", ""},
		"edition": {"model", func(a, b *Input) {
			b.Records = recordtest.Each(record("copy", "copy@1/1", "standard", "b-1", "text/1"), record("copy", "copy@1/2", "paper", "b-1", "text/1"))
		}, "edition", "1 of 2 groups pools records that differ in edition: paper (1), standard (1). --group-by model,edition tells them apart."},
		"version": {"model", func(a, b *Input) {
			b.Records = recordtest.Each(record("copy", "copy@1/1", "standard", "b-1", "text/1"), record("copy", "copy@2/2", "standard", "b-1", "text/1"))
		}, "version", "version: copy@1 (1), copy@2 (1)"},
		"served": {"task", func(a, b *Input) {
			b.Run.Model = "a"
			b.Records = recordtest.Each(record("copy", "copy@1/1", "standard", "a-2", "text/1"))
		}, "served", "served: a-1 (1), a-2 (1)"},
		"grader": {"model", func(a, b *Input) {
			b.Records = recordtest.Each(record("copy", "copy@1/1", "standard", "b-1", "text/1"), record("copy", "copy@1/2", "standard", "b-1", "text/3"))
		}, "grader", "grader: text/1 (1), text/3 (1)"},
		"prompt": {"task", func(a, b *Input) {
			b.Run.Model, b.Run.Plan.Variant, b.Run.Plan.Hash = "a", &verbatim.Variant{Shots: 2}, "bbbb"
			b.Records = a.Records
		}, "prompt", "prompt: 2 shots (2), as the items have it (2)"},
		"effort and seed": {"task", func(a, b *Input) {
			b.Run.Model, b.Run.Params.Effort, b.Run.Plan.Seed, b.Run.Plan.Hash = "a", "high", 2, "bbbb"
			b.Records = a.Records
		}, "parameters seed", "seed: 1 (2), 2 (2)"},
		"plan alone": {"task", func(a, b *Input) {
			b.Run.Model, b.Run.Plan.Hash = "a", "bbbbbbbbbbbbbbbb"
			b.Records = a.Records
		}, "plan", "plan: aaaaaaaaaaaa (2), bbbbbbbbbbbb (2)"},
		"trials": {"model", func(a, b *Input) {
			b.Run.Model, b.Run.Plan.Trials, b.Run.Plan.Hash = "a", 3, "bbbb"
			b.Records = a.Records
		}, "trials", "The one group pools records that differ in trials"},
	} {
		a, b := base("a"), base("b")
		c.change(&a, &b)
		rep := must(Of(Options{GroupBy: []string{c.by}}, a, b))(t)
		var mixed []string
		for _, g := range rep.Groups.Groups {
			for _, m := range g.Mixed {
				if !slices.Contains(mixed, m.Fact) {
					mixed = append(mixed, m.Fact)
				}
			}
		}
		var says []string
		for _, w := range rep.Groups.Warnings {
			says = append(says, w.Text)
		}
		if got := strings.Join(mixed, " "); got != c.want || len(says) != len(mixed) || !strings.Contains(strings.Join(says, "\n"), c.says) {
			t.Errorf("%s: mixed %q, want %q; it says %q", name, got, c.want, says)
		}
	}
}

// TestUnknownFacts: a fact that no item has is an error that names the facts that items
// have.
func TestUnknownFacts(t *testing.T) {
	r := recordtest.Record("copy", "8", verbatim.Pass, "pass")
	r.Item.Facts["difficulty"] = "hard"
	rep := must(Of(Options{GroupBy: []string{"difficulty"}}, Input{Records: recordtest.Each(r, recordtest.Record("copy", "8", verbatim.Pass, "pass"))}))(t)
	if got := fmt.Sprint(rep.Groups.By, rep.Groups.Groups[0].Key, rep.Groups.Groups[1].Key); got != "[fact:difficulty] [hard] []" {
		t.Errorf("by an item's own fact: %s", got)
	}
	var none *GroupError
	_, err := Of(Options{GroupBy: []string{"modle"}}, Input{Records: recordtest.Each(r)})
	if !errors.As(err, &none) || !strings.Contains(err.Error(), "modle") || !strings.Contains(err.Error(), "difficulty, family, length") || !strings.Contains(err.Error(), "model") {
		t.Errorf("error %v", err)
	}
	if _, err := Of(Options{GroupBy: []string{"modle"}}, Input{Records: recordtest.Each()}); err != nil {
		t.Errorf("of nothing: %v", err)
	}
}

// TestTooManyGroups: too many groups are an error, however the records are cut into
// parts.
func TestTooManyGroups(t *testing.T) {
	var recs []verbatim.Record
	for i := range maxGroups + 1 {
		recs = append(recs, recordtest.Record("copy", strconv.Itoa(i), verbatim.Pass, "pass"))
	}
	if r := must(Of(Options{GroupBy: []string{"length"}}, Input{Records: recordtest.Each(recs[:maxGroups]...)}))(t); len(r.Groups.Groups) != maxGroups {
		t.Errorf("%d groups", len(r.Groups.Groups))
	}
	half := Input{Records: recordtest.Each(recs[:maxGroups/2]...)}
	rest := Input{Records: recordtest.Each(recs[maxGroups/2:]...)}
	for name, in := range map[string][]Input{"whole": {{Records: recordtest.Each(recs...)}}, "two runs": {half, rest}, "pieces": {{Pieces: append(half.pieces(), rest.pieces()...)}}} {
		var e *GroupError
		if _, err := Of(Options{GroupBy: []string{"length"}}, in...); !errors.As(err, &e) || !strings.Contains(e.Error(), "more than 2,000 groups") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestParametersDiffer: runs with different parameters are warned about.
func TestParametersDiffer(t *testing.T) {
	budget := int64(100)
	runs := []Block{{Head: Head{Name: "a"}}, {Head: Head{Name: "b", Params: verbatim.Params{ReasoningBudget: &budget}}}}
	warned := func() bool {
		return slices.ContainsFunc(comparisonWarnings(runs), func(w Warning) bool { return w.Kind == "parameters" })
	}
	if !warned() {
		t.Error("two reasoning budgets side by side, and no warning")
	}
	if runs[0].Head.Params.ReasoningBudget = &budget; warned() {
		t.Error("the same budget, and a warning")
	}
}

func TestVariantText(t *testing.T) {
	for want, v := range map[string]*verbatim.Variant{
		"":                               nil,
		"1 shot":                         {Shots: 1},
		"2 shots, paraphrase 1":          {Shots: 2, Paraphrase: "1"},
		"no system prompt":               {System: "-"},
		"system prompt “Be␊brief.␛[31m”": {System: "Be\nbrief.\x1b[31m"},
		"1 shot, system prompt “" + strings.Repeat("é", 40) + "…”": {Shots: 1, System: strings.Repeat("é", 41)},
		"system prompt “" + strings.Repeat("é", 40) + "”":          {System: strings.Repeat("é", 40)},
	} {
		if got := VariantText(v); got != want {
			t.Errorf("%+v is %q, want %q", v, got, want)
		}
	}
}

// TestParameters: all parameters that were sent are named; the model's defaults are
// named only if nothing was sent.
func TestParameters(t *testing.T) {
	half, budget := 0.5, int64(100)
	for _, c := range []struct {
		params verbatim.Params
		want   string
	}{
		{verbatim.Params{}, "the model's defaults"},
		{verbatim.Params{ReasoningTokens: 7}, "reasoning tokens 7"},
		{verbatim.Params{ReasoningBudget: &budget}, "reasoning budget 100"},
		{verbatim.Params{Temperature: &half, Effort: "low"}, "temperature 0.5, effort low"},
	} {
		if got := ParameterText(c.params); got != c.want {
			t.Errorf("%+v: %q, want %q", c.params, got, c.want)
		}
	}
}

// TestWordings: a run whose items are spread over wordings lists them, and the interval of
// its total includes the variance between them, however its records are cut into pieces.
func TestWordings(t *testing.T) {
	var records []verbatim.Record
	for i := range 80 {
		id := fmt.Sprintf("copy@1/len=8/seed=1/%d", i)
		right := verbatim.WordingOf(id, 4) != 2 && i%8 != 0
		outcome := verbatim.Wrong
		if right {
			outcome = verbatim.Pass
		}
		records = append(records, verbatim.Record{
			Seq: int64(i), Outcome: outcome, Grade: &verbatim.Grade{Outcome: outcome, Exact: right, Extracted: right, Label: string(outcome)},
			Item: &verbatim.Item{ID: id, Facts: map[string]string{verbatim.FactFamily: "copy", verbatim.FactLength: "8"}},
		})
	}
	run := verbatim.Run{Plan: verbatim.Plan{Trials: 1, Count: 80, Variant: &verbatim.Variant{Paraphrase: verbatim.SpreadOver(4)},
		Cells: []verbatim.Cell{{Family: "copy", Version: 1, Length: verbatim.Lengths{Min: 8, Max: 8}, N: 80}}}}
	whole, err := Of(Options{}, Input{Run: run, Records: recordtest.Each(records...)})
	if err != nil {
		t.Fatal(err)
	}
	b := whole.Runs[0]
	if len(b.Wordings) != 4 || b.Wordings[2].Exact.N != 0 || b.Wordings[1].Exact.Of != 20 {
		t.Fatalf("%+v", b.Wordings)
	}
	low, _ := stats.Wilson(int(b.Total.Exact.N), 80, confidence)
	if *b.Total.Exact.Low >= low-0.1 || *b.Families[0].Total.Exact.Low != *b.Total.Exact.Low || *b.Total.Extracted.Low != *b.Total.Exact.Low {
		t.Errorf("%v to %v, Wilson's begins at %v", *b.Total.Exact.Low, *b.Total.Exact.High, low)
	}
	pieces := Input{Run: run}
	for part := range slices.Chunk(records, 7) {
		pieces.Pieces = append(pieces.Pieces, recordtest.Each(part...))
	}
	cut, err := Of(Options{}, pieces)
	if err != nil || *cut.Runs[0].Total.Exact.Low != *b.Total.Exact.Low || *cut.Runs[0].Total.Exact.High != *b.Total.Exact.High {
		t.Errorf("in pieces: %v, %v", cut, err)
	}
	run.Plan.Variant = nil
	one, err := Of(Options{}, Input{Run: run, Records: recordtest.Each(records...)})
	if err != nil || one.Runs[0].Wordings != nil || *one.Runs[0].Total.Exact.Low != low {
		t.Errorf("one wording: %v, %v", one, err)
	}
}
