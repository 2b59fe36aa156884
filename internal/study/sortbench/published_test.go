package sortbench

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/oracle"
	"verbatim/internal/paper"
	"verbatim/internal/stats/signedrank"
	"verbatim/internal/verdict"
)

// TestTable1 computes the weighted means of the published scores again.
func TestTable1(t *testing.T) {
	table := tableNamed(t, published9(t), "table-1")
	checked := 0
	for i, want := range oracle.Rows(t, "stats", "aggregate.csv") {
		row := table.Rows[i]
		if row.Key != want["mode"]+"/"+want["model"] {
			t.Fatalf("row %d is %s, want %s/%s", i, row.Key, want["mode"], want["model"])
		}
		for j, column := range []string{"sortbench", "sorting", "faithfulness", "validity"} {
			v, err := strconv.ParseFloat(want[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			if row.Cells[2+j] != fixed(v) || math.Abs(row.Values[j].Number-v) > 5e-7 {
				t.Errorf("%s, %s: %s (%v), want %s", row.Key, column, row.Cells[2+j], row.Values[j].Number, want[column])
			}
			checked++
		}
	}
	if checked != 112 || len(table.Rows) != 28 {
		t.Errorf("%d cells of %d rows", checked, len(table.Rows))
	}
}

// TestTables2To9 holds order, means, deviations, intervals and effect sizes at the
// published decimals, and probabilities within what the reference's draws allow.
func TestTables2To9(t *testing.T) {
	d := published9(t)
	checked := 0
	for _, want := range oracle.Rows(t, "stats", "tables.csv") {
		length, _ := strconv.Atoi(want["size"])
		table := tableNamed(t, d, fmt.Sprintf("table-%d", int(math.Log2(float64(length)))+1))
		rank, _ := strconv.Atoi(want["rank"])
		row := table.Rows[rank-1]
		if row.Key != want["model"] || row.Cells[0] != want["model"] {
			t.Fatalf("length %d, rank %d: %s, want %s", length, rank, row.Key, want["model"])
		}
		number := func(column string) float64 {
			v, err := strconv.ParseFloat(want[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		cells := []string{fixed(number("mean")), fixed(number("sd")), "[" + fixed(number("ci_lo")) + ", " + fixed(number("ci_hi")) + "]"}
		for i, cell := range cells {
			if row.Cells[i+1] != cell {
				t.Errorf("length %d, %s: %s, want %s", length, row.Key, row.Cells[i+1], cell)
			}
			checked++
		}
		if rank == 1 {
			if row.Cells[4] != paper.Missing || row.Cells[5] != paper.Missing || row.Cells[6] != paper.Missing {
				t.Errorf("length %d: the first row has %v", length, row.Cells[4:])
			}
			continue
		}
		shown := paper.Missing
		if value(row.Values, "p_smaller_best") >= 0.8 {
			shown = fixed(number("d_best"))
		}
		if row.Cells[4] != shown || math.Abs(value(row.Values, "d")-number("d_best")) > 5e-7 {
			t.Errorf("length %d, %s: d %s, want %s", length, row.Key, row.Cells[4], shown)
		}
		for _, of := range []string{"best", "above"} {
			p, ref := value(row.Values, "p_smaller_"+of), number("p_smaller_"+of+"_ref")
			if math.Abs(p-ref) > 4*math.Sqrt(ref*(1-ref)/50000)+0.004 {
				t.Errorf("length %d, %s: p_smaller(%s) %v, want %v", length, row.Key, of, p, ref)
			}
			checked++
		}
		checked++
	}
	if checked != 56*3+48*3 {
		t.Errorf("%d cells were checked", checked)
	}
}

// Test168Verdicts holds the decision of every pair at every length.
func Test168Verdicts(t *testing.T) {
	table := tableNamed(t, published9(t), "table-verdicts")
	words := make(map[string]string)
	for _, r := range table.Rows {
		words[r.Key] = r.Cells[len(r.Cells)-1]
	}
	rows := oracle.Rows(t, "stats", "posteriors.csv")
	for _, want := range rows {
		if key := want["size"] + "/" + want["a"] + "/" + want["b"]; words[key] != want["decision"] {
			t.Errorf("%s: %q, want %q", key, words[key], want["decision"])
		}
	}
	if len(rows) != 168 || len(table.Rows) != 168 {
		t.Errorf("%d rows, want %d of 168", len(table.Rows), len(rows))
	}
}

// TestPublishedNumbers wants a known reason for each published number that differs, and
// no difference in Table 1.
func TestPublishedNumbers(t *testing.T) {
	d := published9(t).Differences
	if d == nil || d.Compared != 452 {
		t.Fatalf("%+v", d)
	}
	for _, x := range d.List {
		if !x.Explained || strings.HasPrefix(x.Place, "Table 1,") {
			t.Errorf("%+v", x)
		}
	}
	if d.Unexplained() != 0 || d.Equal < 390 || d.Equal+len(d.List) != d.Compared || d.Within >= len(d.List) || len(d.Notes) != 2 {
		t.Errorf("equal %d, within %d, listed %d, notes %q", d.Equal, d.Within, len(d.List), d.Notes)
	}
}

// TestNotebook holds that the cells in which the notebook differs from the paper's
// text are exactly those that the reference says, which are the notebook's.
func TestNotebook(t *testing.T) {
	of := map[string]string{"m": "mean", "sd": "sd", "ci_low": "ci_lo", "ci_high": "ci_hi", "d": "d_best", "p_smaller_best": "p_smaller_best_published", "p_smaller_above": "p_smaller_above_published"}
	ref := make(map[string]map[string]string)
	for _, r := range oracle.Rows(t, "stats", "tables.csv") {
		ref[r["size"]+"/"+r["model"]] = r
	}
	differ := notebook()
	seen := 0
	for _, p := range published() {
		if p.table == 1 || p.text == "" {
			continue
		}
		seen++
		text := ref[strconv.Itoa(paperLengths()[p.table-2])+"/"+p.row][of[p.column]]
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := differ[p.cell]; ok != (fixed(v) != p.text) || ok && other != fixed(v) {
			t.Errorf("%s: the paper has %s, the notebook %s; listed %q", p.place(), p.text, fixed(v), other)
		}
	}
	if seen != 340 || len(differ) != 34 {
		t.Errorf("%d cells, %d of which differ", seen, len(differ))
	}
}

// TestEvaluated replaces one output by the one that the reference evaluated: this must
// explain the differing numbers that are listed with it, and change nothing else.
func TestEvaluated(t *testing.T) {
	exhaustive.Only(t)
	sides := scoreSides(t)
	for i := range sides {
		records := sides[i].Records
		sides[i].Records = func(yield func(verbatim.Record, error) bool) {
			for rec, err := range records {
				if err == nil && rec.Item.ID == evaluatedItem && sides[i].Run.Model == "deepseekr1" {
					zero := 0.0
					rec.Grade = &verbatim.Grade{Outcome: verbatim.Wrong, Grader: "list/1", Score: &zero, Measures: map[string]float64{"validity": 0, "sortbench_published": 0}}
					rec.Reply = &verbatim.Reply{Text: "[x for x in y]"}
				}
				if !yield(rec, err) {
					return
				}
			}
		}
	}
	d, err := document(sides, Options{})
	if err != nil {
		t.Fatal(err)
	}
	evaluated := 0
	for _, x := range d.Differences.List {
		if !x.Explained {
			t.Errorf("%+v", x)
		}
		if strings.Contains(x.Why, "evaluated") {
			evaluated++
			if !strings.Contains(x.Place, "DeepSeek-r1") {
				t.Errorf("%+v", x)
			}
		}
	}
	// The ValidityScore of the debug tasks, and the row of length 32.
	if evaluated < 5 || !strings.Contains(strings.Join(d.Differences.Notes, " "), "evaluated as code: DeepSeek-r1") {
		t.Errorf("%d numbers are explained by the output that was evaluated: %q", evaluated, d.Differences.Notes)
	}
}

// TestEvaluatedScores are those of the published file.
func TestEvaluatedScores(t *testing.T) {
	found := false
	for _, r := range oracle.Rows(t, "sortbench-v1.0", "published_scores.csv.gz") {
		if r["model"] == "deepseekr1" && "sortbench:v1.0/"+r["mode"]+"/"+r["task"]+"/"+r["length"]+"/"+r["list"] == evaluatedItem {
			found = true
			for m, column := range []string{"sortbench_published", "sorting_published", "faithfulness", "validity"} {
				if v, err := strconv.ParseFloat(r[column], 64); err != nil || v != evaluatedScores()[m] {
					t.Errorf("%s: %v, want %s", column, evaluatedScores()[m], r[column])
				}
			}
		}
	}
	if !found {
		t.Error("the published file has no such output")
	}
}

// TestCurves computes the points of Figures 3 to 14 from the published file.
func TestCurves(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	d := published9(t)
	type place struct{ mode, task, model, length, score string }
	sums, counts := make(map[place]float64), make(map[place]float64)
	columns := map[string]string{"SortBenchScore": "sortbench_published", "ValidityScore": "validity", "SortingScore": "sorting_published", "FaithfulnessScore": "faithfulness"}
	for _, r := range oracle.Rows(t, "sortbench-v1.0", "published_scores.csv.gz") {
		for score, column := range columns {
			if v, err := strconv.ParseFloat(r[column], 64); err == nil {
				p := place{r["mode"], r["task"], r["model"], r["length"], score}
				sums[p] += v
				counts[p]++
			}
		}
	}
	models := make(map[string]string)
	for _, n := range paperNames() {
		models[n[1]] = n[0]
	}
	if len(d.Figures) != 12 {
		t.Fatalf("%d figures", len(d.Figures))
	}
	points := 0
	for i, f := range d.Figures {
		mode, score := modes()[i/4], []string{"SortBenchScore", "ValidityScore", "SortingScore", "FaithfulnessScore"}[i%4]
		if f.Number != i+3 || f.Name != fmt.Sprintf("figure-%02d", i+3) || !strings.HasPrefix(f.Caption, score+" of the "+mode) {
			t.Errorf("figure %d: %d %s %s", i, f.Number, f.Name, f.Caption)
		}
		if want := map[string]int{"basic": 3, "advanced": 9, "debug": 6}[mode]; len(f.Figure.Panels) != want {
			t.Errorf("figure %d has %d panels", f.Number, len(f.Figure.Panels))
		}
		for j, p := range f.Figure.Panels {
			task := panelTasks(mode)[j]
			if p.Title != task.title {
				t.Errorf("panel %s, want %s", p.Title, task.title)
			}
			for _, l := range p.Lines {
				for _, point := range l.Points {
					at := place{mode, task.task, models[l.Name], strconv.Itoa(int(point.X)), score}
					if n := counts[at]; n == 0 != math.IsNaN(point.Y) || n > 0 && math.Abs(point.Y-sums[at]/n) > 1e-12 {
						t.Errorf("%v: %v, want %v of %v", at, point.Y, sums[at], n)
					}
					points++
				}
			}
		}
	}
	if points < 12*6*7*8 {
		t.Errorf("%d points", points)
	}
}

// outputSides are the runs of the published outputs, graded here; keep says which
// lists are read.
func outputSides(t testing.TB) []verdict.Side {
	t.Helper()
	runs, err := exchange.ReadSortBench(oracle.Path(t, "sortbench-v1.0"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var sides []verdict.Side
	for _, r := range runs {
		sides = append(sides, verdict.Side{Run: r.Run, Records: graded(r.Records)})
	}
	return sides
}

func graded(in iter.Seq2[verbatim.Record, error]) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for rec, err := range in {
			if err == nil && rec.Reply != nil {
				g := grade.Of(rec.Item, rec.Reply.Text, rec.Reply.Finish)
				rec.Grade, rec.Outcome = &g, g.Outcome
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// TestReplyFigures makes Figures 1 and 2 of the outputs of lists 1 to 5 and counts
// again in the reference scorer's file.
func TestReplyFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes for seconds")
	}
	d, err := document(outputSides(t), Options{Draws: signedrank.Draws{Max: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Figures) != 14 || d.Figures[0].Number != 1 || d.Figures[1].Number != 2 {
		t.Fatalf("%d figures", len(d.Figures))
	}
	names := make(map[string]string)
	for _, n := range paperNames() {
		names[n[0]] = n[1]
	}
	want, validities := make(map[[2]string]int), make(map[string]int)
	for _, r := range oracle.Rows(t, "sortbench-v1.0", "reference_lists_1-5.csv.gz") {
		if r["error_type"] != "" {
			want[[2]string{r["error_type"], names[r["model"]]}]++
		}
		if v, err := strconv.ParseFloat(r["validity"], 64); err == nil && r["model"] == "deepseekr1" {
			validities[strconv.FormatFloat(v, 'g', -1, 64)]++
		}
	}
	got := 0
	kinds := d.Figures[1].Figure
	if len(kinds.Panels) != 2 || len(kinds.Panels[0].X.Ticks) != 2 || kinds.Panels[0].X.Ticks[0].Label != "Missing closing bracket" {
		t.Errorf("Figure 2: %d panels", len(kinds.Panels))
	}
	for i := range kinds.Panels {
		p := &kinds.Panels[i]
		for _, b := range p.Bars {
			for k, n := range b.Values {
				key := [2]string{p.X.Category(float64(k)), b.Name}
				if int(n) != want[key] {
					t.Errorf("%v: %v, want %d", key, n, want[key])
				}
				got += int(n)
				delete(want, key)
			}
		}
	}
	if got != 445 || len(want) > 0 {
		t.Errorf("%d lists are not valid Python; the others are %v", got, want)
	}
	thought := d.Figures[0].Figure
	if len(thought.Panels) != 1 || thought.Panels[0].Y.Label != "characters of <think> text" || len(thought.Panels[0].Boxes) != 4 {
		t.Fatalf("Figure 1: %+v", thought)
	}
	boxes := thought.Panels[0].Boxes
	for i, b := range boxes {
		if at := strconv.FormatFloat([]float64{0, 0.5, 0.75, 1}[i], 'g', -1, 64); b.N != validities[at] {
			t.Errorf("ValidityScore %s: %d answers, want %d", at, b.N, validities[at])
		}
		if i > 0 && b.Median >= boxes[i-1].Median {
			t.Errorf("less valid answers must have longer reasoning; medians %v, %v", boxes[i-1].Median, b.Median)
		}
	}
	if d.Differences == nil || d.Differences.Compared != 0 || len(d.Differences.Notes) != 1 {
		t.Errorf("half of the lists are compared with the published numbers: %+v", d.Differences)
	}
}

// scoreSides are the runs of the published scores.
func scoreSides(t testing.TB) []verdict.Side {
	t.Helper()
	runs, err := exchange.ReadSortBenchScores([]string{oracle.Path(t, "sortbench-v1.0", "published_scores.csv.gz")}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var sides []verdict.Side
	for _, r := range runs {
		sides = append(sides, verdict.Side{Run: r.Run, Records: r.Records})
	}
	if len(sides) != paperModels {
		t.Fatalf("%d runs", len(sides))
	}
	return sides
}

// ofScores is the document of the published scores, made once for all tests.
var ofScores = sync.OnceValues(func() (*paper.Document, error) {
	runs, err := exchange.ReadSortBenchScores([]string{filepath.Join(cmp.Or(os.Getenv("VERBATIM_ORACLE_DIR"), "../../../../shared/oracle"), "sortbench-v1.0", "published_scores.csv.gz")}, "", nil)
	if err != nil {
		return nil, err
	}
	var sides []verdict.Side
	for _, r := range runs {
		sides = append(sides, verdict.Side{Run: r.Run, Records: r.Records})
	}
	return document(sides, Options{Command: "verbatim report --preset sortbench"})
})

func published9(t testing.TB) *paper.Document {
	t.Helper()
	oracle.Path(t, "sortbench-v1.0")
	d, err := ofScores()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func tableNamed(t testing.TB, d *paper.Document, name string) *paper.Table {
	t.Helper()
	for i := range d.Tables {
		if d.Tables[i].Name == name {
			return &d.Tables[i]
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}
