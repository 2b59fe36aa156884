package recordview

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // read by thumbnail
	"image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // read by thumbnail

	"verbatim"
	"verbatim/internal/number"
)

// pictureText names a picture of a prompt: its path if it has one, its media type and size.
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

// mostPixels bounds a picture that is decoded: a small file can hold a huge one.
const mostPixels = 1 << 24

// Thumbnail returns the picture as a PNG of at most side pixels in width and height. It
// returns nil if the bytes are no picture that it can read, or one of more than 16 million
// pixels. A page shows the new file, never the bytes as they came.
func Thumbnail(m *verbatim.Image, side int) []byte {
	size, _, err := image.DecodeConfig(bytes.NewReader(m.Bytes))
	if err != nil || size.Width < 1 || size.Height < 1 || size.Width > mostPixels/size.Height {
		return nil
	}
	full, _, err := image.Decode(bytes.NewReader(m.Bytes))
	if err != nil {
		return nil
	}
	longer := max(size.Width, size.Height, side)
	small := image.NewRGBA(image.Rect(0, 0, max(1, size.Width*side/longer), max(1, size.Height*side/longer)))
	draw.CatmullRom.Scale(small, small.Bounds(), full, full.Bounds(), draw.Src, nil)
	var file bytes.Buffer
	if err := png.Encode(&file, small); err != nil {
		return nil
	}
	return file.Bytes()
}
