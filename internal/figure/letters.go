package figure

import (
	"math"

	"golang.org/x/image/font/sfnt"
)

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
