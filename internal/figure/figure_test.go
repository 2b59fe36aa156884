package figure

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

func TestBoxOf(t *testing.T) {
	// numpy.percentile([1, 2, 3, 4, 100], [25, 50, 75]) is 2, 3, 4.
	b := BoxOf("m", 1, []float64{100, 3, 1, 4, 2})
	if b.Q1 != 2 || b.Median != 3 || b.Q3 != 4 || b.Low != 1 || b.High != 4 || !slices.Equal(b.Outliers, []float64{100}) || b.N != 5 || b.At != 1 || b.Name != "m" {
		t.Errorf("%+v", b)
	}
	// numpy.percentile([1, 2, 3, 4], [25, 50, 75]) is 1.75, 2.5, 3.25.
	if b := BoxOf("m", 0, []float64{1, 2, 3, 4}); b.Q1 != 1.75 || b.Median != 2.5 || b.Q3 != 3.25 {
		t.Errorf("%+v", b)
	}
	// 8 is beyond 4 + 1.5·2, and 7 is not.
	if b := BoxOf("m", 0, []float64{1, 2, 3, 4, 8}); len(b.Outliers) != 1 || b.High != 4 {
		t.Errorf("%+v", b)
	}
	if b := BoxOf("m", 0, []float64{1, 2, 3, 4, 7}); len(b.Outliers) != 0 || b.High != 7 {
		t.Errorf("%+v", b)
	}
	if b := BoxOf("m", 0, []float64{7}); b.Q1 != 7 || b.Q3 != 7 || b.Low != 7 || b.High != 7 || b.N != 1 || len(b.Outliers) != 0 {
		t.Errorf("%+v", b)
	}
}

// TestBoxHoldsTheSample: every value is between the whiskers or an outlier, and the
// numbers of a box are in order.
func TestBoxHoldsTheSample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 60).Draw(t, "sample")
		b := BoxOf("m", 0, sample)
		inside := 0
		for _, v := range sample {
			if v >= b.Low && v <= b.High {
				inside++
			}
		}
		if !slices.IsSorted([]float64{b.Low, b.Q1, b.Median, b.Q3, b.High}) || inside+len(b.Outliers) != len(sample) {
			t.Fatalf("%+v of %v", b, sample)
		}
	})
}

// TestChartLooks wants the first 64 series to differ in colour and dash, and without colour in
// dash and mark.
func TestChartLooks(t *testing.T) {
	colours, marks := make(map[[2]int]int), make(map[[2]int]int)
	for i := range 64 {
		k := LookOf(i)
		if before, twice := colours[[2]int{k.Color, k.Dash}]; twice {
			t.Errorf("series %d and %d have one colour and dash", before, i)
		}
		if before, twice := marks[[2]int{k.Mark, k.Dash}]; twice {
			t.Errorf("series %d and %d have one mark and dash", before, i)
		}
		colours[[2]int{k.Color, k.Dash}], marks[[2]int{k.Mark, k.Dash}] = i, i
	}
}

// TestPalette wants every colour to be seen as a thin line: WCAG 2.2 asks for a contrast
// of 3 to 1, on white paper and on a dark screen.
func TestPalette(t *testing.T) {
	for i, c := range Palette() {
		if got := 1.05 / (luminance(t, c.Light) + 0.05); got < 3 {
			t.Errorf("colour %d has a contrast of %.2f on white", i, got)
		}
		if got := (luminance(t, c.Dark) + 0.05) / (luminance(t, "#121518") + 0.05); got < 3 {
			t.Errorf("colour %d has a contrast of %.2f on a dark screen", i, got)
		}
	}
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) != 7 || hex[0] != '#' {
		t.Fatalf("%q is no colour", hex)
	}
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
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

// A long alternative text is cut between two characters.
func TestSpokenIsCutBetweenCharacters(t *testing.T) {
	for _, before := range []string{"", "a"} {
		text := before + strings.Repeat("é", 2500)
		if got := spoken(text); !strings.HasPrefix(text, got) || len(got) < 3999 || len(got) > 4000 {
			t.Errorf("%d bytes that end with %q", len(got), got[len(got)-3:])
		}
	}
}

// TestFonts wants the files of the module, byte for byte.
func TestFonts(t *testing.T) {
	for _, font := range []struct {
		packed string
		have   func() []byte
		want   []byte
	}{
		{"regular.zst", Regular, liberationsansregular.TTF},
		{"bold.zst", Bold, liberationsansbold.TTF},
	} {
		if *update {
			if err := os.WriteFile(font.packed, pack(t, font.want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue // it is embedded when the test is built again
		}
		if !bytes.Equal(font.have(), font.want) {
			t.Errorf("%s is not the font of the module: run this test with -update", font.packed)
		}
	}
}

// pack compresses a font. The same file gives the same bytes.
func pack(t *testing.T, file []byte) []byte {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	return enc.EncodeAll(file, nil)
}

// TestSizes holds the sizes in print: those asked for, else a column of a journal or
// two.
func TestSizes(t *testing.T) {
	panel := Panel{X: byLength, Y: byShare, Lines: curves(2)}
	for _, c := range []struct {
		name   string
		figure Figure
		width  float64 // mm
		height float64 // 0: any
	}{
		{"one column", Figure{Panels: []Panel{panel}}, 85, 0},
		{"two columns", Figure{Panels: []Panel{panel, panel}}, 178, 0},
		{"asked for", Figure{Panels: []Panel{panel}, Width: 120, Height: 70}, 120, 70},
		{"a page at most", *multiples(18, 3), 178, 235},
		{"too low", Figure{Panels: []Panel{panel}, Height: 2}, 85, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			width, height := pdfSize(t, &c.figure)
			if math.Abs(width-c.width) > 0.1 || c.height > 0 && math.Abs(height-c.height) > 0.1 {
				t.Errorf("the page is %.1f × %.1f mm, want %g × %g", width, height, c.width, c.height)
			}
			if height < 25 || height > 235.1 {
				t.Errorf("the page is %.1f mm high", height)
			}
			var b bytes.Buffer
			if err := c.figure.png(&b); err != nil {
				t.Fatal(err)
			}
			picture, err := png.DecodeConfig(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			if want := int(math.Ceil(width / 25.4 * dpi)); picture.Width < want-1 || picture.Width > want+1 {
				t.Errorf("the picture is %d dots wide, want %d", picture.Width, want)
			}
			if !bytes.Contains(b.Bytes()[:64], []byte("pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01")) {
				t.Error("the picture does not tell its 11,811 dots in a metre")
			}
		})
	}
}

var mediaBox = regexp.MustCompile(`/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]`)

func pdfSize(t *testing.T, f *Figure) (width, height float64) {
	t.Helper()
	var b bytes.Buffer
	if err := f.PDF(&b); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(b.Bytes(), []byte("%PDF-1.")) || !bytes.HasSuffix(b.Bytes(), []byte("%%EOF\n")) {
		t.Fatal("not a PDF from its beginning to its end")
	}
	if n := bytes.Count(b.Bytes(), []byte("/Type /Page\n")); n != 1 {
		t.Errorf("%d pages", n)
	}
	if n := bytes.Count(b.Bytes(), []byte("/FontFile2")); n == 0 {
		t.Error("no font is embedded")
	}
	if !bytes.Contains(b.Bytes(), []byte("/CreationDate (D:19700101000000")) {
		t.Error("the date of the file is not fixed")
	}
	m := mediaBox.FindSubmatch(b.Bytes())
	if m == nil {
		t.Fatal("no size")
	}
	w, _ := strconv.ParseFloat(string(m[1]), 64)
	h, _ := strconv.ParseFloat(string(m[2]), 64)
	return w / mm, h / mm
}

func TestNothingToDraw(t *testing.T) {
	for _, f := range Formats() {
		var b bytes.Buffer
		for _, empty := range []*Figure{{}, {Panels: []Panel{{}}}, {Panels: []Panel{{Lines: []Line{{Name: "a"}}}}}, {Panels: []Panel{{Heat: &Heat{}}}}} {
			b.Reset()
			if err := f.Write(empty, &b); err != nil || b.Len() == 0 {
				t.Errorf("%s: %+v: %d bytes, error %v", f.Name, empty, b.Len(), err)
			}
			if f.Extension == "svg" && !strings.Contains(b.String(), ">no data</text>") {
				t.Errorf("%s: %+v does not say that there is nothing", f.Name, empty)
			}
		}
		if err := f.Write(samples()[0].figure, broken{}); !errors.Is(err, errBroken) {
			t.Errorf("%s: the error of the writer came back as %v", f.Name, err)
		}
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestManySeries(t *testing.T) {
	p := Panel{X: byLength, Y: byShare}
	for i := range 1000 {
		p.Lines = append(p.Lines, Line{Name: fmt.Sprint("model ", i), Points: []Point{{X: 2, Y: 0.5}, {X: 4, Y: float64(i) / 1000}}})
	}
	svg := drawn(t, &Figure{Panels: []Panel{p}, Legend: true})
	if !strings.Contains(svg, ">and 940 more<") || strings.Contains(svg, ">model 60</text>") {
		t.Error("the legend does not stop at 60 names and say so")
	}
}

func drawn(t *testing.T, f *Figure) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.SVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLooks holds that series differ in color and dash, and without color in dash and
// mark.
func TestLooks(t *testing.T) {
	for i := range 64 {
		for k := range i {
			a, b := lookOf(i), lookOf(k)
			dash := slices.Equal(a.dash, b.dash)
			if dash && a.color == b.color {
				t.Errorf("series %d and %d have the same color and dash", k, i)
			}
			if dash && a.mark == b.mark {
				t.Errorf("series %d and %d have the same dash and mark", k, i)
			}
		}
	}
}

// TestSameLook holds that a name looks the same in figures that share their Names.
func TestSameLook(t *testing.T) {
	panel := func(lines ...Line) *Figure {
		return &Figure{Panels: []Panel{{X: byLength, Y: byShare, Lines: lines}}, Names: models}
	}
	third := models[2]
	all, alone := panel(curves(7)...).cleaned(), panel(curve(2, lengths...)).cleaned()
	if a, b := looksOf(all).of(third), looksOf(alone).of(third); a.color != b.color || a.mark != b.mark {
		t.Errorf("%s is %v among others and %v alone", third, a, b)
	}
	if got := looksOf(alone).shown; !slices.Equal(got, []string{third}) {
		t.Errorf("the legend would show %q", got)
	}
}

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"gpt-4o – ≥ é", "gpt-4o – ≥ é"},
		{"e\u0301", "é"},
		{"模型", "□□"},
		{"a\x1b[31mb", "a□[31mb"},
		{"\u202eabc", "□abc"},
		{"שלום", "□□□□"},
		{"a\nb", "a b"},
		{"\xff", "□"},
		{strings.Repeat("x", 5000), strings.Repeat("x", 400) + "…"},
		{"Ω Ж", "Ω Ж"},
	} {
		if got := Printable(c.in); got != c.want {
			t.Errorf("Printable(%.40q) = %.40q, want %.40q", c.in, got, c.want)
		}
	}
}

// TestHostile holds that names are words, whatever they look like.
func TestHostile(t *testing.T) {
	evil := `</text></svg><script>alert(1)</script>" onload="x`
	svg := drawn(t, &Figure{Title: evil, Text: evil, Panels: []Panel{{Title: evil, X: Axis{Label: evil}, Lines: []Line{{Name: evil, Points: []Point{{X: 1, Y: 1, Low: 1, High: 1}, {X: 2, Y: 1, Low: 1, High: 1}}}}}}, Legend: true})
	wellFormed(t, svg)
	if n := strings.Count(svg, "<svg"); n != 1 || strings.Contains(svg, "<script") {
		t.Errorf("the names broke out of their places:\n%s", svg)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		name   string
		axis   Axis
		data   span
		length float64
		want   string
	}{
		{"doublings", Axis{Log2: true, Min: 2, Max: 256}, nothing(), 200, "2 4 8 16 32 64 128 256"},
		{"crowded doublings", Axis{Log2: true, Min: 2, Max: 256}, nothing(), 60, "2 8 32 128"},
		{"doubled twice", Axis{Min: 0, Max: 500, Ticks: []Tick{{At: 10, Label: "10"}, {At: 20, Label: "20"}, {At: 50, Label: "50"}, {At: 100, Label: "100"}, {At: 200, Label: "200"}, {At: 500, Label: "500"}}}, nothing(), 100, "10 100 200 500"},
		{"shares", Axis{Min: 0, Max: 1}, nothing(), 100, "0 .25 .50 .75 1"},
		{"low shares", Axis{Min: 0, Max: 1}, nothing(), 40, "0 .50 1"},
		{"thousands", Axis{}, span{0, 31000}, 120, "0 10,000 20,000 30,000"},
		{"negative", Axis{}, span{-0.31, 0.12}, 120, "−0.4 −0.2 0 0.2"},
		{"one value", Axis{}, span{5, 5}, 120, "3 4 5 6 7"},
		{"no value", Axis{}, nothing(), 120, "0 .25 .50 .75 1"},
		{"given", Axis{Min: 0, Max: 2, Ticks: []Tick{{At: 0, Label: "low"}, {At: 2, Label: "high"}, {At: 9, Label: "beyond"}}}, nothing(), 120, "low high"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := scaleOf(c.axis, c.data, false)
			var got []string
			for _, tick := range ticksOf(c.axis, s, c.length, func(label string) float64 { return widthOf(label, tickSize) }) {
				got = append(got, tick.Label)
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %s, want %s", s, c.want)
			}
		})
	}
}

func TestShare(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1: "1", 0.5: ".50", 0.004: "<.01", 0.996: ">.99", 0.0051: ".01", 1.5: "1.5"} {
		if got := share(v); got != want {
			t.Errorf("share(%g) = %q, want %q", v, got, want)
		}
	}
}

// TestBands holds that a band is drawn where intervals are known, and only there.
func TestBands(t *testing.T) {
	q := func(x, low, high float64) Point { return Point{X: x, Y: 0.5, Low: low, High: high} }
	p := Panel{Lines: []Line{{Name: "a", Points: []Point{q(0, 0.4, 0.6), q(1, 0.4, 0.6), q(2, 0.5, 0.5), q(3, 0.4, 0.6), q(4, 0.3, 0.7), q(5, 0.4, 0.6), q(6, math.NaN(), 0.6), q(7, 0.4, 0.6)}}}}
	one := plot{Panel: &p}
	one.x, one.y = one.scales()
	one.put(area{0, 0, 100, 100})
	bands := one.bands(&p.Lines[0])
	if len(bands) != 2 || len(bands[0]) != 4 || len(bands[1]) != 6 {
		t.Errorf("bands: %v", bands)
	}
}

// TestCrowdedPoints wants names in a legend where there is no room next to the points.
func TestCrowdedPoints(t *testing.T) {
	var p Panel
	for i := range 12 {
		p.Lines = append(p.Lines, Line{Name: fmt.Sprint("a model with a long name ", i), Points: []Point{{X: 1, Y: 0.5, Low: 0.4, High: 0.6}}})
	}
	crowded(t, "twelve at one place", layOut((&Figure{Panels: []Panel{p}}).cleaned()))
	if l := laidOut((&Figure{Panels: []Panel{{Lines: p.Lines[:2]}}}).cleaned()); l.crowded || len(l.legend.items) > 0 {
		t.Error("two names have no free position next to their points")
	}
}

func BenchmarkFormats(b *testing.B) {
	figure := multiples(18, 7)
	for _, f := range Formats() {
		b.Run(f.Extension, func(b *testing.B) {
			for b.Loop() {
				if err := f.Write(figure, io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
