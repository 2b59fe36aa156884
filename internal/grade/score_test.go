package grade

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/oracle"
)

var fourItem = listItem([]any{int64(4), int64(2), int64(1), int64(3)}, []any{int64(1), int64(2), int64(3), int64(4)})

func TestListScores(t *testing.T) {
	nan := math.NaN() // not defined
	cases := []struct {
		item                *verbatim.Item
		reply               string
		validity            float64
		faithfulness        float64
		reference, input    float64 // sorting, by the length of the reply's and of the given list
		standard            float64
		score, scoreByInput float64
		scoreStandard       float64
	}{
		{fourItem, "[1, 2, 3, 4]", 1, 1, 1, 1, 1, 1, 1, 1},
		{fourItem, "[2, 1, 3, 4]", 1, 1, 1 - (1.0/6+1.0/4)/2, 1 - (1.0/6+1.0/4)/2, 1 - (1.0/6+1.0/3)/2, (2 - (1.0/6+1.0/4)/2) / 2, (2 - (1.0/6+1.0/4)/2) / 2, (2 - (1.0/6+1.0/3)/2) / 2},
		{fourItem, "[4, 3, 2, 1]", 1, 1, 1 - (1+3.0/4)/2, 1 - (1+3.0/4)/2, 0, (2 - (1+3.0/4)/2) / 2, (2 - (1+3.0/4)/2) / 2, 0.5},
		{fourItem, "[2, 1]", 1, 0.75, 1 - (1+1.0/2)/2, 1 - (1.0/6+1.0/4)/2, 0, (1.75 - (1+1.0/2)/2) / 2, (1.75 - (1.0/6+1.0/4)/2) / 2, 0.375},
		{fourItem, "[1, 2, 3, 4, 5, 6, 7, 8, 9]", 1, 0.5, 1, 1, 1, 0.75, 0.75, 0.75},
		{fourItem, "[1, 2, 3, 4, 5", 0.75, 1, 1, 1, 1, 0.75, 0.75, 0.75},
		{fourItem, "It is [1, 2, 3, 4]", 0.5, 1, 1, 1, 1, 0.5, 0.5, 0.5},
		{fourItem, "[1, 2, 3, '4']", 0.75, 1, 1, 1, 1, 0.75, 0.75, 0.75},
		{fourItem, "nothing", 0, nan, nan, nan, nan, 0, 0, 0},
		{fourItem, "[1]", 1, 1 - 3.0/8, nan, 1, 0, nan, (2 - 3.0/8) / 2, (1 - 3.0/8) / 2},
		{fourItem, "[]", 1, 0.5, nan, 1, 0, nan, 0.75, 0.25},
		{oneItem, "[5]", 1, 1, nan, nan, 1, nan, nan, 1},
		{oneItem, "[6]", 1, 0, nan, nan, 1, nan, nan, 0.5},
		{oneItem, "[]", 1, 0.5, nan, nan, 0, nan, nan, 0.25},
		{oneItem, "[5, 5]", 1, 0.5, 1, nan, 1, 0.75, nan, 0.75},
		{noneItem, "[]", 1, nan, nan, nan, 1, nan, nan, 1},
		{noneItem, "[1]", 1, nan, nan, nan, 1, nan, nan, 0.75},
	}
	for _, c := range cases {
		basic, advanced := *c.item, *c.item
		basic.Facts = map[string]string{verbatim.FactMode: "basic"}
		advanced.Facts = map[string]string{verbatim.FactMode: "advanced"}
		m := gradeList(&basic, c.reply, verbatim.FinishStop, "sortbench").Measures
		for key, want := range map[string]float64{
			"validity": c.validity, "faithfulness": c.faithfulness, "sorting": c.reference, "sortbench": c.score,
			"sorting_published": c.input, "sortbench_published": c.scoreByInput, "sorting_standard": c.standard, "sortbench_standard": c.scoreStandard,
		} {
			sameMeasure(t, c.reply, key, m, want)
		}
		m = gradeList(&advanced, c.reply, verbatim.FinishStop, "sortbench").Measures
		sameMeasure(t, c.reply, "sorting_published", m, c.reference)
		sameMeasure(t, c.reply, "sortbench_published", m, c.score)
		m = gradeList(c.item, c.reply, verbatim.FinishStop, "sortbench").Measures
		sameMeasure(t, c.reply, "sortbench_published", m, nan)

		sameScore(t, c.reply, gradeOf(withGrader(c.item, "sortbench"), c.reply, verbatim.FinishStop), c.scoreStandard)
		sameScore(t, c.reply, gradeOf(withGrader(c.item, "sortbench-reference"), c.reply, verbatim.FinishStop), c.score)
	}
}

func withGrader(it *verbatim.Item, name string) *verbatim.Item {
	item := *it
	item.Grader = name
	return &item
}

func sameMeasure(t *testing.T, reply, key string, m map[string]float64, want float64) {
	t.Helper()
	if got, ok := m[key]; ok == math.IsNaN(want) || ok && math.Abs(got-want) > 1e-12 {
		t.Errorf("%s: %s is %v (%v), want %v", reply, key, got, ok, want)
	}
}

func sameScore(t *testing.T, reply string, g verbatim.Grade, want float64) {
	t.Helper()
	if (g.Score == nil) != math.IsNaN(want) || g.Score != nil && math.Abs(*g.Score-want) > 1e-12 {
		t.Errorf("%s: the score of %s is %v, want %v", reply, g.Grader, g.Score, want)
	}
	if name, _, _ := strings.Cut(g.Grader, "/"); listVersion(name) != g.Grader {
		t.Errorf("%s: grader %q", reply, g.Grader)
	}
}

func TestListMeasures(t *testing.T) {
	g := gradeOf(fourItem, "Sorted: (2, 9, [4, 1, ..., 1, 5])", verbatim.FinishStop)
	want := map[string]float64{
		"parsed": 1, "is_list": 1, "has_ellipsis": 1, "required_cast": 0, "unordered_pairs": 2, "unordered_neighbors": 1,
		"missing": 2, "additional": 2, "output_items": 4, "validity": 0.5,
	}
	for key, x := range want {
		sameMeasure(t, "measures", key, g.Measures, x)
	}
	if g.Repair != "Content after last closing bracket" {
		t.Errorf("repair %q", g.Repair)
	}
	g = gradeOf(fourItem, "nothing", verbatim.FinishStop)
	for _, key := range []string{"unordered_pairs", "unordered_neighbors", "missing", "additional", "output_items", "sorting", "faithfulness", "sorting_standard"} {
		sameMeasure(t, "nothing", key, g.Measures, math.NaN())
	}
}

func TestWordNumber(t *testing.T) {
	for s, want := range map[string]int64{
		"zero": 0, "seven": 7, "nineteen": 19, "forty": 40, "forty-two": 42, "ninety‐nine": 99, "one hundred": 100, "four hundred and twenty-seven": 427,
		"nine hundred ninety nine": 999, "five hundred and five": 505, "two thousand and one": 2001, "twelve thousand three hundred": 12300, "one thousand": 1000,
		"": -1, "and": -1, "hundred": -1, "one two": -1, "twenty twelve": -1, "twenty zero": -1, "zero one": -1, "five and": -1, "onehundred": -1, "apple": -1, "one apple": -1, "forty-": 40,
		"ten hundred": -1, "one thousand two thousand": -1, "seventeen one": -1,
	} {
		n, ok := wordNumber(s)
		if ok != (want >= 0) || ok && n != want {
			t.Errorf("%q is %d, %v, want %d", s, n, ok, want)
		}
	}
}

// TestListTricky compares the reading of odd published outputs with the reference
// scorer's verdict.
func TestListTricky(t *testing.T) {
	dir := oracle.Path(t, "sortbench-v1.0")
	var cases []struct {
		Config, Model, List, Output string
		Verdict                     struct {
			Err           string
			Parsed        bool
			Isl, Ell, Rtp bool
			N             int
			Up            int64
			Un, Miss, Add int
		}
	}
	readJSONFile(t, filepath.Join(dir, "tricky_outputs.json"), &cases)
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		var lists map[string]verbatim.Answer
		readJSON(t, filepath.Join(dir, "lists", c.Config), &lists)
		j, err := newListJudge(sortItem(t, "", lists[c.List]))
		if err != nil {
			t.Fatal(err)
		}
		score := j.SortBench(c.Output, new(Scratch))
		v := c.Verdict
		want := SortBench{v.Parsed, v.Err, v.Isl, v.Ell, v.Rtp, v.Up, v.Un, v.Miss, v.Add, v.N, len(lists[c.List].List)}
		if score != want {
			t.Errorf("%s %s %s:\n got %+v\nwant %+v", c.Config, c.Model, c.List, score, want)
		}
	}
}
