package recordview

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // read by thumbnail
	"image/png"

	_ "golang.org/x/image/webp" // read by thumbnail

	"verbatim"
	"verbatim/internal/number"
)

// pictureText describes a picture of a prompt: its path, its media type and its size.
func pictureText(m *verbatim.Image) string {
	text := "image"
	if m.Path != "" {
		text += " " + m.Path
	}
	if m.Media != "" {
		text += ", " + m.Media
	}
	if size, _, err := image.DecodeConfig(bytes.NewReader(m.Bytes)); err == nil {
		text += fmt.Sprintf(", %d × %d pixels", size.Width, size.Height)
	}
	return "(" + text + ", " + number.Count(int64(len(m.Bytes))) + " bytes)"
}

// ThumbnailSide is the longer side of a thumbnail in a report, in pixels.
const ThumbnailSide = 256

// maxPixels bounds a picture that is decoded: a small file can hold a huge one.
const maxPixels = 1 << 24

// Thumbnail returns the picture as a PNG of at most side pixels in width and height. It
// returns nil if the bytes are no picture that it can read, or one of more than 16 million
// pixels. A page shows the new file, never the bytes as they came.
func Thumbnail(m *verbatim.Image, side int) []byte {
	size, _, err := image.DecodeConfig(bytes.NewReader(m.Bytes))
	if err != nil || size.Width < 1 || size.Height < 1 || size.Width > maxPixels/size.Height {
		return nil
	}
	full, _, err := image.Decode(bytes.NewReader(m.Bytes))
	if err != nil {
		return nil
	}
	pixels, ok := full.(image.RGBA64Image)
	if !ok {
		return nil // all pictures that the packages above decode are RGBA64Images
	}
	longer := max(size.Width, size.Height, side)
	small := shrink(pixels, max(1, size.Width*side/longer), max(1, size.Height*side/longer))
	var file bytes.Buffer
	if err := png.Encode(&file, small); err != nil {
		return nil
	}
	return file.Bytes()
}

// shrink returns the picture in wide × high pixels, of which it has at least as many. Each
// new pixel is the mean of the pixels that it replaces.
func shrink(full image.RGBA64Image, wide, high int) image.Image {
	from := full.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, wide, high))
	for y := range high {
		top, bottom := from.Min.Y+y*from.Dy()/high, from.Min.Y+(y+1)*from.Dy()/high
		for x := range wide {
			left, right := from.Min.X+x*from.Dx()/wide, from.Min.X+(x+1)*from.Dx()/wide
			small.SetRGBA64(x, y, mean(full, image.Rect(left, top, right, bottom)))
		}
	}
	return small
}

// mean returns the mean colour of an area with at least one pixel.
func mean(full image.RGBA64Image, area image.Rectangle) color.RGBA64 {
	var r, g, b, a uint64
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := full.RGBA64At(x, y)
			r, g, b, a = r+uint64(c.R), g+uint64(c.G), b+uint64(c.B), a+uint64(c.A)
		}
	}
	n := uint64(area.Dx() * area.Dy())
	return color.RGBA64{R: uint16(r / n), G: uint16(g / n), B: uint16(b / n), A: uint16(a / n)}
}
