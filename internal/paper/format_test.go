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
	"unicode"
	"unicode/utf8"

	"verbatim/internal/chart"
	"verbatim/internal/figure"
	"verbatim/internal/table"
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
				Figure: figure.Figure{Panels: []chart.Panel{{Title: "Int", X: chart.Axis{Label: "list size"}, Y: chart.Axis{Label: "score"}, Lines: []chart.Line{{Name: "a_b", Points: []chart.Point{{X: 2, Y: 1}, {X: 4, Y: math.NaN()}, {X: 8, Y: plainly(0.1) + plainly(0.2)}}}}}}},
			},
			{
				Number: 1, Name: "figure-01", Caption: "Boxes and bars.",
				Figure: figure.Figure{Panels: []chart.Panel{
					{Title: "a", X: chart.Axis{Ticks: []chart.Tick{{At: 0, Label: "0.5"}}}, Boxes: []chart.Box{chart.BoxOf("a", 0, []float64{1, 2, 3, 4, 100})}},
					{X: chart.Axis{Ticks: []chart.Tick{{At: 0, Label: "Several closing brackets", Full: "Multiple closing brackets, valid list before first closing bracket"}}}, Bars: []chart.Bars{{Name: "a", Values: []float64{7, 1}}}},
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
	formats := Formats()
	if len(formats) != 5 {
		t.Fatalf("%d formats", len(formats))
	}
	for _, f := range formats {
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
			t.Fatal(err)
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
		if err := Text(&b, d, terminal.Style{Width: width, Color: width == 200}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > width && strings.Contains(line, " ") && !strings.HasPrefix(line, "made by") && !strings.Contains(line, "Table") {
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
	if err := CSV(&b, small(), terminal.Style{}); err != nil {
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

// TestJSONKnowsNothing holds that what is not known is null, and nothing empty is.
func TestJSONKnowsNothing(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, &Document{}, terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "null") {
		t.Errorf("an empty document: %s", b.String())
	}
	b.Reset()
	if err := JSON(&b, small(), terminal.Style{}); err != nil {
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

// FuzzTexed holds that no text gets a command, a comment or a column past the
// escaping, and that braces match.
func FuzzTexed(f *testing.F) {
	for _, s := range []string{"", `\input{x}`, "100% & #1 $x$", "a_b^c~d", "--- ''", "{}{", "\x00\xff\u202e", "é ß 中 😀", "\\\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := table.LaTeXText(s)
		depth := 0
		for i := 0; i < len(out); i++ {
			switch out[i] {
			case '\\':
				rest := out[i+1:]
				known := false
				for _, ok := range []string{"textbackslash{}", "{", "}", "$", "&", "#", "_", "%", "textasciitilde{}", "textasciicircum{}", "textless{}", "textgreater{}", "textbar{}", "textquotedbl{}", "textasciigrave{}", "ldots{}", "pm$", "times$", "leq$", "geq$", "texttt{[U+"} {
					known = known || strings.HasPrefix(rest, ok)
				}
				if !known {
					t.Fatalf("%q: an unknown command in %q", s, out)
				}
				if strings.ContainsAny(rest[:1], "{}$&#_%") {
					i++
				}
			case '{':
				depth++
			case '}':
				if depth--; depth < 0 {
					t.Fatalf("%q: a brace too many in %q", s, out)
				}
			case '&', '#', '%', '_', '^', '~':
				t.Fatalf("%q: %q is not escaped in %q", s, out[i], out)
			}
		}
		if depth != 0 || strings.Count(strings.ReplaceAll(out, `\$`, ""), "$")%2 != 0 {
			t.Fatalf("%q: braces or dollars do not match in %q", s, out)
		}
	})
}

// FuzzMarked holds that no text becomes a tag or leaves its cell.
func FuzzMarked(f *testing.F) {
	for _, s := range []string{"", "<b>", "a|b", "`x`", "[l](u)", "&lt;", "\n\n# h", "\\|"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := strings.ReplaceAll(marked(s), "`@`", "") // an at sign that mentions no person
		if strings.ContainsAny(out, "<>\n\r") {
			t.Fatalf("%q: %q", s, out)
		}
		var before rune
		for _, r := range out {
			// Inside a word an underscore is no markup.
			if r == '_' && before != '\\' && before != '_' && !unicode.IsLetter(before) && !unicode.IsDigit(before) {
				t.Fatalf("%q: an underscore is not escaped in %q", s, out)
			}
			before = r
		}
		for i := 0; i < len(out); i++ {
			switch out[i] {
			case '\\':
				i++
			case '|', '`', '*', '[', ']':
				t.Fatalf("%q: %q is not escaped in %q", s, out[i], out)
			}
		}
	})
}
