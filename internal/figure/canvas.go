package figure

import (
	"image"
	imagecolor "image/color"
	"math"

	"golang.org/x/image/vector"
)

// A canvas draws on a picture, with scale pixels to a point.
type canvas struct {
	img   *image.RGBA
	scale float64
	pen   vector.Rasterizer
}

// stroke fills the polygon, and draws the line over it.
func (c *canvas) stroke(m stroke) {
	if m.fill.a > 0 && len(m.points) > 2 {
		c.fill([][]point{m.points}, m.fill)
	}
	if m.line.a > 0 && m.width > 0 {
		var pieces [][]point
		for _, part := range dashed(m) {
			pieces = append(pieces, widened(part, m.width, c.scale)...)
		}
		if m.line.a < 1 {
			c.fill(pieces, m.line)
			return
		}
		for _, piece := range pieces { // one by one, which is faster; opaque pieces may overlap
			c.fill([][]point{piece}, m.line)
		}
	}
}

// fill paints the union of the contours, which must all have the same orientation.
func (c *canvas) fill(contours [][]point, with color) {
	var low, high = point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, contour := range contours {
		for _, p := range contour {
			low = point{min(low.x, p.x), min(low.y, p.y)}
			high = point{max(high.x, p.x), max(high.y, p.y)}
		}
	}
	box := c.box(low, high)
	if box.Empty() {
		return
	}
	c.pen.Reset(box.Dx(), box.Dy())
	place := func(p point) (float32, float32) {
		return float32(p.x*c.scale) - float32(box.Min.X), float32(p.y*c.scale) - float32(box.Min.Y)
	}
	for _, contour := range contours {
		c.pen.MoveTo(place(contour[0]))
		for _, p := range contour[1:] {
			c.pen.LineTo(place(p))
		}
		c.pen.ClosePath()
	}
	c.paint(box, with)
}

// box returns the pixels of the picture between two corners.
func (c *canvas) box(low, high point) image.Rectangle {
	dot := func(v float64) int { return int(max(-1, min(v*c.scale, 1e6))) }
	return image.Rect(dot(low.x), dot(low.y), dot(high.x)+1, dot(high.y)+1).Intersect(c.img.Bounds())
}

// paint paints what the pen has outlined in a box.
func (c *canvas) paint(box image.Rectangle, with color) {
	ink := image.NewUniform(imagecolor.NRGBA{R: with.r, G: with.g, B: with.b, A: uint8(with.a*255 + 0.5)})
	c.pen.Draw(c.img, box, ink, image.Point{})
}
