package paper

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/figure"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

var update = flag.Bool("update", false, "write the golden files again")

// small is a document with everything that one can hold, and names that attack
// every format.
func small() *Document {
	return &Document{
		Title: "Study", Lead: []string{"Two models sorted lists.", "A second paragraph, long enough to be broken on a terminal of eighty columns, as any sentence may be."},
		Command: "verbatim report --preset sortbench 1 2",
		Tables: []Table{
			{
				Number: 1, Name: "table-1", Caption: "Scores & more.",
				Columns: []Column{{Head: "Tasks"}, {Head: "Model"}, {Head: "M", LaTeX: "$M$", Right: true}},
				Rows: []Row{
					{Key: "basic/a", Cells: []string{"Basic", "a_b", "0.984"}, Values: []Value{{Column: "m", Number: 0.98382612345}}},
					{Key: "basic/x", Cells: []string{"", "<script>alert(1)</script> | \x1b[31m \u202e $x$ \\input{y} 100% #1 {z} ~^", "–"}},
					{Key: "all/a", Cells: []string{"All", "[a] -- ''b'' * _c_"}, Rule: true},
				},
				Notes: []string{"A note of <b>one</b> line."},
			},
			{Name: "table-long", Caption: "Long.", Columns: []Column{{Head: "n", Right: true}}, Rows: longRows()},
		},
		Figures: []Figure{
			{
				Number: 3, Name: "figure-03", Caption: "A curve.", Text: "It falls.",
				Figure: figure.Figure{Panels: []figure.Panel{{Title: "Int", X: figure.Axis{Label: "list size"}, Y: figure.Axis{Label: "score"}, Lines: []figure.Line{{Name: "a_b", Points: []figure.Point{{X: 2, Y: 1}, {X: 4, Y: math.NaN()}, {X: 8, Y: plainly(0.1) + plainly(0.2)}}}}}}},
			},
			{
				Number: 1, Name: "figure-01", Caption: "Boxes and bars.",
				Figure: figure.Figure{Panels: []figure.Panel{
					{Title: "a", X: figure.Axis{Ticks: []figure.Tick{{At: 0, Label: "0.5"}}}, Boxes: []figure.Box{figure.BoxOf("a", 0, []float64{1, 2, 3, 4, 100})}},
					{X: figure.Axis{Ticks: []figure.Tick{{At: 0, Label: "Several closing brackets", Full: "Multiple closing brackets, valid list before first closing bracket"}}}, Bars: []figure.Bars{{Name: "a", Values: []float64{7, 1}}}},
				}},
			},
		},
		Differences: &Differences{
			Source: "A table", Compared: 4, Equal: 1, Within: 1, Notes: []string{"One note."},
			List: []Differing{{"Table 1, a, M", "0.985", "0.984", "Monte Carlo error of a test.", true}, {"Table 2, a, d", "–", "0.500", "A known reason.", true}, {"Table 3, a, d", "1.000", "0.500", "Not known.", false}},
		},
	}
}

// plainly keeps a sum from being computed exactly, as constants are.
func plainly(v float64) float64 { return v }

func longRows() (rows []Row) {
	for range 45 + 1 {
		rows = append(rows, Row{Key: "k", Cells: []string{"1"}})
	}
	return rows
}

// TestGolden lays the small document out in every format.
func TestGolden(t *testing.T) {
	for _, f := range Formats() {
		var b bytes.Buffer
		if err := f.Write(&b, small(), terminal.Style{}); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		path := filepath.Join("testdata", "small."+f.Name)
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v; if the file is new, run with -update", err)
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s differs from %s; run with -update and read the difference:\n%s", f.Name, path, b.String())
		}
		if strings.ContainsAny(b.String(), "\x1b\u202e") {
			t.Errorf("%s holds what a terminal could obey", f.Name)
		}
	}
}

// TestWidth holds that prose fits the terminal, and that colour is only where wanted.
func TestWidth(t *testing.T) {
	for _, width := range []int{40, 80, 200} {
		var b bytes.Buffer
		d := small()
		d.Tables = nil
		if err := Formats()[0].Write(&b, d, terminal.Style{Width: width, Color: width == 200}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > width && strings.Contains(line, " ") && !strings.HasPrefix(line, "  verbatim ") && !strings.Contains(line, "Table") {
				t.Errorf("%d columns: %q has %d", width, line, n)
			}
		}
		if strings.Contains(b.String(), "\x1b[1m") != (width == 200) {
			t.Errorf("%d columns: colour where none is wanted, or none where it is", width)
		}
	}
}

// TestCSVIsLong holds that each number is in a row of its own, unrounded.
func TestCSVIsLong(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, small(), "csv"); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"table-1/basic/a/m": "0.98382612345", "figure-03/Int/a_b/8": "0.30000000000000004", "figure-01/a/a/0.5 median": "3",
		"figure-01//a/Multiple closing brackets, valid list before first closing bracket": "7", "differences/Table 2, a, d/published": "",
	}
	for _, r := range rows {
		if len(r) != 4 {
			t.Fatalf("%v has no four columns", r)
		}
		key := r[0] + "/" + r[1] + "/" + r[2]
		if v, ok := want[key]; ok {
			if v != r[3] {
				t.Errorf("%s: %s, want %s", key, r[3], v)
			}
			delete(want, key)
		}
		if key == "figure-03/Int/a_b/4" {
			t.Error("a number that is not known has a row")
		}
	}
	if len(want) > 0 {
		t.Errorf("not there: %v", want)
	}
}

// TestJSONKnowsNothing wants null for what is unknown, and not for what is empty.
func TestJSONKnowsNothing(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, &Document{}, "json"); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "null") {
		t.Errorf("an empty document: %s", b.String())
	}
	b.Reset()
	if err := Write(&b, small(), "json"); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Format  string
		Figures []struct {
			Panels []struct {
				Lines []struct{ Points []struct{ Y *float64 } }
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	points := doc.Figures[0].Panels[0].Lines[0].Points
	if doc.Format != "verbatim/paper/1" || len(points) != 3 || points[1].Y != nil || *points[0].Y != 1 {
		t.Errorf("%+v", doc)
	}
}

func at(v float64) *float64 { return &v }

// tableLine is a line of a report, with n of 8 answers right.
func tableLine(family, length string, n int64) report.Line {
	l := report.Line{Family: family, Length: length, Answered: 8, Exact: report.Rate{N: n, Of: 8, Share: at(float64(n) / 8), Low: at(0.1), High: at(0.95)},
		Extracted: report.Rate{N: 8, Of: 8, Share: at(1)}, Score: report.Mean{Value: at(0.875), N: 8}}
	for i, o := range verbatim.Outcomes() {
		l.Outcomes = append(l.Outcomes, report.Count{Name: string(o), N: int64(i) * 1000})
	}
	return l
}

// twoRuns is a report with all that its tables hold.
func twoRuns() *report.Report {
	r := &report.Report{Confidence: 0.95, Command: "verbatim report 1 2"}
	for _, model := range []string{"alpha_1", "beta & <b>\x1b"} {
		r.Runs = append(r.Runs, report.Block{
			Head:     report.Head{Name: model + "-run", Model: model, Note: "simulated"},
			Families: []report.Family{{Name: "reverse", Lines: []report.Line{tableLine("reverse", "8", 8), tableLine("reverse", "16", 5)}}, {Name: "copy", Lines: []report.Line{tableLine("copy", "9–16", 0), {Family: "copy", Length: "32"}}}},
			Total:    tableLine("", "", 6),
		})
	}
	r.Leaderboard = &verdict.Leaderboard{Metric: "score", Confidence: 0.95, Paired: false, Places: []verdict.RankPlace{
		{RunInfo: verdict.RunInfo{Name: "a-1", Model: "alpha_1"}, Items: 8, Mean: 0.9, Range: verdict.Range{Low: 0.8, High: 0.97}, Rank: 1, RankLow: 1, RankHigh: 2, RankProbabilities: []float64{0.9, 0.1}},
		{RunInfo: verdict.RunInfo{Name: "b-1", Model: "beta"}, Items: 8, Mean: 0.5, Range: verdict.Range{Low: 0.4, High: 0.6}, Rank: 2, RankLow: 2, RankHigh: 2},
	}}
	r.Comparisons = []*verdict.Comparison{{
		A: verdict.ComparedRun{RunInfo: verdict.RunInfo{Name: "a-1", Model: "same"}, SideResult: verdict.SideResult{Mean: 0.9}}, B: verdict.ComparedRun{RunInfo: verdict.RunInfo{Name: "a-2", Model: "same"}, SideResult: verdict.SideResult{Mean: 0.5}},
		Metric: "score", Rope: 0.02, Confidence: 0.95, Items: 1440,
		Verdict: verdict.Verdict{Word: verdict.Worse, Difference: verdict.Difference{Value: -0.4, Range: verdict.Range{Low: -0.45, High: -0.35}, Worse: 1, Equivalent: 0, Better: 0}},
	}}
	return r
}

// TestReportTables holds the tables of an ordinary report as LaTeX.
func TestReportTables(t *testing.T) {
	var b bytes.Buffer
	if err := LaTeX(&b, Report(twoRuns()), terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "report.latex")
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; if the file is new, run with -update", err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("differs from %s; run with -update and read the difference:\n%s", path, b.String())
	}
	names := ""
	for _, table := range tables(twoRuns()) {
		names += table.Name + " "
		for _, r := range table.Rows {
			if len(r.Cells) != len(table.Columns) || r.Key == "" {
				t.Errorf("%s: %d cells for %d columns, key %q", table.Name, len(r.Cells), len(table.Columns), r.Key)
			}
		}
	}
	if names != "headline reach leaderboard exact-1 exact-2 outcomes comparison " {
		t.Error(names)
	}
	if list := tables(&report.Report{}); len(list) != 0 {
		t.Errorf("%d tables of nothing", len(list))
	}
	if !strings.Contains(b.String(), "a-1 & a-2") {
		t.Error("two runs of one model have the same name")
	}
}

// TestTrialsInTables: n is items × trials where items have several trials.
func TestTrialsInTables(t *testing.T) {
	r := twoRuns()
	for _, l := range []*report.Line{&r.Runs[0].Total, &r.Runs[0].Families[0].Lines[0]} {
		l.Exact.Items = 4
	}
	var b bytes.Buffer
	if err := LaTeX(&b, Report(r), terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`reverse & 8 & 4$\times$2 & `, `All &  & 4$\times$2 & `, `items $\times$ trials`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q:\n%s", want, b.String())
		}
	}
}

// TestUnranked: a model that has no rank is shown without one.
func TestUnranked(t *testing.T) {
	r := twoRuns()
	last := &r.Leaderboard.Places[len(r.Leaderboard.Places)-1]
	last.Rank, last.RankLow, last.RankHigh, last.RankProbabilities, last.Unranked = 0, 0, 0, nil, "it is built into this program"
	rows := tables(r)[2].Rows
	if got := rows[len(rows)-1].Cells[0]; got != Missing {
		t.Errorf("the table has the rank %q", got)
	}
	drawn := find(t, Charts(r), "leaderboard").Figure.Panels[0].Rows
	if got := drawn[len(drawn)-1].Note; got != "not ranked" {
		t.Errorf("the figure says %q", got)
	}
	last.Items, last.Mean, last.Range = 0, 0, verdict.Range{}
	row := tables(r)[2].Rows[len(rows)-1]
	if got := strings.Join(row.Cells[2:4], " "); got != Missing+" "+Missing {
		t.Errorf("without an answer, the table has the mean and the interval %q", got)
	}
	for _, v := range row.Values {
		if v.Column == "mean" || v.Column == "low" || v.Column == "high" {
			t.Errorf("without an answer, the numbers have %s %g", v.Column, v.Number)
		}
	}
	if got := find(t, Charts(r), "leaderboard").Text; !strings.Contains(got, last.Model+" has no answer") {
		t.Errorf("without an answer, the figure is described as %q", got)
	}
}

func ptr[T any](v T) *T { return &v }

var chartSizes = []int{2, 4, 8, 16, 32}

// rateOf is the rate of n right answers of so many; its interval is made up.
func rateOf(n, of int64) report.Rate {
	if of == 0 {
		return report.Rate{}
	}
	share := float64(n) / float64(of)
	return report.Rate{N: n, Of: of, Share: ptr(share), Low: ptr(share * 0.9), High: ptr(share*0.9 + 0.1)}
}

func lineOf(n, of int64) report.Line {
	l := report.Line{Answered: of, Exact: rateOf(n, of), Extracted: rateOf(min(n+1, of), of)}
	if of > 0 {
		l.Score = report.Mean{Value: ptr(math.Sqrt(float64(n) / float64(of))), N: of}
		l.Seconds = report.Duration{Median: ptr(0.5 + float64(n)), N: of}
		l.Failures = []report.Count{{Name: "quoted", N: (of - n) / 5}, {Name: "cut_short", N: of - n - (of-n)/5}}
	}
	return l
}

// blockOf is a run whose answers get worse with the length and from model to model.
func blockOf(i int, model string, tasks ...string) report.Block {
	b := report.Block{Head: report.Head{N: int64(i + 1), Name: model + "-1", Model: model, Metric: report.MetricScore}}
	for t, task := range tasks {
		f := report.Family{Name: task}
		for k, size := range chartSizes {
			l := lineOf(max(0, int64(20-2*k*(i+1)-t)), 20)
			l.Lengths = &verbatim.Lengths{Min: size, Max: size}
			l.Length = strconv.Itoa(size)
			f.Lines = append(f.Lines, l)
		}
		f.Total = lineOf(50, 100)
		b.Families = append(b.Families, f)
	}
	b.Total = lineOf(int64(60-10*i), 100)
	b.Total.Cost = &report.Cost{Dollars: ptr(verbatim.Money(i+1) * verbatim.Dollar / 10), Known: 100}
	return b
}

func comparisonOf(a, b report.Block, word verdict.Word, value float64) *verdict.Comparison {
	c := &verdict.Comparison{Rope: 0.02, Confidence: 0.95}
	c.A.RunInfo = verdict.RunInfo{N: a.Head.N, Name: a.Head.Name, Model: a.Head.Model}
	c.B.RunInfo = verdict.RunInfo{N: b.Head.N, Name: b.Head.Name, Model: b.Head.Model}
	c.Verdict = verdict.Verdict{Word: word, Difference: verdict.Difference{Value: value, Range: verdict.Range{Low: value - 0.05, High: value + 0.05}}}
	for _, f := range a.Families {
		c.Families = append(c.Families, verdict.Row{Family: f.Name, Verdict: c.Verdict})
	}
	return c
}

// whole is a report that has everything.
func whole() *report.Report {
	r := &report.Report{Runs: []report.Block{blockOf(0, "alpha", "reverse", "sort"), blockOf(1, "beta", "reverse", "sort"), blockOf(2, "gamma", "reverse", "sort")}}
	r.Comparisons = []*verdict.Comparison{comparisonOf(r.Runs[0], r.Runs[1], verdict.Worse, -0.1), comparisonOf(r.Runs[0], r.Runs[2], verdict.Inconclusive, 0.01)}
	r.Leaderboard = &verdict.Leaderboard{Metric: "score", Confidence: 0.95, Paired: true, Items: 100}
	for i := range r.Runs {
		h := r.Runs[i].Head
		r.Leaderboard.Places = append(r.Leaderboard.Places, verdict.RankPlace{
			RunInfo: verdict.RunInfo{N: h.N, Name: h.Name, Model: h.Model}, Items: 100, Mean: 0.8 - float64(i)/10, Range: verdict.Range{Low: 0.6 - float64(i)/10, High: 0.9 - float64(i)/10},
			Rank: i + 1, RankLow: max(1, i), RankHigh: i + 1})
	}
	return r
}

// filesIn lists the files in a folder.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteFigures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "figures")
	figs := Charts(whole())[:2]
	paths, err := WriteFigures(t.Context(), dir, figs, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "exact-share.pdf exact-share.png exact-share.svg extracted-share.pdf extracted-share.png extracted-share.svg"
	if got := strings.Join(filesIn(t, dir), " "); got != want {
		t.Errorf("the folder holds %s, want %s", got, want)
	}
	if len(paths) != 6 || paths[0] != filepath.Join(dir, "exact-share.svg") {
		t.Errorf("paths: %q", paths)
	}
	for i, head := range []string{"<svg ", "%PDF-", "\x89PNG"} {
		data, err := os.ReadFile(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(data, []byte(head)) {
			t.Errorf("%s begins with %.8q", paths[i], data)
		}
	}
	svg, _ := os.ReadFile(paths[0])
	if !strings.Contains(string(svg), "<title>Figure 1. Exact share over length") || !strings.Contains(string(svg), "<desc>Exact share over all tasks: alpha 0.600, beta 0.500") {
		t.Errorf("the drawing does not say what it shows: %.400s", svg)
	}
	again, err := WriteFigures(t.Context(), dir, figs, nil)
	if err != nil || len(again) != 6 {
		t.Errorf("a second time: %q, %v", again, err)
	}
	if same, _ := os.ReadFile(paths[0]); !bytes.Equal(same, svg) {
		t.Error("the same report made another file")
	}
}

// TestWriteNone holds that a figure that cannot be written leaves everything as it was.
func TestWriteNone(t *testing.T) {
	good := Charts(whole())[0]
	for _, c := range []struct {
		name string
		figs []Figure
		want string
	}{
		{"a folder in its place", []Figure{good, {Name: "folder", Figure: good.Figure}}, "folder.pdf is a folder"},
		{"no name", []Figure{good, {Figure: good.Figure}}, "named"},
		{"another folder", []Figure{{Name: "../evil", Figure: good.Figure}}, "../evil"},
		{"a hidden file", []Figure{{Name: ".evil", Figure: good.Figure}}, ".evil"},
		{"twice", []Figure{good, {Name: strings.ToUpper(good.Name), Figure: good.Figure}}, "two figures"},
		{"too long", []Figure{{Name: strings.Repeat("x", 101), Figure: good.Figure}}, "100 letters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			old := filepath.Join(dir, good.Name+".svg")
			if err := os.WriteFile(old, []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, "folder.pdf"), 0o777); err != nil {
				t.Fatal(err)
			}
			paths, err := WriteFigures(t.Context(), dir, c.figs, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) || paths != nil {
				t.Fatalf("paths %q, error %v, want one about %q", paths, err, c.want)
			}
			if got := filesIn(t, dir); len(got) != 2 {
				t.Errorf("left behind: %q", got)
			}
			if data, _ := os.ReadFile(old); string(data) != "old" {
				t.Errorf("the old figure is now %.20q", data)
			}
		})
	}
}

func TestWriteIntoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteFigures(t.Context(), path, Charts(whole()), nil); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a file in place of the folder: %v", err)
	}
}
