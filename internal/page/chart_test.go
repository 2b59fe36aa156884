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
		{"legendView", func(r *report.Report) []any { return []any{legend(r)} }},
		{"curveChart", func(r *report.Report) []any { return viewsOf(curves(r)) }},
		{"heatTable", func(r *report.Report) []any { return viewsOf(heatmap(r)) }},
		{"labelChart", func(r *report.Report) []any { return []any{labelBars(r)} }},
		{"forestChart", func(r *report.Report) []any { return []any{forest(r)} }},
		{"rankChart", func(r *report.Report) []any { return []any{rankBars(r)} }},
		{"sampleView", func(r *report.Report) []any { return viewsOf(samples(r)) }},
		{"flipView", func(r *report.Report) []any { return viewsOf(flips(r)) }},
	}
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

// laid lays a fragment of the report out.
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

// sound reports what a fragment must not be: not well-formed, so that a browser would
// have to guess; of elements or attributes that run or load something; with two
// elements of one name, or a reference to none.
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

// anyReport draws a report: of no runs or many, with what is not known left out, with
// hostile names, with lengths that are numbers, bands or words.
func anyReport(t *rapid.T) *report.Report {
	g := &maker{t}
	r := &report.Report{Database: g.name()}
	families := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string { return (&maker{t}).name() }), 0, 4, rapid.ID[string]).Draw(t, "families")
	runs, lengths := rapid.SampledFrom([]int{0, 1, 1, 2, 3, 7, 40}).Draw(t, "runs"), []int{0, 1, 2, 8, 60}
	if runs > 3 { // many of one thing at a time are enough
		families, lengths = families[:min(len(families), 1)], lengths[:3]
	}
	for i := range runs {
		b := report.Block{Head: report.Head{N: int64(i % 3), Name: g.name(), Model: g.name()}, Total: g.total()}
		for _, name := range families {
			if g.odds(4) {
				continue
			}
			f := report.Family{Name: name, Total: g.line()}
			for range rapid.SampledFrom(lengths).Draw(t, "lengths") {
				f.Lines = append(f.Lines, g.line())
			}
			b.Families = append(b.Families, f)
		}
		r.Runs = append(r.Runs, b)
	}
	if len(r.Runs) > 1 {
		for i := range min(len(r.Runs)-1, 3) {
			r.Comparisons = append(r.Comparisons, g.comparison(r, i+1))
		}
		if g.odds(2) {
			r.Leaderboard = boardOf(r)
		}
	}
	if len(r.Runs) > 0 && g.odds(2) {
		r.Samples = &report.Samples{Each: 1, Of: 9}
		for range rapid.IntRange(0, 4).Draw(t, "samples") {
			r.Samples.List = append(r.Samples.List, g.sample(len(r.Runs)))
		}
	}
	return r
}

// A maker draws parts of reports.
type maker struct{ t *rapid.T }

func (g *maker) odds(n int) bool { return rapid.IntRange(1, n).Draw(g.t, "odds") == 1 }

func (g *maker) name() string {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "sort-int", "reverse", hostile, strings.Repeat("long ", 100), strings.Repeat("語", 90)}), rapid.String()).Draw(g.t, "name")
}

func (g *maker) share() float64 { return rapid.Float64Range(0, 1).Draw(g.t, "share") }

func (g *maker) rate() report.Rate {
	if g.odds(5) {
		return report.Rate{}
	}
	v := g.share()
	low, high := v*g.share(), v+(1-v)*g.share()
	r := report.Rate{N: 3, Of: rapid.Int64Range(1, 40).Draw(g.t, "of"), Share: &v, Low: &low, High: &high}
	if g.odds(9) {
		r.Low, r.High = nil, nil
	}
	return r
}

func (g *maker) line() report.Line {
	l := report.Line{Exact: g.rate(), Payload: g.rate(), Length: g.name()}
	if n := rapid.IntRange(-1, 300).Draw(g.t, "length"); n >= 0 {
		l.Length, l.Lengths = strconv.Itoa(n), &verbatim.Lengths{Min: n, Max: n + rapid.SampledFrom([]int{0, 0, 9}).Draw(g.t, "band")}
	}
	l.Answered = l.Exact.Of
	if g.odds(2) {
		v := rapid.Float64Range(-1.4, 1).Draw(g.t, "score")
		l.Score = report.Mean{Value: &v, N: 3}
	}
	return l
}

// total draws a line with failures.
func (g *maker) total() report.Line {
	l := g.line()
	for range rapid.SampledFrom([]int{0, 1, 3, 12}).Draw(g.t, "labels") {
		l.Failures = append(l.Failures, report.Count{Name: g.name(), N: rapid.Int64Range(0, 1000).Draw(g.t, "n")})
	}
	return l
}

func (g *maker) verdict() verdict.Verdict {
	v := rapid.Float64Range(-1, 1).Draw(g.t, "difference")
	out := verdict.Verdict{
		Word:       rapid.SampledFrom([]verdict.Word{verdict.Better, verdict.Worse, verdict.Equivalent, verdict.Inconclusive, verdict.Withheld, verdict.Pass, ""}).Draw(g.t, "word"),
		Difference: verdict.Difference{Value: v, Range: verdict.Range{Low: v - g.share(), High: v + g.share()}, Worse: g.share(), Equivalent: g.share(), Better: g.share()},
	}
	if g.odds(4) {
		out.Why = []string{g.name(), g.name()}
	}
	return out
}

func (g *maker) comparison(r *report.Report, b int) *verdict.Comparison {
	arm := func(i int) verdict.Arm {
		h := &r.Runs[i].Head
		return verdict.Arm{Head: verdict.Head{Ref: g.name(), N: h.N, Name: h.Name, Model: h.Model}}
	}
	c := &verdict.Comparison{A: arm(0), B: arm(b), Rope: rapid.SampledFrom([]float64{0, 0.02, 0.5}).Draw(g.t, "rope"), Verdict: g.verdict()}
	for range rapid.IntRange(0, 3).Draw(g.t, "rows") {
		c.Families = append(c.Families, verdict.Row{Family: g.name(), Verdict: g.verdict(), Adjusted: g.share()})
		c.Lengths = append(c.Lengths, verdict.Row{Length: g.name(), Family: g.name(), Verdict: g.verdict()})
	}
	for range rapid.IntRange(0, 3).Draw(g.t, "flips") {
		c.Flips.OnlyA++
		c.Flips.List = append(c.Flips.List, verdict.Flip{Item: g.name(), Right: "a", A: verdict.FlipSide{Right: 1, Answers: 1}, B: verdict.FlipSide{Answers: 3, Label: g.name()}})
	}
	return c
}

func (g *maker) sample(runs int) report.Sample {
	want := verbatim.TextAnswer(g.name())
	if g.odds(2) {
		want = verbatim.ListAnswer([]any{g.name(), int64(3), g.name()})
	}
	item := &verbatim.Item{ID: g.name(), Want: want, Facts: map[string]string{verbatim.FactFamily: g.name()}}
	rec := verbatim.Record{Item: item, Outcome: verbatim.Wrong, Trial: rapid.IntRange(0, 2).Draw(g.t, "trial"), Prompt: verbatim.Prompt{{Role: g.name(), Content: []verbatim.Part{{Text: g.name()}}}},
		Grade: &verbatim.Grade{Label: g.name(), Detail: g.name(), Outcome: verbatim.Wrong},
		Reply: &verbatim.Reply{Text: report.AnswerText(want) + g.name(), Reasoning: g.name()}}
	return report.Sample{Run: rapid.IntRange(0, runs-1).Draw(g.t, "run"), Shown: report.Look(verbatim.Run{N: 1, Name: g.name()}, rec)}
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
	p := curves(r)[0].Panels[0]
	if len(p.Lines)+len(p.Bands)+len(p.Whiskers) > 0 || len(p.Marks) != 1 || strings.Count(p.Marks[0].Path, "M") != 9 {
		t.Errorf("%d lines, %d bands, marks %v", len(p.Lines), len(p.Bands), p.Marks)
	}
	for i := range f.Lines[:2] {
		f.Lines[i].Exact.Of = 2
	}
	if p = curves(r)[0].Panels[0]; len(p.Lines) != 1 || len(p.Bands) != 1 {
		t.Errorf("two lengths with two answers each: %d lines, %d bands", len(p.Lines), len(p.Bands))
	}
}

// A command shows the very answer: of this run, this trial and this file.
func TestCommandOfASample(t *testing.T) {
	s := &report.Sample{Shown: &report.Shown{Item: "a b", Trial: 2, Run: report.ShownRun{N: 7}}}
	if got, want := showCommand(s, "my file.db"), "verbatim --db 'my file.db' show 7 'a b' --trial 2"; got != want {
		t.Errorf("the command is %s, want %s", got, want)
	}
	s.Trial, s.Shown.Run = 0, report.ShownRun{Name: "alpha-1"}
	if got, want := showCommand(s, ""), "verbatim show alpha-1 'a b'"; got != want {
		t.Errorf("the command is %s, want %s", got, want)
	}
}

// Nothing may be drawn outside of its drawing, where a page would cut it off or put it
// over something else.
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
		t.Error("what is no run has the ink of one")
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
