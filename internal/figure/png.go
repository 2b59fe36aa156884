package figure

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	imagecolor "image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/vector"
)

// dpi is the resolution of a PNG, as journals ask for it.
const dpi = 300

// PNG writes the figure as a picture of 300 dots per inch on white.
// The error is that of w.
func (f *Figure) PNG(w io.Writer) error { return f.write(w, writePNG) }

func writePNG(w io.Writer, s *sheet) error {
	const scale = dpi / 72.0
	wide, high := int(math.Ceil(s.width*scale)), int(math.Ceil(s.height*scale))
	c := canvas{img: image.NewRGBA(image.Rect(0, 0, wide, high)), scale: scale}
	draw.Draw(c.img, c.img.Bounds(), image.White, image.Point{}, draw.Src)
	for _, m := range s.marks {
		switch m := m.(type) {
		case stroke:
			c.stroke(m)
		case segments:
			var pieces [][]point
			for _, l := range m.list {
				pieces = append(pieces, widened(l[:], m.width, c.scale)...)
			}
			c.fill(pieces, m.line)
		case disc:
			ring := circle(m.at, m.r, c.scale)
			c.stroke(stroke{points: ring, closed: true, fill: m.fill, line: m.line, width: m.width})
		case words:
			c.words(m)
		}
	}
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := enc.Encode(&b, c.img); err != nil {
		return err
	}
	_, err := w.Write(resolved(b.Bytes()))
	return err
}

// resolved puts the resolution into a PNG: a pHYs chunk behind the header, which is
// 33 bytes long (PNG specification, sections 5.2 and 11.2.1).
func resolved(file []byte) []byte {
	const head = 33
	chunk := []byte("pHYs")
	perMetre := uint32(math.Round(dpi / 0.0254))
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1) // the unit is the metre
	out := append([]byte{}, file[:head]...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(chunk)-4))
	out = append(out, chunk...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
	return append(out, file[head:]...)
}

// A canvas draws on a picture.
type canvas struct {
	img   *image.RGBA
	scale float64
	pen   vector.Rasterizer
}

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
		for _, piece := range pieces { // each in its own small box: what is opaque may overlap
			c.fill([][]point{piece}, m.line)
		}
	}
}

// fill covers the union of the contours, which all turn the same way round.
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

// box returns the dots between two corners that lie on the picture.
func (c *canvas) box(low, high point) image.Rectangle {
	dot := func(v float64) int { return int(max(-1, min(v*c.scale, 1e6))) }
	return image.Rect(dot(low.x), dot(low.y), dot(high.x)+1, dot(high.y)+1).Intersect(c.img.Bounds())
}

func (c *canvas) paint(box image.Rectangle, with color) {
	ink := image.NewUniform(imagecolor.NRGBA{R: with.r, G: with.g, B: with.b, A: uint8(with.a*255 + 0.5)})
	c.pen.Draw(c.img, box, ink, image.Point{})
}
