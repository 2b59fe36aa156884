package figure

import (
	"io"
	"slices"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// PDF writes the figure as a PDF page of its size. Texts are texts, and the letters that they use are
// embedded. The same figure gives the same bytes: the date in the file is fixed. The only errors are
// those of w.
func (f *Figure) PDF(w io.Writer) error { return f.write(w, writePDF) }

func writePDF(w io.Writer, s *sheet) error {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: s.width, Ht: s.height}})
	doc.SetCatalogSort(true) // otherwise the order of its maps is random
	epoch := time.Unix(0, 0).UTC()
	doc.SetCreationDate(epoch)
	doc.SetModificationDate(epoch)
	doc.SetProducer("verbatim", true)
	doc.SetTitle(s.title, true)
	doc.SetSubject(s.text, true)
	doc.SetLang("en")
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	for _, heavy := range []bool{false, true} {
		if s.has(heavy) {
			doc.AddUTF8FontFromBytes("sans", weight(heavy), slices.Clone(face(heavy).file)) // it keeps the bytes
		}
	}
	doc.AddPage()
	doc.SetLineJoinStyle("round")
	for _, m := range s.marks {
		switch m := m.(type) {
		case stroke:
			pdfStroke(doc, m)
		case segments:
			style := pdfPaint(doc, color{}, m.line, m.width, nil)
			for _, l := range m.list {
				doc.MoveTo(l[0].x, l[0].y)
				doc.LineTo(l[1].x, l[1].y)
			}
			doc.DrawPath(style)
		case disc:
			if style := pdfPaint(doc, m.fill, m.line, m.width, nil); style != "" {
				doc.Circle(m.at.x, m.at.y, m.r, style)
			}
		case words:
			pdfWords(doc, m)
		}
	}
	return doc.Output(w)
}

// has reports whether there are words in bold letters, or in regular ones.
func (s *sheet) has(bold bool) bool {
	return slices.ContainsFunc(s.marks, func(m any) bool {
		w, ok := m.(words)
		return ok && w.bold == bold
	})
}

// weight returns fpdf's name of bold or regular letters.
func weight(heavy bool) string {
	if heavy {
		return "B"
	}
	return ""
}

// pdfStroke draws a stroke. If its fill and its line have different opacities, they are two paths.
func pdfStroke(doc *fpdf.Fpdf, m stroke) {
	if m.fill.a > 0 && m.line.a > 0 && m.fill.a != m.line.a {
		inside, edge := m, m
		inside.line, edge.fill = color{}, color{}
		pdfStroke(doc, inside)
		pdfStroke(doc, edge)
		return
	}
	style := pdfPaint(doc, m.fill, m.line, m.width, m.dash)
	if style == "" || len(m.points) == 0 {
		return
	}
	doc.MoveTo(m.points[0].x, m.points[0].y)
	for _, p := range m.points[1:] {
		doc.LineTo(p.x, p.y)
	}
	if m.closed {
		doc.ClosePath()
	}
	doc.DrawPath(style)
}

// pdfPaint sets the colors, the width and the dash of the next path. It returns fpdf's style of the
// path: "D" to draw the line, "F" to fill, "FD" for both, "" for neither.
func pdfPaint(doc *fpdf.Fpdf, fill, line color, width float64, dash []float64) string {
	style, opacity := "", 1.0
	if line.a > 0 && width > 0 {
		style, opacity = "D", line.a
		doc.SetDrawColor(int(line.r), int(line.g), int(line.b))
		doc.SetLineWidth(width)
		doc.SetDashPattern(dash, 0)
	}
	if fill.a > 0 {
		style, opacity = "F"+style, fill.a
		doc.SetFillColor(int(fill.r), int(fill.g), int(fill.b))
	}
	doc.SetAlpha(opacity, "Normal")
	return style
}

func pdfWords(doc *fpdf.Fpdf, m words) {
	doc.SetFont("sans", weight(m.bold), m.size)
	doc.SetTextColor(int(m.color.r), int(m.color.g), int(m.color.b))
	doc.SetAlpha(1, "Normal")
	left := m.left()
	if m.turned == 0 {
		doc.Text(left.x, left.y, m.text)
		return
	}
	doc.TransformBegin()
	doc.TransformRotate(m.turned, m.at.x, m.at.y)
	doc.Text(left.x, left.y, m.text)
	doc.TransformEnd()
}

// left returns the beginning of the words, before they are turned.
func (w words) left() point {
	switch w.anchor {
	case middle:
		return point{w.at.x - w.width()/2, w.at.y}
	case end:
		return point{w.at.x - w.width(), w.at.y}
	}
	return w.at
}
