package paper

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/figure"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

func namesOfFigures(figs []Figure) []string {
	var names []string
	for _, f := range figs {
		names = append(names, f.Name)
	}
	return names
}

func find(t *testing.T, figs []Figure, name string) *Figure {
	t.Helper()
	for i := range figs {
		if figs[i].Name == name {
			return &figs[i]
		}
	}
	t.Fatalf("no figure %s among %q", name, namesOfFigures(figs))
	return nil
}

// TestCharts compares the figures of a report, and their contents, with those of the
// report.
func TestCharts(t *testing.T) {
	figs := Charts(whole())
	want := []string{"exact-share", "extracted-share", "score", "heat-map", "failures", "leaderboard", "differences", "differences-by-task", "time", "cost"}
	if diff := cmp.Diff(want, namesOfFigures(figs)); diff != "" {
		t.Fatalf("figures:\n%s", diff)
	}
	for i, f := range figs {
		if f.Number != i+1 || f.Caption == "" || f.Figure.Title == "" {
			t.Errorf("%s: number %d, caption %q, title %q", f.Name, f.Number, f.Caption, f.Figure.Title)
		}
		if f.Name != "failures" && !slices.Equal(f.Figure.Names, []string{"alpha", "beta", "gamma"}) {
			t.Errorf("%s gives looks to %q", f.Name, f.Figure.Names)
		}
		var b bytes.Buffer
		if err := f.Figure.SVG(&b); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}

	r := whole()
	r.Runs[1].Reasoning = []report.Reasoned{reasoned(verbatim.Wrong, 50), reasoned(verbatim.Pass, 10), {Outcome: verbatim.Refused}}
	p := find(t, Charts(r), "reasoning").Figure.Panels
	if len(p) != 1 || p[0].Title != "beta" || len(p[0].Boxes) != 2 || p[0].X.Ticks[0].Label != "pass" || p[0].Boxes[1].Median != 100 || !p[0].Y.Log2 {
		t.Errorf("the panels of reasoning are %+v", p)
	}

	curves := find(t, figs, "exact-share").Figure.Panels
	if len(curves) != 2 || len(curves[0].Lines) != 3 || len(curves[0].Lines[1].Points) != len(chartSizes) {
		t.Fatalf("curves: %+v", curves)
	}
	if got, want := curves[0].Lines[1].Points[2], (figure.Point{X: 8, Y: 0.6, Low: 0.54, High: 0.64}); !near(got, want) {
		t.Errorf("beta reverses at length 8: %+v, want %+v", got, want)
	}
	if !curves[0].X.Log2 || curves[0].X.Min != 2 || curves[0].X.Max != 32 {
		t.Errorf("axis of lengths: %+v", curves[0].X)
	}

	heat := find(t, figs, "heat-map").Figure.Panels
	if len(heat) != 3 || heat[1].Title != "beta" || heat[1].Heat.Values[0][2] != 0.6 || heat[1].Heat.Columns[2] != "8" {
		t.Errorf("heat map: %+v", heat)
	}

	failures := find(t, figs, "failures").Figure.Panels[0]
	if len(failures.Bars) != 2 || failures.Bars[0].Name != "cut_short" || failures.Bars[0].Values[1] != 0.4 || failures.X.Ticks[1].Label != "beta" {
		t.Errorf("failures: %+v", failures)
	}

	board := find(t, figs, "leaderboard").Figure.Panels[0].Rows
	if len(board) != 3 || board[0].Note != "rank 1" || board[2].Note != "rank 2–3" || board[2].Name != "gamma" || math.Abs(board[2].Low-0.4) > 1e-12 {
		t.Errorf("leaderboard: %+v", board)
	}

	forest := find(t, figs, "differences").Figure.Panels[0]
	if len(forest.Rows) != 2 || forest.Rows[0].Note != "worse" || forest.Rows[0].Value != -0.1 || forest.Zone.High != 0.02 || !strings.HasSuffix(forest.X.Label, "alpha") {
		t.Errorf("differences: %+v", forest)
	}
	if forest.X.Min > -0.15 || forest.X.Max < 0.06 {
		t.Errorf("axis of differences: %+v", forest.X)
	}
	if byTask := find(t, figs, "differences-by-task").Figure.Panels; len(byTask) != 2 || byTask[1].Title != "gamma" || byTask[1].Rows[1].Label != "sort" {
		t.Errorf("differences by task: %+v", byTask)
	}

	cost := find(t, figs, "cost").Figure.Panels[0].Lines
	if len(cost) != 3 || cost[2].Points[0].X != 3 || cost[2].Points[0].Y != 0.4 {
		t.Errorf("cost: %+v", cost)
	}
}

func near(a, b figure.Point) bool {
	const e = 1e-12
	return math.Abs(a.X-b.X) < e && math.Abs(a.Y-b.Y) < e && math.Abs(a.Low-b.Low) < e && math.Abs(a.High-b.High) < e
}

// TestGroups: a panel for each value of the first fact, with the values of the last one as its
// places, in the order of the report.
func TestGroups(t *testing.T) {
	r := whole()
	r.Groups = &report.Grouping{By: []string{"task", "knob"}, Groups: []report.Group{
		{Key: []string{"columns", "ties=2"}, Line: lineOf(9, 10)}, {Key: []string{"columns", "ties=10"}, Line: lineOf(5, 10)}, {Key: []string{"columns", ""}, Line: lineOf(1, 10)},
		{Key: []string{"direction", "direction=ascending"}, Line: lineOf(3, 10)},
		{Key: []string{"known", "category=weekdays"}, Line: lineOf(8, 10)}, {Key: []string{"known", "category=sizes"}, Line: lineOf(4, 10)},
	}}
	p := find(t, Charts(r), "exact-share-by-group").Figure.Panels
	if len(p) != 2 || p[0].Title != "columns" || p[1].Title != "known" {
		t.Fatalf("panels %+v", p)
	}
	points := p[0].Lines[0].Points
	if p[0].X.Label != "ties" || len(p[0].X.Ticks) != 2 || p[0].X.Ticks[1].Label != "10" || len(points) != 2 || points[0].Y != 0.9 || points[1].X != 1 || points[1].Low >= points[1].High {
		t.Errorf("ties: %+v", p[0])
	}
}

// TestChartsOfLess wants the figures left out for which a report has no data.
func TestChartsOfLess(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(r *report.Report)
		want   string // the names, in order
	}{
		{"nothing", func(r *report.Report) { *r = report.Report{} }, ""},
		{"nothing answered", func(r *report.Report) {
			r.Runs = []report.Block{{Head: report.Head{Model: "alpha"}}}
			r.Comparisons, r.Leaderboard = nil, nil
		}, ""},
		{"one run", func(r *report.Report) { r.Runs = r.Runs[:1]; r.Comparisons, r.Leaderboard = nil, nil },
			"exact-share extracted-share score heat-map failures totals time"},
		{"no leaderboard", func(r *report.Report) { r.Leaderboard = nil },
			"exact-share extracted-share score heat-map failures totals differences differences-by-task time cost"},
		{"withheld", func(r *report.Report) {
			for _, c := range r.Comparisons {
				c.Word = verdict.Withheld
			}
		}, "exact-share extracted-share score heat-map failures leaderboard time cost"},
		{"one paid", func(r *report.Report) {
			r.Runs[0].Total.Cost = nil
			r.Runs[1].Total.Cost = &report.Cost{Dollars: new(verbatim.Money), Known: 3}
		},
			"exact-share extracted-share score heat-map failures leaderboard differences differences-by-task time"},
		{"lengths of their own", func(r *report.Report) {
			for i := range r.Runs {
				lines := r.Runs[i].Families[1].Lines
				for k := range lines {
					lines[k].Lengths = &verbatim.Lengths{Min: 100 * i, Max: 200*i + k}
				}
			}
		}, "exact-share extracted-share score failures leaderboard differences differences-by-task time cost"},
		{"a score that is the exact share", func(r *report.Report) {
			for i := range r.Runs {
				r.Runs[i].Total.Score.Value = r.Runs[i].Total.Exact.Share
			}
		}, "exact-share extracted-share heat-map failures leaderboard differences differences-by-task time cost"},
		{"one length", func(r *report.Report) {
			for i := range r.Runs {
				for k := range r.Runs[i].Families {
					f := &r.Runs[i].Families[k]
					f.Lines = f.Lines[:1]
				}
			}
		}, "exact-share-by-task extracted-share-by-task score-by-task failures leaderboard differences differences-by-task time-by-task cost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := whole()
			c.change(r)
			if got := strings.Join(namesOfFigures(Charts(r)), " "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestOneLength holds that values of one length are rows and not points in a line.
func TestOneLength(t *testing.T) {
	r := whole()
	for i := range r.Runs {
		for k := range r.Runs[i].Families {
			r.Runs[i].Families[k].Lines = r.Runs[i].Families[k].Lines[:1]
		}
	}
	f := find(t, Charts(r), "exact-share-by-task")
	if want := "Exact share by task, with 95 % Wilson intervals."; f.Caption != want {
		t.Errorf("caption: %s, want %s", f.Caption, want)
	}
	p := f.Figure.Panels[1]
	if len(p.Lines) != 0 || len(p.Rows) != 3 || p.Rows[0].Value != 0.95 || p.X.Label != "exact share" {
		t.Errorf("panel: %+v", p)
	}
}

// TestOneLengthAmongOthers wants no curve for a task of one length.
func TestOneLengthAmongOthers(t *testing.T) {
	r := whole()
	for i := range r.Runs {
		r.Runs[i].Families[1].Lines[0].Lengths = nil
		r.Runs[i].Families[1].Lines = r.Runs[i].Families[1].Lines[:1]
	}
	figs := Charts(r)
	curves, rows := find(t, figs, "exact-share").Figure.Panels, find(t, figs, "exact-share-by-task").Figure.Panels
	if len(curves) != 1 || curves[0].Title != "reverse" || len(rows) != 1 || rows[0].Title != "sort" || rows[0].Rows[0].Value != 0.5 {
		t.Errorf("curves %+v, rows %+v", curves, rows)
	}
}

func TestSeriesNames(t *testing.T) {
	for _, c := range []struct {
		name string
		runs [][2]string // model and name
		want []string
	}{
		{"models", [][2]string{{"a", "a-1"}, {"b", "b-1"}}, []string{"a", "b"}},
		{"a model twice", [][2]string{{"a", "a-1"}, {"b", "b-1"}, {"a", "a-2"}}, []string{"a-1", "b", "a-2"}},
		{"all the same", [][2]string{{"a", "x"}, {"a", "x"}}, []string{"x #1", "x #2"}},
		{"no letters for them", [][2]string{{"模型", ""}, {"型模", ""}}, []string{"□□ #1", "□□ #2"}},
		{"escapes", [][2]string{{"a\x1b[2J", ""}}, []string{"a□[2J"}},
		{"no name", [][2]string{{"", ""}}, []string{"run"}},
		{"long", [][2]string{{strings.Repeat("x", 99), ""}}, []string{strings.Repeat("x", 47) + "…"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &report.Report{}
			for _, n := range c.runs {
				r.Runs = append(r.Runs, report.Block{Head: report.Head{Model: n[0], Name: n[1]}})
			}
			if diff := cmp.Diff(c.want, seriesNames(r)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestMany wants what is too much for one figure to be continued in another one or
// named in the caption.
func TestMany(t *testing.T) {
	r := &report.Report{}
	var tasks []string
	for i := range 20 {
		tasks = append(tasks, "task-"+string(rune('a'+i)))
	}
	for i := range 30 {
		r.Runs = append(r.Runs, blockOf(i, "m"+string(rune('A'+i)), tasks...))
	}
	figs := Charts(r)
	first, second := find(t, figs, "exact-share-1"), find(t, figs, "exact-share-2")
	if len(first.Figure.Panels) != 18 || len(second.Figure.Panels) != 2 || len(first.Figure.Panels[0].Lines) != 24 {
		t.Errorf("%d and %d panels of %d lines", len(first.Figure.Panels), len(second.Figure.Panels), len(first.Figure.Panels[0].Lines))
	}
	for _, say := range []string{"Part 1.", "The first 24 of 30 runs are shown."} {
		if !strings.Contains(first.Caption, say) {
			t.Errorf("the caption does not say %q: %s", say, first.Caption)
		}
	}
}

// TestZero holds that an axis of differences holds 0 and what counts as equivalent.
func TestZero(t *testing.T) {
	r := whole()
	r.Comparisons = r.Comparisons[:1] // from −0.15 to −0.05
	for _, name := range []string{"differences", "differences-by-task"} {
		if x := find(t, Charts(r), name).Figure.Panels[0].X; x.Min > -0.15 || x.Max < 0.02 {
			t.Errorf("%s: from %g to %g", name, x.Min, x.Max)
		}
	}
}

// TestNote holds that a caption says that models are simulated.
func TestNote(t *testing.T) {
	r := whole()
	r.Runs[1].Head.Note = "simulated: no model was asked"
	for _, f := range Charts(r) {
		if !strings.HasSuffix(f.Caption, "Simulated: no model was asked.") {
			t.Errorf("%s: %s", f.Name, f.Caption)
		}
	}
}

// TestChartsOfAnything draws reports of any content without an error.
func TestChartsOfAnything(t *testing.T) {
	number := rapid.Ptr(rapid.Float64(), true)
	aLine := rapid.Custom(func(t *rapid.T) report.Line {
		l := report.Line{Answered: rapid.Int64Range(0, 9).Draw(t, "answered")}
		l.Exact = report.Rate{Share: number.Draw(t, "share"), Low: number.Draw(t, "low"), High: number.Draw(t, "high")}
		l.Extracted, l.Score.Value, l.Seconds.Median = l.Exact, number.Draw(t, "score"), number.Draw(t, "seconds")
		l.Lengths = rapid.SampledFrom([]*verbatim.Lengths{nil, {}, {Min: 2, Max: 2}, {Min: 9, Max: 16}, {Min: -1, Max: math.MaxInt32}}).Draw(t, "lengths")
		l.Failures = []report.Count{{Name: rapid.String().Draw(t, "label"), N: rapid.Int64Range(0, 9).Draw(t, "n")}}
		l.Cost = &report.Cost{Dollars: rapid.Ptr(rapid.Custom(func(t *rapid.T) verbatim.Money { return verbatim.Money(rapid.Int64().Draw(t, "money")) }), true).Draw(t, "dollars"), Known: rapid.Int64Range(0, 3).Draw(t, "known")}
		return l
	})
	rapid.Check(t, func(t *rapid.T) {
		r := &report.Report{}
		for range rapid.IntRange(0, 3).Draw(t, "runs") {
			b := report.Block{Total: aLine.Draw(t, "total")}
			b.Head.Model = rapid.String().Draw(t, "model")
			for range rapid.IntRange(0, 3).Draw(t, "families") {
				b.Families = append(b.Families, report.Family{Name: rapid.String().Draw(t, "task"), Lines: rapid.SliceOfN(aLine, 0, 4).Draw(t, "lines")})
			}
			r.Runs = append(r.Runs, b)
		}
		for _, f := range Charts(r) {
			if err := f.Figure.SVG(new(bytes.Buffer)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// reasoned is the reasoning of answers whose sizes begin with least.
func reasoned(outcome verbatim.Outcome, least float64) report.Reasoned {
	at := func(times float64) *float64 { v := least * times; return &v }
	return report.Reasoned{Outcome: outcome, Sizes: report.Sizes{Mean: at(2), Min: at(1), P25: at(1.5), Median: at(2), P75: at(3), P95: at(4), Max: at(5), Total: int64(4 * least), N: 2}}
}

// TestNotes: a caption has each note once, and says how many it has no room for.
func TestNotes(t *testing.T) {
	var r report.Report
	for _, c := range []struct{ note, want string }{
		{"", ""},
		{"one", "One"},
		{"one", "One"},
		{"two", "One; two"},
		{"three", "One; two; three"},
		{"four", "One; two; three; four"},
		{"five", "One; two; three; four; 1 more note is in the report"},
		{"five", "One; two; three; four; 1 more note is in the report"},
		{"six", "One; two; three; four; 2 more notes are in the report"},
	} {
		r.Runs = append(r.Runs, report.Block{Head: report.Head{Note: c.note}})
		if got := notes(&r); got != c.want {
			t.Errorf("with %q: %q, want %q", c.note, got, c.want)
		}
	}
}

// Headings are bold on a terminal: their sequences pass its Filter.
func TestBoldPassesFilter(t *testing.T) {
	var b strings.Builder
	flush := terminal.NewSeal()
	filter := terminal.NewFilter(&b, flush)
	if err := Formats()[0].Write(filter, &Document{Title: "A study"}, terminal.Style{Color: true, Seal: flush}); err != nil {
		t.Fatal(err)
	}
	if err := filter.Flush(); err != nil || !strings.HasPrefix(b.String(), "\x1b[1mA study\x1b[m\n") {
		t.Errorf("%q %v", b.String(), err)
	}
}
