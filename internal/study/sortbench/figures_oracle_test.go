package sortbench

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/grade"
	"verbatim/internal/oracle"
	"verbatim/internal/stats/signedrank"
	"verbatim/internal/verdict"
)

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
