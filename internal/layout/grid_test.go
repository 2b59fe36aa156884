package layout

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"verbatim/internal/table/tabletest"

	"verbatim/internal/recordtest"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// A column of the chart is as high as its share, from the bottom up.
func TestChartPart(t *testing.T) {
	column := func(r *report.Rate) string {
		var b strings.Builder
		for y := range 5 {
			b.WriteRune(columnPart(r, y, 5))
		}
		return b.String()
	}
	for _, c := range []struct {
		rate *report.Rate
		want string
	}{
		{nil, "     "}, {&report.Rate{}, "·    "}, {&report.Rate{Share: share(0)}, "▁    "}, {&report.Rate{Share: share(1)}, "█████"},
		{&report.Rate{Share: share(0.5)}, "██▄  "}, {&report.Rate{Share: share(0.2)}, "█    "}, {&report.Rate{Share: share(0.21)}, "█    "}, {&report.Rate{Share: share(0.225)}, "█▁   "},
	} {
		if got := column(c.rate); got != c.want {
			t.Errorf("a share of %v is drawn as %q, want %q", c.rate, got, c.want)
		}
	}
}

// Lengths are in the order of their numbers, words after them, each once.
func TestLengthHeads(t *testing.T) {
	line := func(label string) report.Line { return report.Line{Length: label} }
	families := recordtest.Quick().Families
	r := must(report.Of(report.Options{}, input(recordtest.Run{Suite: "x", Families: families[:3], N: 1, Trials: 1}, 1)))(t)
	got := lengthHeads(append(r.Runs[0].Families, report.Family{Lines: []report.Line{line("short"), line("long"), line("16")}}))
	want := []string{"4", "8", "16", "28", "32", "128", "256", "500", "long", "short"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Sums by length are sums over the families, where these have the same lengths.
func TestByLength(t *testing.T) {
	sorts := recordtest.Quick()
	sorts.Families = sorts.Families[3:8]
	b := must(report.Of(report.Options{}, input(sorts, 1)))(t).Runs[0]
	if len(b.Lengths) != 4 {
		t.Fatalf("%d lengths", len(b.Lengths))
	}
	for i, l := range b.Lengths {
		var n, exact int64
		for _, f := range b.Families {
			n += f.Lines[i].Answered
			exact += f.Lines[i].Exact.N
		}
		if l.Answered != n || l.Exact.N != exact || l.Exact.Of != n || l.Family != "" || l.Length != b.Families[0].Lines[i].Length {
			t.Errorf("length %s: %d of %d, want %d of %d", l.Length, l.Exact.N, l.Answered, exact, n)
		}
		if l.Planned == nil || *l.Planned != 50 {
			t.Errorf("length %s: planned %v, want 50", l.Length, l.Planned)
		}
	}
	sorts.Stop = 60 // interrupted: more was planned than is there
	for _, l := range must(report.Of(report.Options{}, input(sorts, 1)))(t).Runs[0].Lengths {
		if l.Planned == nil || *l.Planned != 50 {
			t.Errorf("length %s of an interrupted run: planned %v, want 50", l.Length, l.Planned)
		}
	}
	mixed := must(report.Of(report.Options{}, input(recordtest.Quick(), 1)))(t).Runs[0]
	single := recordtest.Quick()
	single.Families = single.Families[:1]
	alone := must(report.Of(report.Options{}, input(single, 1)))(t).Runs[0]
	if mixed.Lengths != nil || alone.Lengths != nil {
		t.Error("a curve over other families at each length, or of one family twice")
	}
}

// A run whose table is longer than a screen is a grid, unless every length is
// requested; with the same lengths it has a curve below it.
func TestLongTablesAreGrids(t *testing.T) {
	sorts := recordtest.Quick()
	sorts.Families = sorts.Families[3:]
	r := must(report.Of(report.Options{}, input(sorts, 1)))(t)
	text := func(everyLength bool, width int) string {
		var out bytes.Buffer
		if err := tabletest.Write(&out, "text", Report(r, Options{EveryLength: everyLength}), terminal.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for _, c := range []struct {
		everyLength bool
		width       int
		lines       int
		curve       bool
	}{{false, 0, 53, true}, {false, 150, 53, true}, {true, 0, 143, false}} {
		got := text(c.everyLength, c.width)
		if n := strings.Count(got, "\n"); n > c.lines || n < c.lines-15 {
			t.Errorf("%+v: %d lines, want about %d", c, n, c.lines)
		}
		if strings.Contains(got, "100 ┤") != c.curve {
			t.Errorf("%+v: a curve where there should be none, or none where there should be one:\n%s", c, got)
		}
	}
	if wide := text(false, 200); !strings.Contains(wide, "72–100") {
		t.Error("a wide grid has no intervals")
	}
}

// On the narrowest terminal names are cut by no more than figures need.
func TestNamesYieldLast(t *testing.T) {
	few := recordtest.Quick()
	few.Families, few.N = few.Families[6:8], 1000
	var out bytes.Buffer
	if err := writeReport("text")(&out, must(report.Of(report.Options{}, input(few, 1)))(t), terminal.Style{Width: 40}); err != nil {
		t.Fatal(err)
	}
	widest := 0
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "sort-") {
			widest = max(widest, terminal.Width(strings.TrimSuffix(line, "\n")))
		}
	}
	if widest != 40 || !strings.Contains(out.String(), "sort-int-l…") {
		t.Errorf("the widest row has %d columns of 40:\n%s", widest, out.String())
	}
}

// share is a share that is known.
func share(v float64) *float64 { return &v }

// Each head of a grid takes the width of its cells, however long it is.
func TestGridHeadWidth(t *testing.T) {
	for _, heads := range [][]string{{"8", "16"}, {"100..200", "201..400"}, {"1000000..2000000", "8"}} {
		g := &grid{heads: heads}
		if !g.fit(1000, 0) || !g.ranges {
			t.Fatalf("%v does not fit 1,000 columns", heads)
		}
		if got := terminal.Width(g.head()); got != g.drawn() {
			t.Errorf("the heads %v take %d columns, and their cells %d", heads, got, g.drawn())
		}
	}
}
