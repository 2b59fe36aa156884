package figure

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"verbatim"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// line is a line of so many right answers of 4.
func line(length string, span *verbatim.Lengths, right float64) report.Line {
	share, low, high := right/4, max(0, right/4-0.2), min(1, right/4+0.2)
	return report.Line{Length: length, Lengths: span, Exact: report.Rate{N: int64(right), Of: 4, Share: &share, Low: &low, High: &high}}
}

func at(n int) *verbatim.Lengths { return &verbatim.Lengths{Min: n, Max: n} }

// two is a set of two runs with a task in common.
func two() *Set {
	unanswered := line("32", at(32), 0)
	unanswered.Exact = report.Rate{}
	return &Set{
		Names: []string{"alpha", "beta"},
		Other: func(h *verdict.RunInfo) string { return "other " + h.Model },
		Runs: []report.Block{
			{Head: report.Head{N: 1, Name: "a-1", Model: "alpha"}, Families: []report.Family{
				{Name: "sort", Lines: []report.Line{line("8", at(8), 4), line("32", at(32), 2)}},
				{Name: "words", Lines: []report.Line{line("some", nil, 1)}}}},
			{Head: report.Head{N: 2, Name: "b-1", Model: "beta"}, Families: []report.Family{
				{Name: "sort", Lines: []report.Line{line("2", at(2), 3), unanswered}}}},
		},
	}
}

// TestCurves wants a line for each run, in their order, with the lengths of all of them on
// one axis.
func TestCurves(t *testing.T) {
	s := two()
	p := s.Curves("sort", Exact())
	var labels []string
	for _, tick := range p.X.Ticks {
		labels = append(labels, tick.Label)
	}
	if !slices.Equal(labels, []string{"2", "8", "32"}) || p.X.Min != 2 || p.X.Max != 32 || !p.X.Log2 {
		t.Errorf("the axis is %+v", p.X)
	}
	if len(p.Lines) != 2 || p.Lines[0].Name != "alpha" || p.Lines[1].Name != "beta" {
		t.Fatalf("the lines are %+v", p.Lines)
	}
	if q := p.Lines[0].At("32"); q.X != 32 || q.Y != 0.5 || q.Low != 0.3 || q.High != 0.7 || q.N != 4 || q.Text != "50.0 (30–70)" {
		t.Errorf("alpha at 32 is %+v", q)
	}
	if q := p.Lines[1].At("32"); q.Known() || q.N != 0 {
		t.Errorf("beta, which has no answer at 32, is %+v", q)
	}
	if p.Lines[1].At("8") != nil {
		t.Error("beta, which was not asked at 8, has a point there")
	}
	words := s.Curves("words", Exact())
	if !math.IsNaN(words.X.Ticks[0].At) || !math.IsNaN(words.Lines[0].Points[0].X) || words.Lines[0].Points[0].Y != 0.25 || words.Lines[1].Known() {
		t.Errorf("a length that is a word: %+v", words)
	}
}

// TestHeat distinguishes cells that were not sent from cells without an answer.
func TestHeat(t *testing.T) {
	h := two().Heat(1, []string{"sort", "words"}, []Length{{"2", at(2)}, {"8", at(8)}, {"32", at(32)}})
	if h.Values[0][0] != 0.75 || h.Notes[0][0] != "75.0 %: 3 of 4 exact, 95 %: 55–95" {
		t.Errorf("2: %v %q", h.Values[0][0], h.Notes[0][0])
	}
	if !math.IsNaN(h.Values[0][1]) || h.Notes[0][1] != "" || !math.IsNaN(h.Values[1][0]) || h.Notes[1][0] != "" {
		t.Errorf("not asked: %v %q", h.Values, h.Notes)
	}
	if !math.IsNaN(h.Values[0][2]) || h.Notes[0][2] != "no request was answered" {
		t.Errorf("not answered: %v %q", h.Values[0][2], h.Notes[0][2])
	}
}

// TestHeatOfBands: a line is in the heat map only if it has the lengths of the column, not only its
// label.
func TestHeatOfBands(t *testing.T) {
	h := two().Heat(1, []string{"sort"}, []Length{{"2", at(2)}, {"2", &verbatim.Lengths{Min: 2, Max: 3}}, {"2", nil}})
	if h.Values[0][0] != 0.75 || !math.IsNaN(h.Values[0][1]) || !math.IsNaN(h.Values[0][2]) {
		t.Errorf("%v", h.Values[0])
	}
}

// TestDifferences wants an axis with room for zero, the zone and every interval.
func TestDifferences(t *testing.T) {
	s := two()
	c := &verdict.Comparison{B: verdict.ComparedRun{RunInfo: verdict.RunInfo{N: 2, Name: "b-1", Model: "beta"}}, Rope: 0.02, Items: 9,
		Verdict: verdict.Verdict{Word: verdict.Worse, Difference: verdict.Difference{Value: -0.2, Range: verdict.Range{Low: -0.3, High: -0.1}}}}
	c.Lengths = []verdict.Row{{Length: "8", Family: "sort"}}
	p := s.Differences([]*verdict.Comparison{c})
	if p.X.Min != -0.3 || p.X.Max != 0.04 || *p.Zone != (Zone{-0.02, 0.02}) {
		t.Errorf("from %v to %v, the zone is %+v", p.X.Min, p.X.Max, p.Zone)
	}
	if r := p.Rows[0]; r.Name != "beta" || r.Run != 1 || r.Note != "worse" || r.Value != -0.2 || r.Verdict.Items != 9 {
		t.Errorf("%+v", r)
	}
	if r := s.DifferencesBy(c, c.Lengths).Rows[0]; r.Label != "8 (sort)" || r.Name != "beta" {
		t.Errorf("%+v", r)
	}
	small := *c
	small.Difference.Low, small.Difference.High = -0.01, 0.03
	if p := s.Differences([]*verdict.Comparison{&small}); p.X.Min != -0.04 || p.X.Max != 0.04 {
		t.Errorf("an interval within twice the zone: from %v to %v", p.X.Min, p.X.Max)
	}
	c.B.RunInfo.Name = "c-1"
	if r := s.Differences([]*verdict.Comparison{c}).Rows[0]; r.Run != -1 || r.Name != "other beta" {
		t.Errorf("a run that is not among them: %+v", r)
	}
}

// TestRun distinguishes unsaved runs of one name.
func TestRun(t *testing.T) {
	runs := []report.Block{{Head: report.Head{Name: "x", Model: "m", Plan: "one"}}, {Head: report.Head{Name: "x", Model: "m", Plan: "two"}}}
	for plan, want := range map[string]int{"one": 0, "two": 1, "": 0} {
		if got := RunIndex(runs, &verdict.RunInfo{Name: "x", Model: "m", Plan: plan}); got != want {
			t.Errorf("of plan %q it is run %d, want %d", plan, got, want)
		}
	}
	if RunIndex(runs, &verdict.RunInfo{Name: "y", Model: "m"}) != -1 {
		t.Error("a run that is not among them is found")
	}
}

// failing is a run of so many answers with these labels.
func failing(answered int64, labels ...report.Count) report.Block {
	return report.Block{Total: report.Line{Answered: answered, Failures: labels}}
}

// TestLabels tells the two orders of labels apart: a long run decides by number, and not
// by share.
func TestLabels(t *testing.T) {
	runs := []report.Block{failing(10, report.Count{Name: "quoted", N: 5}), failing(1000, report.Count{Name: "loop", N: 90}, report.Count{Name: "empty", N: 90})}
	if got := LabelsByShare(runs); !slices.Equal(got, []string{"quoted", "empty", "loop"}) {
		t.Errorf("by share: %v", got)
	}
	if got := LabelsByCount(runs); !slices.Equal(got, []string{"loop", "empty", "quoted"}) {
		t.Errorf("by count: %v", got)
	}
}

// TestFailures wants the labels after the first ones as one part, and no share for runs
// without an answer.
func TestFailures(t *testing.T) {
	var counts []report.Count
	for i := range MostLabels + 2 {
		counts = append(counts, report.Count{Name: "label-" + strconv.Itoa(i), N: int64(20 - i)})
	}
	runs := []report.Block{failing(200, counts...), failing(0)}
	parts := Failures(runs, LabelsByCount(runs))
	if len(parts) != MostLabels+1 {
		t.Fatalf("%d parts", len(parts))
	}
	if p := parts[0]; p.Name != "label-0" || p.Counts[0] != 20 || p.Values[0] != 0.1 || p.Notes[0] != "label-0 20" || p.Values[1] != 0 {
		t.Errorf("%+v", p)
	}
	if p := parts[MostLabels]; p.Name != "others" || p.Counts[0] != 21 || p.Notes[0] != "label-9 11\nlabel-10 10" {
		t.Errorf("%+v", p)
	}
}
