package figure

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

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
