package layout

import (
	"bytes"
	"flag"
	"io"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/recordtest"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/table/tabletest"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
	"verbatim/internal/testmain"
	"verbatim/internal/verdict"
)

var update = flag.Bool("update", false, "write the golden files again; read the difference before you commit it")

// samples are the reports that the golden files show.
func samples(t *testing.T) map[string]*report.Report {
	t.Helper()
	quick := recordtest.Quick()
	quick.Families = quick.Families[:9]
	simpe := recordtest.Run{Name: "sim-careful-77ab01-2", Model: "sim:careful", Suite: "simpe", Edition: verbatim.Standard,
		Families: recordtest.SimpeFamilies(), N: 100, Trials: 1, Seed: 3, Outage: 0.05, Wrap: 0.1, Stop: 211}
	interrupted := input(simpe, 4)
	interrupted.Note = "Simulated: sim:careful knows the right answers and spoils some of them. These numbers say nothing about any real model."
	other := quick
	other.Name, other.Model, other.Seed, other.Wrap = "small-3f9a2c-1", "http://127.0.0.1:8080#small\x1b[31m", 9, 0.3
	two := []report.Input{input(quick, 3), input(other, 5)}
	two[1].Run.Params.Effort = "low"
	bare := recordtest.Quick()
	bare.Families, bare.Paid = bare.Families[:2], true
	shot := bare
	shot.Name, shot.Seed = "gpt-4o-mini-77ab01-1", 4
	shot.Variant = &verbatim.Variant{Shots: 2, Paraphrase: "1", System: "You copy, turn around and sort what you are given.\x1b[31m\nYou say nothing else."}
	return map[string]*report.Report{
		"variants":    must(report.Of(report.Options{}, input(bare, 7), input(shot, 8)))(t),
		"quick":       must(report.Of(report.Options{}, input(quick, 3)))(t),
		"interrupted": must(report.Of(report.Options{Metric: report.MetricSimilarity}, interrupted))(t),
		"two":         must(report.Of(report.Options{Metric: report.MetricExtracted}, two...))(t),
		"empty":       must(report.Of(report.Options{}, report.Input{Run: quick.Run(6), Records: func(func(verbatim.Record, error) bool) {}}))(t),
	}
}

func TestGoldenReports(t *testing.T) {
	all := samples(t)
	for _, c := range []struct {
		sample, format, file string
		style                terminal.Style
	}{
		{"quick", "text", "quick-80.txt", terminal.Style{}},
		{"quick", "text", "quick-120.txt", terminal.Style{Width: 120}},
		{"quick", "text", "quick-200.txt", terminal.Style{Width: 200}},
		{"quick", "text", "quick-120-colour.txt", terminal.Style{Width: 120, Color: true}},
		{"quick", "md", "quick.md", terminal.Style{}},
		{"interrupted", "text", "interrupted-80.txt", terminal.Style{}},
		{"interrupted", "text", "interrupted-120.txt", terminal.Style{Width: 120}},
		{"interrupted", "json", "interrupted.json", terminal.Style{}},
		{"interrupted", "csv", "interrupted.csv", terminal.Style{}},
		{"two", "text", "two-80.txt", terminal.Style{}},
		{"two", "md", "two.md", terminal.Style{}},
		{"empty", "text", "empty-80.txt", terminal.Style{}},
		{"variants", "text", "variants-80.txt", terminal.Style{}},
		{"variants", "text", "variants-120.txt", terminal.Style{Width: 120}},
		{"variants", "md", "variants.md", terminal.Style{}},
		{"variants", "csv", "variants.csv", terminal.Style{}},
		{"variants", "json", "variants.json", terminal.Style{}},
	} {
		t.Run(c.file, func(t *testing.T) {
			var out bytes.Buffer
			if err := tabletest.Write(&out, c.format, Report(all[c.sample], Options{}), c.style); err != nil {
				t.Fatal(err)
			}
			if bad := terminaltest.Unsafe(out.String()); bad != "" {
				t.Errorf("%s lets %s through", c.format, bad)
			}
			if !c.style.Color && strings.Contains(out.String(), "\x1b") {
				t.Error("colour that the style does not ask for")
			}
			terminaltest.Golden(t, *update, c.file, out.Bytes())
		})
	}
}

// Nothing may be wider than the terminal, whatever its width; colour must not
// change what is read.
func TestTextFitsEveryWidth(t *testing.T) {
	for name, r := range samples(t) {
		for width := 40; width <= 220; width++ {
			if width%9 != 0 && !exhaustive.All() {
				continue
			}
			var plainText, coloured bytes.Buffer
			if err := writeReport("text")(&plainText, r, terminal.Style{Width: width}); err != nil {
				t.Fatal(err)
			}
			if width%9 == 0 {
				if err := writeReport("text")(&coloured, r, terminal.Style{Width: width, Color: true}); err != nil {
					t.Fatal(err)
				}
			}
			for line := range strings.SplitSeq(plainText.String(), "\n") {
				if terminal.Width(line) > width {
					t.Errorf("%s at %d columns has a line of %d: %q", name, width, terminal.Width(line), line)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s at %d columns: spaces at the end of %q", name, width, line)
				}
			}
			if coloured.Len() > 0 && terminaltest.TrimLineEnds(terminaltest.WithoutColor(coloured.String())) != terminaltest.TrimLineEnds(plainText.String()) {
				t.Errorf("%s at %d columns reads differently in colour", name, width)
			}
		}
	}
}

// A table of anything at all fits every width: counts of any size, names of any
// length, lengths that are many or none.
func TestAnyReportFits(t *testing.T) {
	runs := 2
	if exhaustive.All() {
		runs = 9
	}
	rapid.Check(t, func(t *rapid.T) {
		r := anyReport(t, runs)
		width := rapid.IntRange(40, 220).Draw(t, "width")
		o := Options{EveryLength: rapid.Bool().Draw(t, "every length"), ByRun: rapid.Bool().Draw(t, "by run")}
		var out bytes.Buffer
		if err := tabletest.Write(&out, "text", Report(r, o), terminal.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(out.String(), "\n") {
			if terminal.Width(line) > width {
				t.Errorf("at %d columns a line of %d: %q", width, terminal.Width(line), line)
			}
		}
		if bad := terminaltest.Unsafe(out.String()); bad != "" {
			t.Errorf("the text lets %s through", bad)
		}
	})
}

func TestMain(m *testing.M) { testmain.Main(m) }

// anyReport draws a report with whatever a fold could make of runs, at most so many.
func anyReport(t *rapid.T, most int) *report.Report {
	r := &report.Report{}
	families := rapid.SliceOfNDistinct(rapid.StringN(1, 24, 30), 1, 24, rapid.ID).Draw(t, "families")
	lengths := rapid.SliceOfNDistinct(rapid.IntRange(1, 99999), 1, 20, rapid.ID).Draw(t, "lengths")
	for range rapid.IntRange(1, most).Draw(t, "runs") {
		b := report.Block{Head: report.Head{
			N: rapid.Int64Range(0, 99999).Draw(t, "n"), Name: rapid.String().Draw(t, "name"), Model: rapid.String().Draw(t, "model"),
			Suite: rapid.String().Draw(t, "suite"), Note: rapid.String().Draw(t, "note"),
		}}
		for _, name := range families {
			f := report.Family{Name: name, Total: anyLine(t)}
			for _, n := range lengths[:rapid.IntRange(1, len(lengths)).Draw(t, "lines")] {
				l := anyLine(t)
				l.Lengths = &verbatim.Lengths{Min: n, Max: n}
				l.Length = strconv.Itoa(n)
				f.Lines = append(f.Lines, l)
			}
			b.Families = append(b.Families, f)
		}
		b.Total = anyLine(t)
		b.Warnings = []report.Warning{{Kind: "any", Text: rapid.String().Draw(t, "warning")}}
		r.Runs = append(r.Runs, b)
	}
	return r
}

func anyLine(t *rapid.T) report.Line {
	of := rapid.Int64Range(0, 1_000_000_000).Draw(t, "of")
	n := rapid.Int64Range(0, of).Draw(t, "exact")
	all := of + rapid.Int64Range(0, 3).Draw(t, "unanswered")
	l := report.Line{Planned: &all, Recorded: all, Answered: of, Unanswered: all - of, Exact: report.NewRate(n, of, &all), Extracted: report.NewRate(of, of, &all)}
	for _, o := range verbatim.Outcomes() {
		l.Outcomes = append(l.Outcomes, report.Count{Name: string(o), N: n})
	}
	if n < of {
		l.Failures = []report.Count{{Name: rapid.StringN(1, 30, 60).Draw(t, "label"), N: of - n}}
	}
	l.Cost = &report.Cost{Unknown: 1}
	m := verbatim.Money(n)
	l.Cost.Dollars, l.Cost.Known = &m, n
	return l
}

// fullReport holds something of all that a report can hold. The schema of reports is
// checked against it.
func fullReport(t *testing.T) *report.Report {
	t.Helper()
	r := samples(t)["variants"]
	compared := comparedSamples(t)["missing"]
	if len(compared.Comparisons) == 0 {
		t.Fatal("there is no comparison")
	}
	r.Comparisons = compared.Comparisons
	score, median, p95 := 0.75, 12.0, 90.5
	for i := range r.Runs {
		b := &r.Runs[i]
		b.ModelScore, b.Families[0].ModelScore = &score, &score
		tokens := report.Sizes{Mean: &p95, Min: &median, P25: &median, Median: &median, P75: &p95, P95: &p95, Max: &p95, Total: 1086, N: 12}
		b.Reasoning = []report.Reasoned{
			{Outcome: verbatim.Pass, Sizes: tokens, Texts: &report.ReasoningTexts{Characters: tokens, Words: tokens, Patterns: map[string]report.Marked{"starting over": {Total: 2, Answers: 1}}, Phrases: map[string]report.Marked{"wait": {Total: 6, Answers: 3}}, SecondThoughts: report.Marked{Total: 7, Answers: 3}, RepeatedLines: report.Marked{Total: 24, Answers: 12}}},
			{Outcome: verbatim.Wrong},
		}
		b.Contexts = []report.Context{{Window: 4096, Fit: 70, Of: 78}, {Window: 8192, Fit: 78, Of: 78}}
		b.Days = []report.Day{{Day: "2026-03-14", Line: b.Families[0].Total, Served: []report.Count{{Name: "small-1", N: 40}}}, {Day: "2026-03-15", Line: b.Families[1].Total, Served: nil}}
	}
	place := verdict.RankPlace{RunInfo: compared.Comparisons[0].A.RunInfo, Items: 78, Mean: 0.9, Range: verdict.Range{Low: 0.85, High: 0.95}, Rank: 1, RankLow: 1, RankHigh: 2, RankProbabilities: []float64{0.8, 0.2}, Indistinguishable: []int{1}}
	second := place
	second.RunInfo, second.Mean, second.Rank, second.RankProbabilities, second.Indistinguishable = compared.Comparisons[0].B.RunInfo, 0.8, 2, []float64{0.2, 0.8}, []int{0}
	third := second
	third.Mean, third.Rank, third.RankLow, third.RankHigh, third.RankProbabilities, third.Indistinguishable, third.Unanswered, third.Unranked = 0, 0, 0, 0, nil, nil, 0.5, "half of it has no answer"
	r.Leaderboard = &verdict.Leaderboard{Metric: "score", Confidence: 0.95, Paired: true, Items: 78, LeftOut: 2, Stratified: "cells", Places: []verdict.RankPlace{place, second, third},
		Ahead: [][]float64{{0.5, 0.8}, {0.2, 0.5}}, IndistinguishableSets: [][]int{{0, 1}}, Notes: []verdict.Note{{Kind: "left", Text: "2 items are left out."}}}
	r.Groups = &report.Grouping{By: []string{"family", "model"}, Groups: []report.Group{{Key: []string{"copy", "small\x1b[31m"}, Line: r.Runs[0].Families[1].Total,
		Mixed: []report.Mixed{{Fact: "prompt", Values: []report.Count{{Name: "2 shots", N: 39}, {Name: "as the items have it", N: 40}}}}}}, Warnings: []report.Warning{{Kind: "prompt", Text: "Records with different prompts are pooled."}}}
	r.Samples = &report.Samples{Each: 2, Of: 157}
	run := recordtest.Quick().Run(3)
	for _, n := range recordtest.Records() {
		r.Samples.List = append(r.Samples.List, report.Sample{View: recordview.New(run, n.Rec)})
	}
	r.Tool, r.Command = "0.1.0", "verbatim report 7 8 --format json"
	return r
}

func TestFullReport(t *testing.T) {
	r := fullReport(t)
	var out bytes.Buffer
	if err := writeReport("json")(&out, r, terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if bad := terminaltest.Unsafe(out.String()); bad != "" {
		t.Errorf("JSON lets %s through", bad)
	}
	terminaltest.Golden(t, *update, "full.json", out.Bytes())
	for _, width := range []int{80, 200} {
		out.Reset()
		if err := writeReport("text")(&out, r, terminal.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		if bad := terminaltest.Unsafe(out.String()); bad != "" {
			t.Errorf("the text lets %s through", bad)
		}
	}
}

func of(t *testing.T, in report.Input) *report.Block {
	t.Helper()
	return &must(report.Of(report.Options{}, in))(t).Runs[0]
}

func kinds(list []report.Warning) string {
	var out []string
	for _, w := range list {
		out = append(out, w.Kind)
	}
	return strings.Join(out, " ")
}

func must(r *report.Report, err error) func(*testing.T) *report.Report {
	return func(t *testing.T) *report.Report {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func input(s recordtest.Run, number int64) report.Input {
	return report.Input{Run: s.Run(number), Records: s.Records()}
}

func writeReport(format string) func(io.Writer, *report.Report, terminal.Style) error {
	return func(w io.Writer, r *report.Report, s terminal.Style) error {
		return tabletest.Write(w, format, Report(r, Options{}), s)
	}
}

// leaderboardText writes a leaderboard for a terminal.
func leaderboardText(w io.Writer, l *verdict.Leaderboard, s terminal.Style) error {
	return tabletest.Write(w, "text", leaderboardDocument(l), s)
}

func leaderboardMarkdown(w io.Writer, l *verdict.Leaderboard, s terminal.Style) error {
	return tabletest.Write(w, "md", leaderboardDocument(l), s)
}

func leaderboardDocument(l *verdict.Leaderboard) *table.Document {
	return &table.Document{Body: func(int) []table.Block { return leaderboardBody(l) }}
}
