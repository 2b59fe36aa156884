package task

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	pngfile "image/png"
	"testing"
)

// TestPinPixels: what is pinned of a picture is its pixels. Another encoding of the same pixels
// is pinned as the same, and one changed pixel as another.
func TestPinPixels(t *testing.T) {
	grey, full := image.NewGray(image.Rect(0, 0, 40, 30)), image.NewNRGBA(image.Rect(0, 0, 40, 30))
	for y := range 30 {
		for x := range 40 {
			c := color.Gray{Y: uint8(255 * (x * y / 7 % 2))}
			grey.Set(x, y, c)
			full.Set(x, y, c)
		}
	}
	files := map[string]bool{}
	pinned := func(img image.Image, level pngfile.CompressionLevel) string {
		var b bytes.Buffer
		if err := (&pngfile.Encoder{CompressionLevel: level}).Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		files[b.String()] = true
		return string(pinPixels(t, []byte(`{"image":"data:image/png;base64,`+base64.StdEncoding.EncodeToString(b.Bytes())+`"}`)))
	}
	want := pinned(grey, pngfile.DefaultCompression)
	for _, img := range []image.Image{grey, full} {
		for _, level := range []pngfile.CompressionLevel{pngfile.NoCompression, pngfile.BestSpeed, pngfile.BestCompression} {
			if got := pinned(img, level); got != want {
				t.Errorf("another encoding is %s, not %s", got, want)
			}
		}
	}
	if len(files) < 5 {
		t.Errorf("only %d encodings differ", len(files))
	}
	full.Set(39, 29, color.NRGBA{R: 1, G: 1, B: 1, A: 255})
	if got := pinned(full, pngfile.DefaultCompression); got == want {
		t.Error("a changed pixel changes nothing")
	}
}
