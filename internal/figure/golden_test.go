package figure

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/testmain"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestGolden compares the drawings with golden files: after an intended change, run it
// with -update and look at them.
func TestGolden(t *testing.T) {
	list := samples()
	if len(list) == 0 {
		t.Fatal("no samples")
	}
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			if dir := os.Getenv("VERBATIM_FIGURES"); dir != "" {
				for _, f := range Formats() {
					var b bytes.Buffer
					if err := f.Write(s.figure, &b); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(dir, s.name+"."+f.Extension), b.Bytes(), 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
			var b bytes.Buffer
			if err := s.figure.SVG(&b); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", s.name+".svg")
			if *update {
				if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v; if the file is new, run with -update", err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s differs (-want +got); if it should, run with -update:\n%s", path, diff)
			}
		})
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }

// FuzzName draws a name, which anyone may have given, wherever a figure has one.
func FuzzName(f *testing.F) {
	for _, seed := range []string{"", "GPT-4o", "a ≥ b – é", "模型", "\x1b[31m\x07", "\u202eevil", "]]></text><script>", "&#0;", "\xff\xed\xa0\x80", "e\u0301\u0302\u0303", "a\u00a0b", "\ufeff", "😀"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean := Printable(name)
		if again := Printable(clean); again != clean && utf8.RuneCountInString(clean) <= maxText {
			t.Errorf("%q is printable as %q and that as %q", name, clean, again)
		}
		if n := utf8.RuneCountInString(clean); n > maxText+1 {
			t.Errorf("%d characters are drawn", n)
		}
		wellFormed(t, drawn(t, &Figure{
			Title: name, Text: name, Names: []string{name}, Legend: true,
			Panels: []Panel{
				{Title: name, X: Axis{Label: name, Ticks: []Tick{{At: 1, Label: name}}}, Y: Axis{Label: name}, Lines: []Line{{Name: name, Points: []Point{{X: 1, Y: 1, Low: 0, High: 2}}}}},
				{Heat: &Heat{Rows: []string{name}, Columns: []string{name}}},
				{Rows: []Row{{Name: name, Label: name, Note: name}}},
			},
		}))
	})
}

// A sample is a figure of one kind, small enough to be looked at as a golden file.
type sample struct {
	name   string
	figure *Figure
}

var models = []string{"o3-mini", "GPT-4o", "Claude-3.5-Sonnet", "GPT-4o-mini", "Claude-3.5-Haiku", "Llama-3.1", "DeepSeek-r1"}

// curve falls from 1 at a length that differs from model to model.
func curve(model int, lengths ...float64) Line {
	l := Line{Name: models[model]}
	for _, n := range lengths {
		y := 1 / (1 + math.Pow(n/(200/float64(model+1)), 1.4))
		half := 1.96 * math.Sqrt(y*(1-y)/40)
		l.Points = append(l.Points, Point{X: n, Y: y, Low: max(0, y-half), High: min(1, y+half+0.01)})
	}
	return l
}

var lengths = []float64{2, 4, 8, 16, 32, 64, 128, 256}

func curves(n int) []Line {
	var list []Line
	for i := range n {
		list = append(list, curve(i, lengths...))
	}
	return list
}

var (
	byLength = Axis{Label: "length", Log2: true, Min: 2, Max: 256}
	byShare  = Axis{Label: "exact share", Min: 0, Max: 1}
)

func samples() []sample {
	three := curves(3)
	three[1].Points[3].Y = math.NaN()
	return []sample{
		{"lines", &Figure{Title: "Three models by length", Text: "All fall.", Panels: []Panel{{X: byLength, Y: byShare, Lines: three}}}},
		{"legend", &Figure{Legend: true, Panels: []Panel{
			{Title: "reverse", X: byLength, Y: byShare, Lines: curves(7)},
			{Title: "rehearse", X: byLength, Y: byShare, Lines: curves(4)[2:]}}}},
		{"multiples", multiples(5, 2)},
		{"scatter", scatter()},
		{"boxes", boxFigure()},
		{"bars", barFigure()},
		{"heat", heatFigure()},
		{"rows", rowFigure()},
	}
}

// multiples has as many panels of as many lines.
func multiples(panels, lines int) *Figure {
	f := &Figure{Legend: true, Columns: 3}
	for i := range panels {
		f.Panels = append(f.Panels, Panel{Title: fmt.Sprintf("task %d", i+1), X: byLength, Y: byShare, Lines: curves(lines)})
	}
	return f
}

func scatter() *Figure {
	p := Panel{X: Axis{Label: "dollars per 1,000 answers", Log2: true, Ticks: []Tick{{At: 0.1, Label: "0.10"}, {At: 1, Label: "1"}, {At: 10, Label: "10"}}}, Y: byShare}
	for i, m := range models {
		y := 0.9 - 0.07*float64(i)
		p.Lines = append(p.Lines, Line{Name: m, Points: []Point{{X: 12 / math.Pow(2.1, float64(i)), Y: y, Low: y - 0.03, High: y + 0.03}}})
	}
	return &Figure{Panels: []Panel{p}}
}

func boxFigure() *Figure {
	p := Panel{X: Axis{Label: "validity score", Ticks: []Tick{{At: 0, Label: "0"}, {At: 1, Label: "0.25"}, {At: 2, Label: "0.5"}, {At: 3, Label: "0.75"}, {At: 4, Label: "1"}}}, Y: Axis{Label: "characters of reasoning"}}
	for i := range 5 {
		m := 9000 - 1700*float64(i)
		b := Box{At: float64(i), Low: m / 3, Q1: m * 0.7, Median: m, Q3: m * 1.3, High: m * 1.9, N: 100 * (i + 1)}
		for k := range 12 {
			b.Outliers = append(b.Outliers, m*(2+float64(k*k)/90))
		}
		p.Boxes = append(p.Boxes, b)
	}
	return &Figure{Panels: []Panel{p}}
}

func barFigure() *Figure {
	part := func(scale float64, kinds ...string) Panel {
		p := Panel{Y: Axis{Label: "instances"}}
		for i, k := range kinds {
			p.X.Ticks = append(p.X.Ticks, Tick{At: float64(i), Label: k})
		}
		for i, m := range models {
			b := Bars{Name: m}
			for k := range kinds {
				b.Values = append(b.Values, math.Round(scale*float64((i*7+k*3)%5+1)))
			}
			p.Bars = append(p.Bars, b)
		}
		return p
	}
	return &Figure{Legend: true, Columns: 2, Panels: []Panel{
		part(21, "missing closing bracket", "content after list"),
		part(1, "line-wise list", "enumeration", "LaTeX", "backticks", "broken quotes", "content before list"),
	}}
}

func heatFigure() *Figure {
	f := &Figure{Columns: 2}
	for i := range 2 {
		h := &Heat{Rows: []string{"reverse", "rehearse", "sort integers in ascending order"}}
		for k, n := range lengths {
			h.Columns = append(h.Columns, fmt.Sprint(n))
			for r := range h.Rows {
				if k == 0 {
					h.Values = append(h.Values, nil)
				}
				v := 1 - float64(k*(r+i+1))/28
				if k == 6 && r == 1 {
					v = math.NaN()
				}
				h.Values[r] = append(h.Values[r], v)
			}
		}
		f.Panels = append(f.Panels, Panel{Title: models[i], X: Axis{Label: "length"}, Heat: h})
	}
	return f
}

func rowFigure() *Figure {
	p := Panel{X: Axis{Label: "difference of the mean score to o3-mini"}, Zone: &Zone{Low: -0.02, High: 0.02}}
	for i, m := range models[1:] {
		v := 0.015 - 0.03*float64(i)
		p.Rows = append(p.Rows, Row{Name: m, Label: m, Note: fmt.Sprintf("%+.3f", v), Value: v, Low: v - 0.02, High: v + 0.015})
	}
	return &Figure{Panels: []Panel{p}}
}

// picture draws a sheet of 100 by 100 points.
func picture(t *testing.T, marks ...any) image.Image {
	t.Helper()
	s := &sheet{width: 100, height: 100, marks: marks}
	var b bytes.Buffer
	if err := writePNG(&b, s); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// dark returns how much of an area of a sheet is covered by black, from 0 to 1.
func dark(img image.Image, a area) float64 {
	const scale = dpi / 72.0
	sum, n := 0.0, 0
	for y := int(a.y * scale); y < int(a.bottom()*scale); y++ {
		for x := int(a.x * scale); x < int(a.right()*scale); x++ {
			r, _, _, _ := img.At(x, y).RGBA()
			sum, n = sum+1-float64(r)/0xffff, n+1
		}
	}
	return sum / float64(n)
}

// TestPNG holds that strokes, discs and words cover what they should.
func TestPNG(t *testing.T) {
	ink := color{0, 0, 0, 1}
	for _, c := range []struct {
		name string
		mark any
		in   area
		want float64
	}{
		{"a filled square", stroke{points: rectangle(20, 20, 40, 40), closed: true, fill: ink}, area{20, 20, 40, 40}, 1},
		{"half translucent", stroke{points: rectangle(20, 20, 40, 40), closed: true, fill: ink.fade(0.5)}, area{20, 20, 40, 40}, 0.5},
		{"nothing next to it", stroke{points: rectangle(20, 20, 40, 40), closed: true, fill: ink}, area{62, 20, 30, 40}, 0},
		{"a line", stroke{points: []point{{10, 50}, {90, 50}}, line: ink, width: 10}, area{11, 46, 78, 8}, 1},
		{"no end beyond its points", stroke{points: []point{{10, 50}, {50, 50}}, line: ink, width: 10}, area{52, 40, 40, 20}, 0},
		{"a dash that is on", stroke{points: []point{{10, 50}, {90, 50}}, line: ink, width: 10, dash: []float64{20, 20}}, area{11, 46, 18, 8}, 1},
		{"one that is off", stroke{points: []point{{10, 50}, {90, 50}}, line: ink, width: 10, dash: []float64{20, 20}}, area{31, 46, 18, 8}, 0},
		{"on again", stroke{points: []point{{10, 50}, {40, 50}, {90, 50}}, line: ink, width: 10, dash: []float64{20, 20}}, area{51, 46, 18, 8}, 1},
		{"a corner", stroke{points: []point{{10, 50}, {50, 50}, {50, 90}}, line: ink, width: 10}, area{48, 48, 4, 4}, 1},
		{"a closed line", stroke{points: rectangle(20, 20, 40, 40), closed: true, line: ink, width: 4}, area{18.5, 24, 3, 30}, 1},
		{"a translucent line", stroke{points: []point{{10, 50}, {50, 50}, {90, 50}}, line: ink.fade(0.5), width: 10}, area{12, 46, 76, 8}, 0.5},
		{"a disc", disc{at: point{50, 50}, r: 30, fill: ink}, area{20, 20, 60, 60}, math.Pi / 4},
		{"a ring", disc{at: point{50, 50}, r: 30, line: ink, width: 4}, area{40, 40, 20, 20}, 0},
		{"segments", segments{list: [][2]point{{{10, 30}, {90, 30}}, {{10, 70}, {90, 70}}}, line: ink, width: 10}, area{11, 66, 78, 8}, 1},
		{"outside", stroke{points: rectangle(-500, -500, 2000, 2000), closed: true, fill: ink}, area{0, 0, 100, 100}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := dark(picture(t, c.mark), c.in); math.Abs(got-c.want) > 0.02 {
				t.Errorf("%.3f of the area is covered, want %.3f", got, c.want)
			}
		})
	}
}

// TestLetters wants words at their positions, however they are turned and anchored: all
// their ink is in the box that the layout assumes.
func TestLetters(t *testing.T) {
	for _, turned := range []float64{0, 45, 90} {
		for _, a := range []anchor{start, middle, end} {
			w := words{at: point{50, 50}, text: "HIHAH", size: 14, color: color{0, 0, 0, 1}, anchor: a, turned: turned}
			img := picture(t, w)
			all, inside := 0.0, 0.0
			box := boxOf(w)
			for y := range 50 {
				for x := range 50 {
					cell := area{float64(2 * x), float64(2 * y), 2, 2}
					d := dark(img, cell)
					all += d
					if d > 0 && touching(box, rectangle(cell.x-1, cell.y-1, 4, 4)) {
						inside += d
					}
				}
			}
			if all < 20 || inside < 0.98*all {
				t.Errorf("turned %g, anchor %d: %.0f of %.0f lies in the box", turned, a, inside, all)
			}
		}
	}
}
