package layout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/recordtest"
	"verbatim/internal/report"
	"verbatim/internal/table/tabletest"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
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
	}{{false, 0, 70, true}, {false, 150, 60, true}, {true, 0, 160, false}} {
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

// severalRuns are n runs of three families.
func severalRuns(t *testing.T, n int) *report.Report {
	t.Helper()
	var in []report.Input
	for i := range n {
		s := recordtest.Quick()
		s.Families, s.Seed, s.Name, s.Model = s.Families[:3], uint64(i+1), fmt.Sprintf("m%d-3f9a2c-1", i+1), fmt.Sprintf("provider:model-of-a-kind-%d", i+1)
		in = append(in, input(s, int64(i+1)))
	}
	return must(report.Of(report.Options{}, in...))(t)
}

// As many runs are side by side as fit, distributed evenly over the tables.
func TestRunsPerTable(t *testing.T) {
	for _, c := range []struct{ runs, width, tables int }{
		{2, 80, 1}, {4, 80, 1}, {5, 80, 2}, {7, 80, 2}, {7, 120, 1}, {12, 120, 2}, {12, 200, 1}, {3, 44, 2},
	} {
		var out bytes.Buffer
		if err := writeReport("text")(&out, severalRuns(t, c.runs), terminal.Style{Width: c.width}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "\nexact in %"); n != c.tables {
			t.Errorf("%d runs in %d columns: %d tables, want %d\n%s", c.runs, c.width, n, c.tables, out.String())
		}
		for i := range c.runs {
			if n := strings.Count(out.String(), fmt.Sprintf("run %d\n", i+1)) + strings.Count(out.String(), fmt.Sprintf("run %d ", i+1)); n < 2 {
				t.Errorf("%d runs in %d columns: run %d is missing", c.runs, c.width, i+1)
			}
		}
	}
}

// Every run can be shown by itself, and is where there is no room for two.
func TestRunsByThemselves(t *testing.T) {
	r := severalRuns(t, 3)
	for _, s := range []struct {
		Options
		terminal.Style
	}{{Options: Options{ByRun: true}}, {Options: Options{EveryLength: true}}, {Style: terminal.Style{Width: 40}}} {
		var out bytes.Buffer
		if err := tabletest.Write(&out, "text", Report(r, s.Options), s.Style); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "\nshares in %"); n != 3 {
			t.Errorf("%+v: %d runs by themselves", s, n)
		}
	}
}

// In a table side by side, each figure belongs to the run above it.
func TestSidesHaveTheirOwnFigures(t *testing.T) {
	r := severalRuns(t, 4)
	var out bytes.Buffer
	if err := writeReport("text")(&out, r, terminal.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(out.String()) {
		for _, f := range r.Runs[0].Families {
			if !strings.HasPrefix(line, f.Name+" ") {
				continue
			}
			rows++
			var want []string
			for i := range r.Runs {
				e := r.Runs[i].Families[slices.IndexFunc(r.Runs[i].Families, func(o report.Family) bool { return o.Name == f.Name })].Total.Exact
				want = append(want, number.Percent(e.Share), number.PercentRange(e.Low, e.High, 0))
			}
			if got := strings.Fields(line)[1:]; !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", f.Name, got, want)
			}
		}
	}
	if rows != 3 {
		t.Errorf("%d rows of families, want 3", rows)
	}
}

// Names are broken after punctuation, and cut only where nothing else helps.
func TestHeaded(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		want  []string
	}{
		{"gpt-4o", 12, []string{"gpt-4o"}},
		{"claude-3-5-haiku-20241022", 12, []string{"claude-3-5-", "haiku-", "20241022"}},
		{"http://127.0.0.1:8080/v1#small", 12, []string{"http://", "127.0.0.1:", "8080/v1#", "small"}},
		{"abcdefghijklmnop", 6, []string{"abcdef", "ghijkl", "mnop"}},
		{strings.Repeat("abc-", 20), 8, []string{"abc-abc-", "abc-abc-", "abc-abc-", "abc-abc…"}},
		{"", 12, []string{""}},
	} {
		if got := headed(c.name, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d columns: %q, want %q", c.name, c.width, got, c.want)
		}
	}
}

func listing() *report.Listing {
	l := &report.Listing{Run: recordtest.Quick().Run(3), Ref: "3", Note: "simulated"}
	for _, n := range recordtest.Records() {
		for range 2 {
			l.Add(&n.Rec)
		}
	}
	return l
}

func TestGoldenListing(t *testing.T) {
	var out bytes.Buffer
	if err := ListingText(&out, listing(), Options{Program: terminal.ShellProgram{Database: "my runs.db"}}, terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if bad := terminaltest.Unsafe(out.String()); bad != "" {
		t.Errorf("a listing lets %s through", bad)
	}
	terminaltest.Golden(t, *update, "listing-80.txt", out.Bytes())
}

// Commands are whole, so that they can be copied; all else fits.
func TestListingFits(t *testing.T) {
	for width := 40; width <= 200; width += 5 {
		var out bytes.Buffer
		if err := ListingText(&out, listing(), Options{}, terminal.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSuffix(line, "\n"); terminal.Width(line) > width && !strings.Contains(line, "verbatim show") {
				t.Errorf("at %d columns a line of %d: %q", width, terminal.Width(line), line)
			}
		}
	}
}

func ended(word string, exact bool) verbatim.Record {
	r := recordtest.Record("copy", "8", verbatim.Wrong, "truncated")
	if exact {
		r = recordtest.Record("copy", "8", verbatim.Pass, "pass")
	}
	r.Reply.Finish, r.Reply.FinishRaw = verbatim.FinishOther, word
	return r
}

// Finish reasons that are unknown are named with their count and how many of their
// replies are exact, in every layout; what a server writes into one stays harmless.
func TestFinishWordsAreNamed(t *testing.T) {
	const evil = "x\x1b[31m\" <b>|`\u202e"
	var recs []verbatim.Record
	for i := range 12 {
		recs = append(recs, ended("eos_x", i%4 != 0))
	}
	recs = append(recs, ended("network_error", true), ended("tool_calls", true), ended("", true), ended(evil, false))
	r := must(report.Of(report.Options{}, report.Input{Run: verbatim.Run{Name: "r"}, Records: recordtest.Each(recs...)}))(t)
	b := &r.Runs[0]
	if len(b.FinishWords) != 3 || b.FinishWords[0].Word != "eos_x" || b.FinishWords[0].N != 12 || b.FinishWords[0].Exact != 9 {
		t.Fatalf("%+v", b.FinishWords)
	}
	for name, write := range map[string]func() string{
		"text": func() string {
			var w bytes.Buffer
			writeReport("text")(&w, r, terminal.Style{Width: 200})
			return w.String()
		},
		"markdown": func() string { var w bytes.Buffer; writeReport("md")(&w, r, terminal.Style{}); return w.String() },
	} {
		got := write()
		for _, want := range []string{`finish reason "eos_x" (unknown, graded as finished): 12 replies, 75.0 % exact`, `finish reason "network_error" (the server's word for a failure`} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: lacks %q:\n%s", name, want, got)
			}
		}
		if strings.ContainsAny(got, "\x1b\u202e") || name == "markdown" && strings.Contains(got, "<b>") {
			t.Errorf("%s: a word of a server commands the terminal: %q", name, got)
		}
		if strings.Contains(got, "tool_calls") {
			t.Errorf("%s: names a call of a tool as unknown", name)
		}
	}
	data, err := json.Marshal(b.FinishWords[0])
	if err != nil || string(data) != `{"word":"eos_x","n":12,"exact":9,"exact_share":0.75}` {
		t.Errorf("%s, %v", data, err)
	}
}
