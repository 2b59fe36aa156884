package page

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/figure"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A fragment is a part of the page with what it lays out.
type fragment struct {
	name  string
	views func(*report.Report) []any
}

func fragments() []fragment {
	return []fragment{
		{"legend", func(r *report.Report) []any { return []any{legend(r)} }},
		{"curveChart", func(r *report.Report) []any { return viewsOf(curves(r)) }},
		{"heatTable", func(r *report.Report) []any { return viewsOf(heatmap(r)) }},
		{"labelChart", func(r *report.Report) []any { return []any{labelBars(r)} }},
		{"forestPanel", forestPanels},
		{"rankChart", func(r *report.Report) []any { return []any{rankBars(r)} }},
		{"sampleView", func(r *report.Report) []any { return viewsOf(samples(r)) }},
		{"flipView", func(r *report.Report) []any { return viewsOf(flips(r)) }},
	}
}

func forestPanels(r *report.Report) []any {
	var list []any
	if p := overallForest(r); p != nil {
		list = append(list, p)
	}
	for i := range r.Comparisons {
		list = append(list, viewsOf(comparisonForests(r, i))...)
	}
	return list
}

func viewsOf[T any](list []T) []any {
	out := make([]any, len(list))
	for i := range list {
		out[i] = list[i]
	}
	return out
}

func parsed(t *testing.T) *template.Template {
	t.Helper()
	tmpl, err := templates()
	if err != nil {
		t.Fatal(err)
	}
	return tmpl
}

// laid lays out a fragment of the report.
func laid(t interface{ Fatal(...any) }, tmpl *template.Template, f fragment, r *report.Report) string {
	var b strings.Builder
	for _, view := range f.views(r) {
		if err := tmpl.ExecuteTemplate(&b, f.name, view); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestGoldenFragments(t *testing.T) {
	r, tmpl := fixture(t), parsed(t)
	for _, f := range fragments() {
		t.Run(f.name, func(t *testing.T) {
			got := laid(t, tmpl, f, r)
			if got == "" {
				t.Fatal("nothing was laid out")
			}
			if err := sound(got); err != nil {
				t.Error(err)
			}
			golden(t, f.name+".html", got)
		})
	}
}

// sound returns an error for a fragment that is not well-formed, has elements or
// attributes that run or load something, has two elements of one name, or refers to a
// name that no element has.
func sound(text string) error {
	if strings.Contains(text, "ZgotmplZ") {
		return errors.New("the template engine refused a value")
	}
	d := xml.NewDecoder(strings.NewReader("<x>" + text + "</x>"))
	ids, refs := map[string]bool{}, []string{}
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("not well-formed: %w", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "script", "style", "img", "a", "use", "image", "iframe", "object", "foreignObject", "link", "meta", "form":
				return fmt.Errorf("there is an element %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				switch name := a.Name.Local; {
				case name == "style", name == "href", name == "src", strings.HasPrefix(name, "on"):
					return fmt.Errorf("%s has the attribute %s", e.Name.Local, name)
				case name == "id":
					if ids[a.Value] {
						return fmt.Errorf("two elements are called %s", a.Value)
					}
					ids[a.Value] = true
				case name == "aria-labelledby":
					refs = append(refs, strings.Fields(a.Value)...)
				case strings.Contains(a.Value, "NaN") && name != "title", strings.Contains(a.Value, "Inf") && name == "d":
					return fmt.Errorf("%s has %s=%q", e.Name.Local, name, a.Value)
				}
			}
		case xml.CharData:
			if i := strings.IndexAny(string(e), "\u202e\u2066\u200b\x1b\x00"); i >= 0 {
				return fmt.Errorf("a character that cannot be seen, in %.60q", string(e)[i:])
			}
		case xml.Comment, xml.Directive, xml.ProcInst:
			return errors.New("there is a comment or a directive")
		}
	}
	for _, ref := range refs {
		if !ids[ref] {
			return fmt.Errorf("nothing is called %s", ref)
		}
	}
	return nil
}

func TestAnyReportIsLaidOutSoundly(t *testing.T) {
	tmpl := parsed(t)
	rapid.Check(t, func(t *rapid.T) {
		r := anyReport(t)
		for _, f := range fragments() {
			if err := sound(laid(t, tmpl, f, r)); err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
		}
	})
}

// Lengths with one answer each have marks, and neither a line nor a band that would
// claim to know what lies between them.
func TestLoneAnswersHaveNoLine(t *testing.T) {
	one, low := 1.0, 0.2
	f := report.Family{Name: "mine"}
	for i := range 9 {
		f.Lines = append(f.Lines, report.Line{Length: strconv.Itoa(10 + i), Lengths: &verbatim.Lengths{Min: 10 + i, Max: 10 + i}, Exact: report.Rate{N: 1, Of: 1, Share: &one, Low: &low, High: &one}})
	}
	r := &report.Report{Runs: []report.Block{{Families: []report.Family{f}}}}
	charts := curves(r)
	p := charts[0].Panels[0]
	if len(p.Lines)+len(p.Bands) > 0 || len(p.Whiskers) != 9 || len(p.Marks) != 1 || strings.Count(p.Marks[0].Path, "M") != 9 {
		t.Errorf("%d lines, %d bands, %d whiskers, marks %v", len(p.Lines), len(p.Bands), len(p.Whiskers), p.Marks)
	}
	if v := newCurveNotes(r, charts); v != (curveNotes{Intervals: true, Once: true, Some: true}) {
		t.Errorf("%+v", v)
	}
	for i := range mostWhiskers {
		line := f.Lines[0]
		line.Length, line.Lengths = strconv.Itoa(100+i), &verbatim.Lengths{Min: 100 + i, Max: 100 + i}
		f.Lines = append(f.Lines, line)
	}
	many := &report.Report{Runs: []report.Block{{Families: []report.Family{f}}}}
	if charts := curves(many); len(charts[0].Panels[0].Whiskers) > 0 || newCurveNotes(many, charts).Intervals {
		t.Errorf("of %d lengths: %d whiskers", len(f.Lines), len(charts[0].Panels[0].Whiskers))
	}
	f.Lines = r.Runs[0].Families[0].Lines
	two := &report.Report{Runs: []report.Block{r.Runs[0], r.Runs[0]}}
	if charts := curves(two); len(charts[0].Panels[0].Whiskers) > 0 || newCurveNotes(two, charts).Intervals {
		t.Errorf("of two runs: %d whiskers, one upon the other", len(charts[0].Panels[0].Whiskers))
	}
	for i := range f.Lines[:2] {
		f.Lines[i].Exact.Of = 2
	}
	charts = curves(r)
	if p = charts[0].Panels[0]; len(p.Lines) != 1 || len(p.Bands) != 1 {
		t.Errorf("two lengths with two answers each: %d lines, %d bands", len(p.Lines), len(p.Bands))
	}
	if v := newCurveNotes(r, charts); v != (curveNotes{Intervals: true, Some: true}) {
		t.Errorf("%+v", v)
	}
	if page := rendered(t, r); !strings.Contains(page, "intervals. Lengths with one answer have a mark and no line.</p>") {
		t.Error("the page does not explain the marks without a line")
	}
}

// A command shows exactly this answer: of this run, this trial and this file.
func TestCommandOfASample(t *testing.T) {
	s := &report.Sample{View: &recordview.View{Item: "a b", Trial: 2, Run: recordview.Run{N: 7}}}
	if got, want := showCommand(s, "my file.db"), "verbatim --db 'my file.db' show 7 'a b' --trial 2"; got != want {
		t.Errorf("the command is %s, want %s", got, want)
	}
	s.Trial, s.View.Run = 0, recordview.Run{Name: "alpha-1"}
	if got, want := showCommand(s, ""), "verbatim show alpha-1 'a b'"; got != want {
		t.Errorf("the command is %s, want %s", got, want)
	}
}

// Nothing may be drawn outside of its drawing: a page would cut it off or draw it over
// something else.
func TestScaleStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := scale{from: rapid.Float64Range(1, 5).Draw(t, "from"), low: 10, high: 350, log: rapid.Bool().Draw(t, "log")}
		s.to = s.from + rapid.Float64Range(0, 1000).Draw(t, "more")
		v := rapid.Float64Range(0.001, 2000).Draw(t, "value")
		at := s.at(v)
		if math.IsNaN(at) || at < 10 || at > 350 {
			t.Fatalf("%v is drawn at %v", v, at)
		}
		if w := v + 1; s.at(w) < at {
			t.Fatalf("%v is drawn left of %v", w, v)
		}
	})
}

// No two of the first 64 runs look alike, even where colours are not seen within one
// colour.
func TestInksDiffer(t *testing.T) {
	seen := map[string]int{}
	for i := range 64 {
		k := inkOf(i)
		look := fmt.Sprint(k.Class, k.Dash)
		if before, twice := seen[look]; twice {
			t.Errorf("runs %d and %d look alike: %s", before, i, look)
		}
		seen[look] = i
	}
	if inkOf(-1).Class != "m-none" {
		t.Error("a name that is no run has the look of one")
	}
}

// A run without an answer has neither a mean nor an interval nor a rank, and each row of the
// table has as many cells as its head.
func TestRankChartOfUnrankedRun(t *testing.T) {
	r := fixture(t)
	places := r.Leaderboard.Places
	n := len(places) - 1
	for i := range places {
		places[i].RankProbabilities = places[i].RankProbabilities[:n]
	}
	places[n] = verdict.RankPlace{RunInfo: places[n].RunInfo, Unranked: "it has no answer yet"}
	c := rankBars(r)
	last := c.Rows[n]
	if last.Rank != missing || last.Mean != missing || last.Range != "" || last.Mark != "" {
		t.Errorf("the run without an answer has rank %q, mean %q (%q), mark %q", last.Rank, last.Mean, last.Range, last.Mark)
	}
	if c.Last != strconv.Itoa(n) || len(c.Ranks) != n {
		t.Errorf("the ranks end with %s, and the head names %v: %d runs are ranked", c.Last, c.Ranks, n)
	}
	for _, row := range c.Rows {
		if len(row.Strip) != len(c.Ranks) {
			t.Errorf("%s has %d cells for %d ranks", row.Full, len(row.Strip), len(c.Ranks))
		}
	}
	if low, _ := strconv.ParseFloat(c.Rows[n-1].Low, 64); low > rankLeft+1 {
		t.Errorf("the scale begins left of the lowest mean: at %s", c.Rows[n-1].Low)
	}
}

// The text on every colour of the heat map must be readable: WCAG 2.2 asks for a
// contrast of 4.5 to 1, in both schemes.
func TestHeatContrast(t *testing.T) {
	css, err := os.ReadFile("chart.css")
	if err != nil {
		t.Fatal(err)
	}
	pairs := regexp.MustCompile(`--([qp])(\d): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)`).FindAllStringSubmatch(string(css), -1)
	colours := map[string][2]string{}
	for _, p := range pairs {
		colours[p[1]+p[2]] = [2]string{p[3], p[4]}
	}
	if len(colours) != 20 {
		t.Fatalf("%d colours were found, want 20", len(colours))
	}
	for i := range 10 {
		for scheme := range 2 {
			back, text := colours["q"+strconv.Itoa(i)][scheme], colours["p"+strconv.Itoa(i)][scheme]
			if c := contrast(t, back, text); c < 4.5 {
				t.Errorf("step %d, scheme %d: %s on %s has a contrast of %.2f", i, scheme, text, back, c)
			}
		}
	}
}

// contrast is WCAG's.
func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, hex string) float64 {
	hex = strings.TrimPrefix(hex, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		v := float64(n) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

// TestPalette wants the colours of the page to be those of all charts.
func TestPalette(t *testing.T) {
	for i, c := range figure.Palette() {
		for _, want := range []string{fmt.Sprintf("--m%d: %s;", i, c.Light), fmt.Sprintf("--m%d: light-dark(%s, %s);", i, c.Light, c.Dark)} {
			if !strings.Contains(pageStyle, want) {
				t.Errorf("page.css has no %s", want)
			}
		}
	}
}
