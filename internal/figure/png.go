package figure

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"
)

// dpi is the resolution of a PNG, which many journals require.
const dpi = 300

// PNG writes the figure as a picture with 300 dots per inch, on white. The only errors are those of w.
func (f *Figure) png(w io.Writer) error { return f.write(w, writePNG) }

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

// resolved adds the resolution to a PNG: a pHYs chunk after the header, which has 33 bytes (PNG
// specification, sections 5.2 and 11.2.1).
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
