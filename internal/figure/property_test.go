package figure

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyNumber draws values that figures should get, and those that they should not.
func anyNumber() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(-1000, 1000), rapid.Float64(),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e300, -1e300, math.MaxFloat64, 5e-324}))
}

func anyName() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "GPT-4o", "a ≥ b – é", "模型 中文", "\x1b[31mred\x07", "\u202eevil", "<script>alert(1)</script>", "&amp;\"'", "a\nb\tc", "\xff\xfe", strings.Repeat("long name ", 90), "e\u0301", "שלום"}), rapid.String())
}

func anyAxis() *rapid.Generator[Axis] {
	return rapid.Custom(func(t *rapid.T) Axis {
		a := Axis{Label: anyName().Draw(t, "label"), Log2: rapid.Bool().Draw(t, "log")}
		if rapid.Bool().Draw(t, "bounded") {
			a.Min, a.Max = anyNumber().Draw(t, "min"), anyNumber().Draw(t, "max")
		}
		for range rapid.IntRange(0, 4).Draw(t, "ticks") {
			a.Ticks = append(a.Ticks, Tick{At: anyNumber().Draw(t, "at"), Label: anyName().Draw(t, "tick")})
		}
		return a
	})
}

func anyNumbers(most int) *rapid.Generator[[]float64] { return rapid.SliceOfN(anyNumber(), 0, most) }

func anyPanel() *rapid.Generator[Panel] {
	return rapid.Custom(func(t *rapid.T) Panel {
		number := func() float64 { return anyNumber().Draw(t, "number") }
		p := Panel{Title: anyName().Draw(t, "title"), X: anyAxis().Draw(t, "x"), Y: anyAxis().Draw(t, "y")}
		n := rapid.IntRange(0, 5).Draw(t, "n")
		for k := rapid.IntRange(0, 4).Draw(t, "kind"); n > 0; n-- {
			name := anyName().Draw(t, "name")
			switch k {
			case 0:
				l := Line{Name: name}
				for range rapid.IntRange(0, 4).Draw(t, "points") {
					l.Points = append(l.Points, Point{X: number(), Y: number(), Low: number(), High: number()})
				}
				p.Lines = append(p.Lines, l)
			case 1:
				p.Boxes = append(p.Boxes, Box{Name: name, At: number(), Low: number(), High: number(), Q1: number(), Median: number(), Q3: number(), Outliers: anyNumbers(4).Draw(t, "outliers"), N: n})
			case 2:
				p.Bars = append(p.Bars, Bars{Name: name, Values: anyNumbers(6).Draw(t, "values")})
			case 3:
				p.Rows = append(p.Rows, Row{Name: name, Label: name, Note: name, Value: number(), Low: number(), High: number()})
				p.Zone = &Zone{Low: number(), High: number()}
			case 4:
				if p.Heat == nil {
					p.Heat = &Heat{}
				}
				p.Heat.Rows, p.Heat.Columns = append(p.Heat.Rows, name), append(p.Heat.Columns, name)
				p.Heat.Values = append(p.Heat.Values, anyNumbers(6).Draw(t, "values"))
			}
		}
		return p
	})
}

func anyFigure() *rapid.Generator[*Figure] {
	return rapid.Custom(func(t *rapid.T) *Figure {
		return &Figure{
			Panels:  rapid.SliceOfN(anyPanel(), 1, 4).Draw(t, "panels"),
			Columns: rapid.IntRange(-1, 5).Draw(t, "columns"),
			Width:   rapid.SampledFrom([]float64{0, 85, 178, -5, 1, math.NaN(), math.Inf(1)}).Draw(t, "width"),
			Height:  rapid.SampledFrom([]float64{0, 60, -5, 1, math.NaN(), math.Inf(1)}).Draw(t, "height"),
			Legend:  rapid.Bool().Draw(t, "legend"),
			Names:   rapid.SliceOfN(anyName(), 0, 3).Draw(t, "names"),
			Title:   anyName().Draw(t, "title"), Text: anyName().Draw(t, "text"),
		}
	})
}

// TestAnything draws figures of any content: they are drawn without NaN or infinite
// numbers, as the same bytes every time.
func TestAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFigure().Draw(t, "figure")
		dear := rapid.IntRange(0, 9).Draw(t, "dear") == 0
		for _, format := range Formats() {
			if format.Extension != "svg" && !dear || format.Extension == "png" && len(f.Panels) > 1 {
				continue // they take longer
			}
			var one, two bytes.Buffer
			if err := format.Write(f, &one); err != nil {
				t.Fatalf("%s: %v", format.Name, err)
			}
			if format.Extension == "png" {
				continue // as SVG, of which it is a picture
			}
			if err := format.Write(f, &two); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(one.Bytes(), two.Bytes()) {
				t.Fatalf("%s: two drawings of a figure differ", format.Name)
			}
			if format.Extension == "svg" {
				wellFormed(t, one.String())
			}
		}
	})
}

// foreign is what an SVG inside HTML must not have: ids that clash, scripts, and
// addresses of something else.
var foreign = regexp.MustCompile(`(?i)<(script|style|a|image|use|foreignobject)\b|\s(id|class|style|href|on\w+)=|url\(`)

func wellFormed(t interface{ Fatalf(string, ...any) }, svg string) {
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		tag := "<" + e.Name.Local
		for _, a := range e.Attr {
			tag += " " + a.Name.Local + "="
			if a.Name.Local != "aria-label" && (strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf")) {
				t.Fatalf("%s has the attribute %s=%q", e.Name.Local, a.Name.Local, a.Value)
			}
		}
		if m := foreign.FindString(tag + " >"); m != "" {
			t.Fatalf("the drawing has %q in %s", m, tag)
		}
	}
}

// plausible draws a figure as reports have them, with names of any length.
func plausible() *rapid.Generator[*Figure] {
	return rapid.Custom(func(t *rapid.T) *Figure {
		word := rapid.OneOf(rapid.StringMatching(`[A-Za-z][a-zA-Z0-9.:/-]{0,11}( [a-z]{1,9}){0,3}`), rapid.StringMatching(`[A-Z][ijltf]{0,20}( [ijltf]{1,20}){0,5}`))
		f := &Figure{Legend: rapid.Bool().Draw(t, "legend"), Width: rapid.SampledFrom([]float64{0, 85, 120, 178}).Draw(t, "width")}
		var names []string
		for i := range rapid.IntRange(1, 12).Draw(t, "series") {
			names = append(names, fmt.Sprint(word.Draw(t, "name"), " ", i))
		}
		k := rapid.IntRange(0, 5).Draw(t, "kind")
		n := rapid.IntRange(1, 9).Draw(t, "panels")
		if f.Width > 0 && f.Width < 150 {
			n = min(n, 2) // more do not fit a column of a journal
		}
		many := rapid.SampledFrom([]int{1, 2, 3, 4, 5, 7, 9, 16, 21}).Draw(t, "categories")
		large := rapid.SampledFrom([]float64{1, 1e-6, 1e5}).Draw(t, "scale")
		for range n {
			p := Panel{Title: word.Draw(t, "title"), X: Axis{Label: "length of the texts"}, Y: Axis{Label: "exact share"}}
			share := rapid.Float64Range(0, 1)
			for i, name := range names {
				y := share.Draw(t, "y")
				switch k {
				case 0:
					l := Line{Name: name}
					for e := range many {
						l.Points = append(l.Points, Point{X: math.Exp2(float64(e + 1)), Y: share.Draw(t, "y"), Low: 0.2, High: 0.8})
					}
					p.X.Log2 = true
					p.Lines = append(p.Lines, l)
				case 1:
					p.Lines = append(p.Lines, Line{Name: name, Points: []Point{{X: large * rapid.Float64Range(0, 10).Draw(t, "x"), Y: y, Low: y - 0.1, High: y + 0.1}}})
				case 2:
					p.Rows = append(p.Rows, Row{Name: name, Label: name, Note: "rank 1–2", Value: large * y, Low: large * (y - 0.1), High: large * (y + 0.1)})
				case 3:
					p.Bars = append(p.Bars, Bars{Name: name, Values: make([]float64, many)})
					p.Bars[i].Values[0] = y * 1e4
				case 4:
					p.Boxes = append(p.Boxes, Box{At: float64(i), Q1: large * y, Median: large * (y + 1), Q3: large * (y + 2), High: large * (y + 4), N: i * 100})
				case 5:
					if p.Heat == nil {
						p.Heat = &Heat{Columns: names}
					}
					p.Heat.Rows = append(p.Heat.Rows, name)
					p.Heat.Values = append(p.Heat.Values, []float64{y, y, y})
				}
			}
			for i := range many {
				if k == 3 {
					p.X.Ticks = append(p.X.Ticks, Tick{At: float64(i), Label: word.Draw(t, "category")})
				}
			}
			f.Panels = append(f.Panels, p)
		}
		return f
	})
}

// TestWords holds that all text lies on the sheet, and none on other text.
func TestWords(t *testing.T) {
	for _, s := range samples() {
		crowded(t, s.name, layOut(s.figure.cleaned()))
	}
	rapid.Check(t, func(t *rapid.T) { crowded(t, "figure", layOut(plausible().Draw(t, "figure").cleaned())) })
}

// TestTightWords: names below a panel that are turned reach to the left as far as there is
// room, and numbers below it stay on the sheet, neither onto other words.
func TestTightWords(t *testing.T) {
	stacks := func(series int, most float64, names ...string) Panel {
		p := Panel{Title: "A", X: Axis{Label: "length of the texts"}, Y: Axis{Label: "exact share"}}
		for i, name := range names {
			p.X.Ticks = append(p.X.Ticks, Tick{At: float64(i), Label: name})
		}
		for i := range series {
			p.Bars = append(p.Bars, Bars{Name: fmt.Sprint("series ", i), Values: append([]float64{most}, make([]float64, len(names)-1)...)})
		}
		return p
	}
	dots := func(points ...Point) Panel {
		p := Panel{Title: "A", X: Axis{Label: "length of the texts"}, Y: Axis{Label: "exact share"}}
		for i, at := range points {
			p.Lines = append(p.Lines, Line{Name: fmt.Sprint("series ", i), Points: []Point{at}})
		}
		return p
	}
	titled := func(title string) Panel {
		p := stacks(1, 1, "A")
		p.Title = title
		return p
	}
	thin := titled(strings.Repeat("fit till ill jiff lift jilt ", 4))
	var numbers []string // the last of them is labelled, and the first
	for i := range 21 {
		numbers = append(numbers, strconv.Itoa(100000+i))
	}
	narrow := func(n int) []string { return slices.Repeat([]string{"i"}, n) }
	level := dots(Point{X: 1, Y: 1, Low: 0.9, High: 1.1}, Point{X: 1, Y: 1, Low: 0.9, High: 1.1})
	short := stacks(1, 5e-100, "A", "A", "A", "A", "A", "A")
	for name, f := range map[string]*Figure{
		"in the second column": {Width: 85, Panels: []Panel{stacks(6, 1e4, "A", "A", "A"), stacks(6, 1e4, "A-----00000 aaaaaw", "A", "A---0000000A")}},
		"next to a label of all": {Panels: []Panel{
			stacks(1, 5e-100, "A---00ACG aaw", "A", "A", "A", "A", "A"), short, short, short, short}},
		"in thin letters": {Panels: []Panel{thin, thin, thin}},
		"numbers of two panels": {Width: 85, Panels: []Panel{
			dots(Point{X: 2e5, Y: 0.2, Low: 0.1, High: 0.9}, Point{X: 1e6, Y: 0.8, Low: 0.1, High: 0.9}), dots(Point{X: 4e5, Y: 0.2, Low: 0.1, High: 0.9}, Point{X: 1e6, Y: 0.8, Low: 0.1, High: 0.9})}},
		"numbers for names": {Width: 178, Columns: 3, Panels: []Panel{stacks(1, 1, numbers...), stacks(1, 1, append([]string{"100021"}, numbers[1:]...)...), stacks(1, 1, numbers...)}},
		"turned next to folded": {Columns: 3, Panels: []Panel{
			stacks(1, 1, append(narrow(15), "H K H")...), stacks(1, 1, append([]string{"Abcdefghijkl mnopqrstuvw"}, narrow(15)...)...), stacks(1, 1, "A")}},
		"at the edge": {Panels: []Panel{level, level, level, dots(Point{X: 2.67e-5, Y: 1, Low: 0.9, High: 1.1}, Point{X: 3.8e-6, Y: 0.5, Low: 0.4, High: 0.6})}},
	} {
		t.Run(name, func(t *testing.T) { crowded(t, name, layOut(f.cleaned())) })
	}
}

func crowded(t interface{ Fatalf(string, ...any) }, name string, s *sheet) {
	type placed struct {
		words
		corners []point
	}
	var all []placed
	for _, m := range s.marks {
		w, ok := m.(words)
		if !ok || w.text == "" {
			continue
		}
		if w.size < tickSize {
			t.Fatalf("%s: %q is set in %g points", name, w.text, w.size)
		}
		p := placed{w, boxOf(w)}
		for _, c := range p.corners {
			if c.x < -0.5 || c.y < -0.5 || c.x > s.width+0.5 || c.y > s.height+0.5 {
				t.Fatalf("%s: %q leaves the sheet of %.0f × %.0f at %.1f, %.1f", name, w.text, s.width, s.height, c.x, c.y)
			}
		}
		for _, q := range all {
			if touching(p.corners, q.corners) {
				t.Fatalf("%s: %q at %.1f lies on %q at %.1f", name, p.text, p.at, q.text, q.at)
			}
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		t.Fatalf("%s: no words", name)
	}
}

// boxOf returns the corners of the letters, a tenth of their size inside their ends.
func boxOf(w words) []point {
	left := w.left()
	slack := w.size * 0.1
	box := rectangle(left.x+slack, w.at.y-w.size*0.68, max(w.width()-2*slack, 0.1), w.size*0.66)
	sin, cos := math.Sincos(-w.turned * math.Pi / 180)
	for i, p := range box {
		x, y := p.x-w.at.x, p.y-w.at.y
		box[i] = point{w.at.x + x*cos - y*sin, w.at.y + x*sin + y*cos}
	}
	return box
}

// touching reports whether two rectangles overlap: no line along a side of either
// parts them.
func touching(a, b []point) bool {
	for _, shape := range [][]point{a, b} {
		for i := range shape {
			p, q := shape[i], shape[(i+1)%len(shape)]
			nx, ny := q.y-p.y, p.x-q.x
			reach := func(s []point) (low, high float64) {
				low, high = math.Inf(1), math.Inf(-1)
				for _, c := range s {
					low, high = min(low, c.x*nx+c.y*ny), max(high, c.x*nx+c.y*ny)
				}
				return low, high
			}
			lowA, highA := reach(a)
			lowB, highB := reach(b)
			if highA <= lowB || highB <= lowA {
				return false
			}
		}
	}
	return true
}
