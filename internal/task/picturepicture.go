package task

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"slices"

	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// pictureSide is the width and height of a picture in pixels. Providers scale larger pictures down.
const pictureSide = 512

// The size of a letter, and the space between it and its shape, in pixels. The letters of the
// font have 6 × 13 dots.
const (
	dot          = 2 // the side of a dot
	letterWidth  = 6 * dot
	letterHeight = 13 * dot
	space        = 4
)

// A Shape is the form of all objects of a picture.
type Shape string

// shapes lists the shapes.
func shapes() []Shape { return []Shape{"square", "disc", "diamond", "triangle"} }

// span returns the first pixel of a shape in one row of its square, and the number of pixels.
func (s Shape) span(side, row int) (from, n int) {
	switch s {
	case "disc": // pixels whose centres are inside the circle
		y := 2*row + 1 - side
		n = int(math.Sqrt(float64(side*side - y*y)))
		for n*n > side*side-y*y {
			n--
		}
	case "diamond":
		y := 2*row + 1 - side
		n = side - max(y, -y)
	case "triangle":
		n = row + 1
	default:
		return 0, side
	}
	if (side-n)%2 != 0 { // the space to the left and to the right must be equal
		n--
	}
	n = max(n, 1)
	return (side - n) / 2, n
}

// Area returns the number of pixels of a shape in a square of side pixels.
func (s Shape) area(side int) (area int) {
	for row := range side {
		_, n := s.span(side, row)
		area += n
	}
	return area
}

// SideFor returns the side of the square in which the shape's area is nearest to area.
func (s Shape) sideFor(area float64) int {
	low, high := 1, pictureSide
	for low < high {
		if mid := (low + high) / 2; float64(s.area(mid)) < area {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low > 1 && area-float64(s.area(low-1)) < float64(s.area(low))-area {
		low--
	}
	return low
}

// An Object is a shape in a square of Side pixels, and the letter to its right.
type pictureObject struct {
	Letter rune
	Side   int
	At     image.Point // the upper left corner of the square; Draw sets it
}

// box returns the rectangle of an object with its letter and a margin.
func (o pictureObject) box() image.Rectangle {
	height := max(o.Side, letterHeight)
	return image.Rect(o.At.X, o.middle()-height/2, o.At.X+o.Side+space+letterWidth, o.middle()+(height+1)/2).Inset(-space)
}

// middle returns the row in the middle of the square.
func (o pictureObject) middle() int { return o.At.Y + o.Side/2 }

// pictureAttempts is the number of places that are tried for an object before all objects are placed again.
const pictureAttempts = 300

// drawPicture puts the objects at random places where they do not touch, sets their At, and returns the
// picture as PNG. It returns false if they do not fit. Squares of a third of the picture always fit.
func drawPicture(r *rand.Rand, shape Shape, objects []pictureObject) (data []byte, ok bool) {
	for range 50 {
		if place(r, objects) {
			return encode(paint(shape, objects)), true
		}
	}
	return nil, false
}

// place puts the objects at random places, in their order. It returns false if one finds no place.
func place(r *rand.Rand, objects []pictureObject) bool {
	all := image.Rect(0, 0, pictureSide, pictureSide)
	for i := range objects {
		o := &objects[i]
		for attempt := 0; ; attempt++ {
			if attempt == pictureAttempts {
				return false
			}
			o.At = image.Pt(r.IntN(pictureSide-o.Side), r.IntN(pictureSide-o.Side))
			if box := o.box(); box.In(all) && !slices.ContainsFunc(objects[:i], func(other pictureObject) bool { return other.box().Overlaps(box) }) {
				break
			}
		}
	}
	return true
}

// paint draws the objects in black on white.
func paint(shape Shape, objects []pictureObject) *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, pictureSide, pictureSide), color.Palette{color.White, color.Black})
	for _, o := range objects {
		for row := range o.Side {
			from, n := shape.span(o.Side, row)
			for x := range n {
				img.SetColorIndex(o.At.X+from+x, o.At.Y+row, 1)
			}
		}
		pictureWrite(img, o.Letter, image.Pt(o.At.X+o.Side+space, o.middle()-letterHeight/2))
	}
	return img
}

// pictureWrite draws a letter. At is its upper left corner.
func pictureWrite(img *image.Paletted, letter rune, at image.Point) {
	face := basicfont.Face7x13
	area, mask, from, _, _ := face.Glyph(fixed.P(0, face.Ascent), letter)
	for y := range area.Dy() {
		for x := range area.Dx() {
			if _, _, _, opaque := mask.At(from.X+x, from.Y+y).RGBA(); opaque == 0 {
				continue
			}
			for i := range dot * dot {
				img.SetColorIndex(at.X+x*dot+i%dot, at.Y+y*dot+i/dot, 1)
			}
		}
	}
}

// encode returns the picture as PNG.
func encode(img *image.Paletted) []byte {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, img); err != nil {
		panic("encode a picture in memory: " + err.Error())
	}
	return b.Bytes()
}
