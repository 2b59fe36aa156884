package page

import (
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// anyReport draws a report: of no runs or many, with what is not known left out, with
// hostile names, with lengths that are numbers, bands or words.
func anyReport(t *rapid.T) *report.Report {
	g := &maker{t}
	r := &report.Report{Database: g.name()}
	families := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string { return (&maker{t}).name() }), 0, 4, rapid.ID[string]).Draw(t, "families")
	runs, lengths := rapid.SampledFrom([]int{0, 1, 1, 2, 3, 7, 40}).Draw(t, "runs"), []int{0, 1, 2, 8, 60}
	if runs > 3 { // many of one thing at a time are enough
		families, lengths = families[:min(len(families), 1)], lengths[:3]
	}
	for i := range runs {
		b := report.Block{Head: report.Head{N: int64(i % 3), Name: g.name(), Model: g.name()}, Total: g.total()}
		for _, name := range families {
			if g.odds(4) {
				continue
			}
			f := report.Family{Name: name, Total: g.line()}
			for range rapid.SampledFrom(lengths).Draw(t, "lengths") {
				f.Lines = append(f.Lines, g.line())
			}
			b.Families = append(b.Families, f)
		}
		r.Runs = append(r.Runs, b)
	}
	if len(r.Runs) > 1 {
		for i := range min(len(r.Runs)-1, 3) {
			r.Comparisons = append(r.Comparisons, g.comparison(r, i+1))
		}
		if g.odds(2) {
			r.Leaderboard = boardOf(r)
		}
	}
	if len(r.Runs) > 0 && g.odds(2) {
		r.Samples = &report.Samples{Each: 1, Of: 9}
		for range rapid.IntRange(0, 4).Draw(t, "samples") {
			r.Samples.List = append(r.Samples.List, g.sample(len(r.Runs)))
		}
	}
	return r
}

// A maker draws random parts of reports.
type maker struct{ t *rapid.T }

func (g *maker) odds(n int) bool { return rapid.IntRange(1, n).Draw(g.t, "odds") == 1 }

func (g *maker) name() string {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "sort-int", "reverse", hostile, strings.Repeat("long ", 100), strings.Repeat("語", 90)}), rapid.String()).Draw(g.t, "name")
}

func (g *maker) share() float64 { return rapid.Float64Range(0, 1).Draw(g.t, "share") }

func (g *maker) rate() report.Rate {
	if g.odds(5) {
		return report.Rate{}
	}
	v := g.share()
	low, high := v*g.share(), v+(1-v)*g.share()
	r := report.Rate{N: 3, Of: rapid.Int64Range(1, 40).Draw(g.t, "of"), Share: &v, Low: &low, High: &high}
	if g.odds(9) {
		r.Low, r.High = nil, nil
	}
	return r
}

func (g *maker) line() report.Line {
	l := report.Line{Exact: g.rate(), Extracted: g.rate(), Length: g.name()}
	if n := rapid.IntRange(-1, 300).Draw(g.t, "length"); n >= 0 {
		l.Length, l.Lengths = strconv.Itoa(n), &verbatim.Lengths{Min: n, Max: n + rapid.SampledFrom([]int{0, 0, 9}).Draw(g.t, "band")}
	}
	l.Answered = l.Exact.Of
	if g.odds(2) {
		v := rapid.Float64Range(-1.4, 1).Draw(g.t, "score")
		l.Score = report.Mean{Value: &v, N: 3}
	}
	return l
}

// total draws a line with failures.
func (g *maker) total() report.Line {
	l := g.line()
	for range rapid.SampledFrom([]int{0, 1, 3, 12}).Draw(g.t, "labels") {
		l.Failures = append(l.Failures, report.Count{Name: g.name(), N: rapid.Int64Range(0, 1000).Draw(g.t, "n")})
	}
	return l
}

func (g *maker) verdict() verdict.Verdict {
	v := rapid.Float64Range(-1, 1).Draw(g.t, "difference")
	out := verdict.Verdict{
		Word:       rapid.SampledFrom([]verdict.Word{verdict.Better, verdict.Worse, verdict.Equivalent, verdict.Inconclusive, verdict.Withheld, verdict.Pass, ""}).Draw(g.t, "word"),
		Difference: verdict.Difference{Value: v, Range: verdict.Range{Low: v - g.share(), High: v + g.share()}, Worse: g.share(), Equivalent: g.share(), Better: g.share()},
	}
	if g.odds(4) {
		out.Why = []string{g.name(), g.name()}
	}
	return out
}

func (g *maker) comparison(r *report.Report, b int) *verdict.Comparison {
	arm := func(i int) verdict.ComparedRun {
		h := &r.Runs[i].Head
		return verdict.ComparedRun{RunInfo: verdict.RunInfo{Ref: g.name(), N: h.N, Name: h.Name, Model: h.Model}}
	}
	c := &verdict.Comparison{A: arm(0), B: arm(b), Rope: rapid.SampledFrom([]float64{0, 0.02, 0.5}).Draw(g.t, "rope"), Verdict: g.verdict()}
	for range rapid.IntRange(0, 3).Draw(g.t, "rows") {
		c.Families = append(c.Families, verdict.Row{Family: g.name(), Verdict: g.verdict(), Adjusted: g.share()})
		c.Lengths = append(c.Lengths, verdict.Row{Length: g.name(), Family: g.name(), Verdict: g.verdict()})
	}
	for range rapid.IntRange(0, 3).Draw(g.t, "flips") {
		c.Flips.OnlyA++
		c.Flips.List = append(c.Flips.List, verdict.Flip{Item: g.name(), Right: "a", A: verdict.FlipSide{Right: 1, Answers: 1}, B: verdict.FlipSide{Answers: 3, Label: g.name()}})
	}
	return c
}

func (g *maker) sample(runs int) report.Sample {
	want := verbatim.TextAnswer(g.name())
	if g.odds(2) {
		want = verbatim.ListAnswer([]any{g.name(), int64(3), g.name()})
	}
	item := &verbatim.Item{ID: g.name(), Want: want, Facts: map[string]string{verbatim.FactFamily: g.name()}}
	rec := verbatim.Record{Item: item, Outcome: verbatim.Wrong, Trial: rapid.IntRange(0, 2).Draw(g.t, "trial"), Prompt: verbatim.Prompt{{Role: g.name(), Content: []verbatim.Part{{Text: g.name()}}}},
		Grade: &verbatim.Grade{Label: g.name(), Detail: g.name(), Outcome: verbatim.Wrong},
		Reply: &verbatim.Reply{Text: recordview.AnswerText(want) + g.name(), Reasoning: g.name()}}
	return report.Sample{Run: rapid.IntRange(0, runs-1).Draw(g.t, "run"), View: recordview.New(verbatim.Run{N: 1, Name: g.name()}, rec)}
}
