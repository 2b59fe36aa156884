package figure

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// SVG writes the figure as a document of SVG 1.1 that can also be a part of an HTML page: it has no
// ids, styles, scripts or addresses. Words are texts. Without Liberation Sans another font is used,
// in the same room. The only errors are those of w.
func (f *Figure) SVG(w io.Writer) error { return f.write(w, writeSVG) }

func writeSVG(w io.Writer, s *sheet) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%smm" height="%smm" viewBox="0 0 %s %s" role="img" aria-label="%s" font-family="'Liberation Sans', Arial, Helvetica, sans-serif" font-size="7" fill="none" stroke-linejoin="round">`+"\n",
		short(s.width/mm), short(s.height/mm), short(s.width), short(s.height), escape(s.title))
	fmt.Fprintf(b, "<title>%s</title>\n", escape(s.title))
	if s.text != "" {
		fmt.Fprintf(b, "<desc>%s</desc>\n", escape(s.text))
	}
	fmt.Fprintf(b, `<rect width="%s" height="%s" fill="#fff"/>`+"\n", short(s.width), short(s.height))
	for _, m := range s.marks {
		svgMark(b, m)
	}
	b.WriteString("</svg>\n")
	return b.Flush() // holds the first error of any write
}

func svgMark(b *bufio.Writer, m any) {
	switch m := m.(type) {
	case stroke:
		b.WriteString(`<path d="` + outline(m) + `"` + paint(m.fill, m.line, m.width))
		if m.dash != nil {
			lengths := make([]string, len(m.dash))
			for i, d := range m.dash {
				lengths[i] = short(d)
			}
			b.WriteString(` stroke-dasharray="` + strings.Join(lengths, " ") + `"`)
		}
		b.WriteString("/>\n")
	case segments:
		b.WriteString(`<path d="`)
		for _, l := range m.list {
			b.WriteString(outline(stroke{points: l[:]}))
		}
		b.WriteString(`"` + paint(color{}, m.line, m.width) + "/>\n")
	case disc:
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s"%s/>`+"\n", short(m.at.x), short(m.at.y), short(m.r), paint(m.fill, m.line, m.width))
	case words:
		svgWords(b, m)
	case group:
		fmt.Fprintf(b, "<g><title>%s</title>\n", escape(m.name))
	case groupEnd:
		b.WriteString("</g>\n")
	}
}

func svgWords(b *bufio.Writer, m words) {
	b.WriteString(`<text x="` + short(m.at.x) + `" y="` + short(m.at.y) + `"`)
	if m.size != 7 {
		b.WriteString(` font-size="` + short(m.size) + `"`)
	}
	if m.bold {
		b.WriteString(` font-weight="bold"`)
	}
	switch m.anchor {
	case middle:
		b.WriteString(` text-anchor="middle"`)
	case end:
		b.WriteString(` text-anchor="end"`)
	}
	if m.turned != 0 {
		fmt.Fprintf(b, ` transform="rotate(%s %s %s)"`, short(-m.turned), short(m.at.x), short(m.at.y))
	}
	if w := m.width(); w > 10 { // another font is fitted to the same room
		b.WriteString(` textLength="` + short(w) + `" lengthAdjust="spacingAndGlyphs"`)
	}
	b.WriteString(` fill="` + hex(m.color) + `">` + escape(m.text) + "</text>\n")
}

// outline returns the path of a stroke.
func outline(m stroke) string {
	var d strings.Builder
	for i, p := range m.points {
		x, y := short(p.x), short(p.y)
		switch {
		case i == 0:
			d.WriteString("M" + x + " " + y)
		case y == short(m.points[i-1].y):
			d.WriteString("H" + x)
		case x == short(m.points[i-1].x):
			d.WriteString("V" + y)
		default:
			d.WriteString("L" + x + " " + y)
		}
	}
	if m.closed {
		d.WriteString("Z")
	}
	return d.String()
}

// paint returns the attributes of a fill and a line.
func paint(fill, line color, width float64) string {
	s := ""
	if fill.a > 0 {
		s = ` fill="` + hex(fill) + `"`
		if fill.a < 1 {
			s += ` fill-opacity="` + short(fill.a) + `"`
		}
	}
	if line.a > 0 && width > 0 {
		s += ` stroke="` + hex(line) + `" stroke-width="` + short(width) + `"`
		if line.a < 1 {
			s += ` stroke-opacity="` + short(line.a) + `"`
		}
	}
	return s
}

func hex(c color) string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

// short prints v to a hundredth of a point, without zeros at the end.
func short(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a strings.Builder takes everything
	return b.String()
}
