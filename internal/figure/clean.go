package figure

import (
	"cmp"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// write lays the figure out and gives it to one of the formats.
func (f *Figure) write(w io.Writer, format func(io.Writer, *sheet) error) error {
	return format(w, layOut(f.cleaned()))
}

// cleaned returns a copy in which all texts can be drawn and all numbers are NaN or not too large.
func (f *Figure) cleaned() *Figure {
	c := *f
	c.Title, c.Text = spoken(f.Title), spoken(f.Text)
	c.Names = nil
	for _, n := range f.Names {
		c.Names = append(c.Names, Printable(n))
	}
	c.Panels = make([]Panel, len(f.Panels), max(len(f.Panels), 1))
	for i := range f.Panels {
		c.Panels[i] = cleanedPanel(f.Panels[i])
	}
	if len(c.Panels) == 0 { // a panel without data says so
		c.Panels = append(c.Panels, Panel{})
	}
	if c.Title == "" {
		var parts []string
		for _, p := range c.Panels {
			parts = append(parts, cmp.Or(p.Title, p.Y.Label, p.X.Label, "no data"))
		}
		c.Title = spoken(strings.Join(parts, "; "))
		if names := namesIn(c.Panels...); c.Text == "" && len(names) > 0 {
			c.Text = spoken("Series: " + strings.Join(names, ", ") + ".")
		}
	}
	return &c
}

// spoken returns a text that is not drawn, with spaces for the characters that a document may not
// hold. Its letters need no font. It has at most 4,000 bytes.
func spoken(s string) string {
	const most = 4000
	if end := most; len(s) > end {
		for !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r >= 0xfff0 && r <= 0xffff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

// cleanedPanel cleans a panel, without changing the lists of p.
func cleanedPanel(p Panel) Panel {
	p.Title = Printable(p.Title)
	p.X, p.Y = cleanedAxis(p.X), cleanedAxis(p.Y)
	p.Lines = changed(p.Lines, func(l *Line) {
		l.Name = Printable(l.Name)
		l.Points = changed(l.Points, func(q *Point) { settle(&q.X, &q.Y, &q.Low, &q.High) })
	})
	p.Boxes = changed(p.Boxes, func(b *Box) {
		b.Name = Printable(b.Name)
		settle(&b.At, &b.Low, &b.Q1, &b.Median, &b.Q3, &b.High)
		b.Outliers = changed(b.Outliers, func(v *float64) { settle(v) })
	})
	p.Bars = changed(p.Bars, func(b *Bars) {
		b.Name = Printable(b.Name)
		b.Values = changed(b.Values, func(v *float64) { settle(v) })
	})
	p.Rows = changed(p.Rows, func(r *Row) {
		r.Name, r.Label, r.Note = Printable(r.Name), Printable(r.Label), Printable(r.Note)
		settle(&r.Value, &r.Low, &r.High)
	})
	if p.Zone != nil {
		z := *p.Zone
		settle(&z.Low, &z.High)
		p.Zone = &z
	}
	if p.Heat != nil {
		h := *p.Heat
		h.Values = changed(h.Values, func(row *[]float64) { *row = changed(*row, func(v *float64) { settle(v) }) })
		h.Rows = changed(h.Rows, func(s *string) { *s = Printable(*s) })
		h.Columns = changed(h.Columns, func(s *string) { *s = Printable(*s) })
		p.Heat = &h
	}
	return p
}

// cleanedAxis cleans an axis. Ends that are too close, or not positive on a logarithmic axis, are
// dropped.
func cleanedAxis(a Axis) Axis {
	a.Label = Printable(a.Label)
	a.Ticks = changed(a.Ticks, func(t *Tick) { t.Label = Printable(t.Label) })
	if settle(&a.Min, &a.Max); !(a.Max-a.Min > least(a.Min, a.Max)) || a.Log2 && a.Min <= 0 {
		a.Min, a.Max = 0, 0 // chosen by the data
	}
	return a
}

// settle replaces numbers that are infinite, or too large for an axis, by NaN.
func settle(values ...*float64) {
	for _, v := range values {
		if !(math.Abs(*v) <= 1e100) {
			*v = math.NaN()
		}
	}
}

// changed returns a copy of the list with every element changed; nil stays nil.
func changed[T any](list []T, change func(*T)) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, v := range list {
		change(&v)
		out[i] = v
	}
	return out
}
