package recordview

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"verbatim"
)

// drawn returns a picture of which the left half is black and the right half white.
func drawn(wide, high int) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, wide, high))
	for y := range high {
		for x := wide / 2; x < wide; x++ {
			m.SetGray(x, y, color.Gray{255})
		}
	}
	return m
}

// TestThumbnail wants each picture shrunk in proportion, and still the same picture.
func TestThumbnail(t *testing.T) {
	for _, c := range []struct{ wide, high, wantWide, wantHigh int }{
		{512, 512, 256, 256}, {1000, 500, 256, 128}, {40, 20, 40, 20}, {2, 4000, 1, 256},
	} {
		for _, media := range []string{"image/png", "image/jpeg"} {
			var file bytes.Buffer
			var err error
			if media == "image/png" {
				err = png.Encode(&file, drawn(c.wide, c.high))
			} else {
				err = jpeg.Encode(&file, drawn(c.wide, c.high), nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			small, err := png.Decode(bytes.NewReader(Thumbnail(&verbatim.Image{Media: media, Bytes: file.Bytes()}, ThumbnailSide)))
			if err != nil {
				t.Fatal(err)
			}
			if got := small.Bounds().Size(); got != image.Pt(c.wantWide, c.wantHigh) {
				t.Errorf("%s of %d × %d became %v, want %d × %d", media, c.wide, c.high, got, c.wantWide, c.wantHigh)
			}
			if c.wantWide == 1 {
				continue
			}
			left, _, _, _ := small.At(c.wantWide/8, c.wantHigh/2).RGBA()
			right, _, _, _ := small.At(c.wantWide*7/8, c.wantHigh/2).RGBA()
			if left > 0x1000 || right < 0xf000 {
				t.Errorf("%s of %d × %d: the halves are %x and %x", media, c.wide, c.high, left, right)
			}
		}
	}
}

// TestShrink wants each pixel of a part of a picture to be counted once, in the mean that replaces it.
func TestShrink(t *testing.T) {
	whole := image.NewGray(image.Rect(0, 0, 7, 4))
	for i := range whole.Pix {
		whole.Pix[i] = 200 // outside the part
	}
	for i, grey := range []uint8{10, 30, 0, 50, 100, 20, 40, 60, 90, 80} {
		whole.SetGray(1+i%5, 2+i/5, color.Gray{grey})
	}
	small := shrink(whole.SubImage(image.Rect(1, 2, 6, 4)).(*image.Gray), 2, 1)
	if size := small.Bounds(); size != image.Rect(0, 0, 2, 1) {
		t.Fatalf("the size is %v", size)
	}
	for x, want := range []uint8{25, 63} { // of two columns, and of three
		if got := color.RGBAModel.Convert(small.At(x, 0)); got != (color.RGBA{want, want, want, 255}) {
			t.Errorf("pixel %d is %v, want grey %d", x, got, want)
		}
	}
}

// TestNoThumbnail wants no thumbnail of what is no picture, or is too large to decode.
func TestNoThumbnail(t *testing.T) {
	var file bytes.Buffer
	if err := png.Encode(&file, drawn(8, 8)); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	var large bytes.Buffer // a whole picture, of more pixels than are decoded
	if err := png.Encode(&large, image.NewGray(image.Rect(0, 0, 5000, maxPixels/5000+1))); err != nil {
		t.Fatal(err)
	}
	huge := bytes.Clone(whole)
	binary.BigEndian.PutUint32(huge[16:], 60000)
	binary.BigEndian.PutUint32(huge[20:], 60000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("<svg onload=alert(1)>"), "half": whole[:len(whole)/2], "huge": huge, "large": large.Bytes(),
	} {
		if got := Thumbnail(&verbatim.Image{Media: "image/png", Bytes: data}, ThumbnailSide); got != nil {
			t.Errorf("%s: a thumbnail of %d bytes", name, len(got))
		}
	}
	if text := pictureText(&verbatim.Image{Media: "image/png", Bytes: huge}); !strings.Contains(text, "60000 × 60000 pixels") {
		t.Errorf("the text is %q", text)
	}
}

// TestTruncatedPicture wants a thumbnail instead of a picture, and the field named.
func TestTruncatedPicture(t *testing.T) {
	var file bytes.Buffer
	if err := png.Encode(&file, drawn(600, 300)); err != nil {
		t.Fatal(err)
	}
	p := verbatim.Prompt{{Role: "user", Content: []verbatim.Part{
		{Text: "sort"}, {Image: &verbatim.Image{Media: "image/png", Bytes: file.Bytes()}}, {Image: &verbatim.Image{Path: "a.tiff", Media: "image/tiff", Bytes: []byte("II")}},
	}}}
	before := p[0].Content[1].Image
	if !shortenPrompt(&p) {
		t.Error("the prompt is not named as cut")
	}
	if size, _, err := image.DecodeConfig(bytes.NewReader(p[0].Content[1].Image.Bytes)); err != nil || size.Width != 256 {
		t.Errorf("the picture has %d pixels, %v", size.Width, err)
	}
	if got := p[0].Content[2].Image; got.Path != "a.tiff" || got.Bytes != nil {
		t.Errorf("a picture that cannot be read became %+v", got)
	}
	if len(before.Bytes) != file.Len() {
		t.Error("the record's own picture changed")
	}
}
