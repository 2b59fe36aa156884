package paper

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim/internal/figure"
	"verbatim/internal/terminal"
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
