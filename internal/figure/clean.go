package figure

import (
	"cmp"
	"io"
	"math"
	"strings"

	"verbatim/internal/chart"
)

// write lays the figure out and gives it to one of the formats.
func (f *Figure) write(w io.Writer, format func(io.Writer, *sheet) error) error {
	return format(w, layOut(f.cleaned()))
}

// cleaned returns a copy in which all words can be drawn.
func (f *Figure) cleaned() *Figure {
	c := *f
	c.Title, c.Text = spoken(f.Title), spoken(f.Text)
	c.Names = nil
	for _, n := range f.Names {
		c.Names = append(c.Names, Printable(n))
	}
	c.Panels = make([]chart.Panel, len(f.Panels), max(len(f.Panels), 1))
	for i := range f.Panels {
		c.Panels[i] = cleanedPanel(f.Panels[i])
	}
	if len(c.Panels) == 0 { // it says that there is nothing
		c.Panels = append(c.Panels, chart.Panel{})
	}
	if c.Title == "" {
		var parts []string
		for _, p := range c.Panels {
			parts = append(parts, cmp.Or(p.Title, p.Y.Label, p.X.Label, "no data"))
		}
		c.Title = spoken(strings.Join(parts, "; "))
		if names := namesIn(&c); c.Text == "" && len(names) > 0 {
			c.Text = spoken("Series: " + strings.Join(names, ", ") + ".")
		}
	}
	return &c
}

// spoken returns words that are not drawn: their letters need no font, but must be
// some that a document may hold.
func spoken(s string) string {
	const most = 4000
	if len(s) > most {
		s = s[:most]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r >= 0xfff0 && r <= 0xffff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

func cleanedPanel(p chart.Panel) chart.Panel {
	p.Title = Printable(p.Title)
	p.X, p.Y = cleanedAxis(p.X), cleanedAxis(p.Y)
	p.Lines = changed(p.Lines, func(l *chart.Line) {
		l.Name = Printable(l.Name)
		l.Points = changed(l.Points, func(q *chart.Point) { settle(&q.X, &q.Y, &q.Low, &q.High) })
	})
	p.Boxes = changed(p.Boxes, func(b *chart.Box) {
		b.Name = Printable(b.Name)
		settle(&b.At, &b.Low, &b.Q1, &b.Median, &b.Q3, &b.High)
		b.Outliers = changed(b.Outliers, func(v *float64) { settle(v) })
	})
	p.Bars = changed(p.Bars, func(b *chart.Bars) {
		b.Name = Printable(b.Name)
		b.Values = changed(b.Values, func(v *float64) { settle(v) })
	})
	p.Rows = changed(p.Rows, func(r *chart.Row) {
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

func cleanedAxis(a chart.Axis) chart.Axis {
	a.Label = Printable(a.Label)
	a.Ticks = changed(a.Ticks, func(t *chart.Tick) { t.Label = Printable(t.Label) })
	if settle(&a.Min, &a.Max); !(a.Max-a.Min > least(a.Min, a.Max)) || a.Log2 && a.Min <= 0 {
		a.Min, a.Max = 0, 0 // as the data need
	}
	return a
}

// settle makes NaN of all numbers that are none, or so large that no axis holds them
// with others.
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
