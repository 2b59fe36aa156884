package figure

import (
	_ "embed"
	"math"
	"strings"
	"sync"
	"unicode"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

//go:embed regular.zst
var liberationRegular []byte

//go:embed bold.zst
var liberationBold []byte

// Regular unpacks the file of Liberation Sans.
func Regular() []byte { return unpack(liberationRegular) }

// Bold unpacks the file of Liberation Sans Bold.
func Bold() []byte { return unpack(liberationBold) }

func unpack(packed []byte) []byte {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic("a font that is part of the program: " + err.Error())
	}
	defer d.Close()
	file, err := d.DecodeAll(packed, nil)
	if err != nil {
		panic("a font that is part of the program: " + err.Error())
	}
	return file
}

// A typeface is Liberation Sans, regular or bold. Its letters are as wide as those of Arial and
// Helvetica, so that a text takes the same room if a computer uses one of these instead.
type typeface struct {
	file []byte
	font *sfnt.Font
	em   fixed.Int26_6
	wide [0x180]float64 // the widths of Latin letters, which are needed often
}

// regular and bold are unpacked and parsed when the first figure is drawn, so that a program without
// figures does not wait for them.
var (
	regular = sync.OnceValue(func() *typeface { return parse(Regular()) })
	bold    = sync.OnceValue(func() *typeface { return parse(Bold()) })
)

func parse(file []byte) *typeface {
	f, err := sfnt.Parse(file)
	if err != nil {
		panic("figure: a font that is part of the program does not parse: " + err.Error())
	}
	t := &typeface{file: file, font: f, em: fixed.Int26_6(f.UnitsPerEm())}
	var b sfnt.Buffer
	for r := range t.wide {
		t.wide[r] = t.measure(&b, rune(r))
	}
	return t
}

func face(heavy bool) *typeface {
	if heavy {
		return bold()
	}
	return regular()
}

// advance returns the width of r as a share of the size of the letters.
func (t *typeface) advance(b *sfnt.Buffer, r rune) float64 {
	if r >= 0 && int(r) < len(t.wide) {
		return t.wide[r]
	}
	return t.measure(b, r)
}

func (t *typeface) measure(b *sfnt.Buffer, r rune) float64 {
	i, err := t.font.GlyphIndex(b, r)
	if err != nil {
		return 0
	}
	a, err := t.font.GlyphAdvance(b, i, t.em, font.HintingNone)
	if err != nil {
		return 0
	}
	return float64(a) / float64(t.em)
}

// width returns the width of the words, without kerning: neither SVG nor PDF has any here.
func (w words) width() float64 {
	var b sfnt.Buffer
	t := face(w.bold)
	sum := 0.0
	for _, r := range w.text {
		sum += t.advance(&b, r)
	}
	return sum * w.size
}

// widthOf returns the width of a text in regular letters.
func widthOf(text string, size float64) float64 { return lettering{size: size}.width(text) }

// maxText is the largest number of characters of a name.
const maxText = 400

// Printable returns s as it is drawn: on one line of at most 400 characters. Characters that the fonts
// do not have, and those that are not drawn from left to right, are replaced by □. Different names
// that become equal have the same look in a figure.
func Printable(s string) string {
	if len(s) > 4*maxText {
		s = s[:4*maxText]
	}
	var b strings.Builder
	var buf sfnt.Buffer
	n := 0
	for _, r := range norm.NFC.String(strings.ToValidUTF8(s, "□")) {
		if n++; n > maxText {
			b.WriteRune('…')
			break
		}
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u00a0':
			r = ' '
		case !drawable(&buf, r):
			r = '□'
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

// drawable reports whether both fonts have the letter, and it is drawn from left to right.
func drawable(b *sfnt.Buffer, r rune) bool {
	if !unicode.IsPrint(r) || unicode.Is(unicode.M, r) {
		return false
	}
	if unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Common) {
		return false // such as Hebrew and Arabic letters
	}
	for _, heavy := range []bool{false, true} {
		if i, err := face(heavy).font.GlyphIndex(b, r); err != nil || i == 0 {
			return false
		}
	}
	return true
}

// A lettering is the size and the weight of letters.
type lettering struct {
	size float64
	bold bool
}

func (l lettering) width(text string) float64 {
	return words{text: text, size: l.size, bold: l.bold}.width()
}

// fitted returns text in regular letters, cut off if it is wider than the room.
func fitted(text string, size, room float64) string { return lettering{size: size}.fitted(text, room) }

// fitted returns text, cut off with … if it is wider than the room.
func (l lettering) fitted(text string, room float64) string {
	if l.width(text) <= room {
		return text
	}
	letters := []rune(text)
	for n := len(letters) - 1; n > 0; n-- {
		if s := strings.TrimSpace(string(letters[:n])) + "…"; l.width(s) <= room {
			return s
		}
	}
	return "…"
}

// folded breaks text into at most so many lines of the width, after spaces, hyphens, slashes and the
// like. ok is false if it does not fit; then the last line is cut off.
func (l lettering) folded(text string, room float64, lines int) (out []string, ok bool) {
	rest := text
	for len(out) < lines-1 && l.width(rest) > room {
		at := 0
		for i, r := range rest {
			if i > 0 && l.width(strings.TrimSpace(rest[:i])) > room {
				break
			}
			switch r {
			case ' ':
				at = i
			case '-', '/', '_', ':':
				if l.width(rest[:i+1]) <= room {
					at = i + 1
				}
			}
		}
		if at == 0 {
			break
		}
		out = append(out, strings.TrimSpace(rest[:at]))
		rest = strings.TrimSpace(rest[at:])
	}
	last := l.fitted(rest, room)
	return append(out, last), last == rest
}

// words draws the outlines of the letters.
func (c *canvas) words(m words) {
	t, left := face(m.bold), m.left()
	width, room := m.width(), 2*m.size
	low, high := point{left.x - room, m.at.y - room}, point{left.x + width + room, m.at.y + room}
	if m.turned != 0 { // about its position, which is an end or inside
		low, high = point{m.at.x - width - room, m.at.y - width - room}, point{m.at.x + width + room, m.at.y + width + room}
	}
	box := c.box(low, high)
	if box.Empty() {
		return
	}
	c.pen.Reset(box.Dx(), box.Dy())
	sin, cos := math.Sincos(m.turned * math.Pi / 180)
	l := letters{canvas: c, face: t, place: func(x, y float64) (float32, float32) {
		px, py := m.at.x+x*cos+y*sin, m.at.y-x*sin+y*cos
		return float32(px*c.scale) - float32(box.Min.X), float32(py*c.scale) - float32(box.Min.Y)
	}}
	pen := left.x - m.at.x
	for _, r := range m.text {
		l.draw(r, pen, m.size)
		pen += t.advance(&l.buf, r) * m.size
	}
	c.paint(box, m.color)
}

// letters draws the outlines of letters on a canvas.
type letters struct {
	canvas *canvas
	face   *typeface
	buf    sfnt.Buffer
	place  func(x, y float64) (float32, float32) // of a point relative to the words
}

func (l *letters) draw(r rune, shift, size float64) {
	i, err := l.face.font.GlyphIndex(&l.buf, r)
	if err != nil {
		return
	}
	segments, err := l.face.font.LoadGlyph(&l.buf, i, l.face.em, nil)
	if err != nil {
		return
	}
	pen, scale := &l.canvas.pen, size/float64(l.face.em)
	for _, s := range segments {
		var x, y [3]float32
		for k, a := range s.Args {
			x[k], y[k] = l.place(shift+float64(a.X)*scale, float64(a.Y)*scale)
		}
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			pen.ClosePath()
			pen.MoveTo(x[0], y[0])
		case sfnt.SegmentOpLineTo:
			pen.LineTo(x[0], y[0])
		case sfnt.SegmentOpQuadTo:
			pen.QuadTo(x[0], y[0], x[1], y[1])
		case sfnt.SegmentOpCubeTo:
			pen.CubeTo(x[0], y[0], x[1], y[1], x[2], y[2])
		}
	}
	pen.ClosePath()
}

// circle returns a polygon with enough corners to look round at the scale.
func circle(at point, r, scale float64) []point {
	n := min(max(8, int(4*math.Sqrt(r*scale))), 64)
	ring := make([]point, n)
	for i := range ring {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		ring[i] = point{at.x + r*cos, at.y + r*sin}
	}
	return ring
}

// dashed returns the parts of a stroke that are drawn.
func dashed(m stroke) [][]point {
	line := m.points
	if m.closed && len(line) > 0 {
		line = append(append([]point{}, line...), line[0])
	}
	period := 0.0
	for _, d := range m.dash {
		period += d
	}
	if period <= 0 || len(line) < 2 {
		return [][]point{line}
	}
	var parts [][]point
	part, left, k := []point{line[0]}, m.dash[0], 0
	for i := 1; i < len(line); i++ {
		from, to := line[i-1], line[i]
		for dist := math.Hypot(to.x-from.x, to.y-from.y); dist > left; dist = math.Hypot(to.x-from.x, to.y-from.y) {
			from = point{from.x + (to.x-from.x)*left/dist, from.y + (to.y-from.y)*left/dist}
			if k%2 == 0 {
				parts = append(parts, append(part, from))
			}
			k++
			part, left = []point{from}, m.dash[k%len(m.dash)]
		}
		left -= math.Hypot(to.x-from.x, to.y-from.y)
		part = append(part, to)
	}
	if k%2 == 0 {
		parts = append(parts, part)
	}
	return parts
}

// widened returns contours that together cover a polyline of a width, with flat ends and round
// corners. They have the same orientation.
func widened(line []point, width, scale float64) [][]point {
	var out [][]point
	half := width / 2
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		dist := math.Hypot(b.x-a.x, b.y-a.y)
		if dist == 0 {
			continue
		}
		nx, ny := -(b.y-a.y)/dist*half, (b.x-a.x)/dist*half
		out = append(out, []point{{a.x - nx, a.y - ny}, {b.x - nx, b.y - ny}, {b.x + nx, b.y + ny}, {a.x + nx, a.y + ny}})
		if i > 1 || line[0] == line[len(line)-1] {
			out = append(out, circle(a, half, scale))
		}
	}
	return out
}
