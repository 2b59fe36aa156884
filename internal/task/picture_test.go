package task

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"verbatim"
)

// A seen shape is what a picture shows: connected black pixels, and the letter to their right.
type seen struct {
	letter string
	area   int
	box    image.Rectangle
}

// look finds the shapes of a picture from its pixels alone: letters are the connected parts
// that look like one of the font, everything else is a shape.
func look(t *testing.T, data []byte) []seen {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	size := img.Bounds().Size()
	if size != (image.Point{512, 512}) {
		t.Fatalf("the picture has %v pixels", size)
	}
	pixels, ok := img.(*image.Paletted)
	if !ok {
		t.Fatalf("the picture is a %T", img)
	}
	black := func(p image.Point) bool { return p.In(pixels.Rect) && pixels.ColorIndexAt(p.X, p.Y) == 1 }
	glyphs := glyphs(t)
	var shapes, letters []seen
	done := make([]bool, 512*512)
	for y := range size.Y {
		for x := range size.X {
			if at := image.Pt(x, y); !black(at) || done[at.Y*512+at.X] {
				continue
			}
			part := flood(image.Pt(x, y), black, done)
			if letter, ok := glyphs[drawing(part.points, part.box)]; ok {
				letters = append(letters, seen{letter, 0, part.box})
			} else {
				shapes = append(shapes, seen{"", len(part.points), part.box})
			}
		}
	}
	if len(letters) != len(shapes) {
		t.Fatalf("%d letters, %d shapes", len(letters), len(shapes))
	}
	for i := range shapes {
		s := &shapes[i]
		for _, l := range letters {
			if gap := l.box.Min.X - s.box.Max.X; gap >= 2 && gap <= 10 && l.box.Min.Y < s.box.Max.Y+8 && l.box.Max.Y > s.box.Min.Y-8 {
				if s.letter != "" {
					t.Fatalf("%v has two letters", s.box)
				}
				s.letter = l.letter
			}
		}
		if s.letter == "" || s.area < 24 {
			t.Fatalf("a shape of %d pixels at %v with the letter %q", s.area, s.box, s.letter)
		}
	}
	return shapes
}

type part struct {
	points []image.Point
	box    image.Rectangle
}

// flood collects connected pixels, also over corners.
func flood(from image.Point, black func(image.Point) bool, done []bool) part {
	p := part{points: []image.Point{from}}
	done[from.Y*512+from.X] = true
	for i := 0; i < len(p.points); i++ {
		at := p.points[i]
		p.box = p.box.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
		for i := range 9 {
			next := at.Add(image.Pt(i%3-1, i/3-1))
			if black(next) && !done[next.Y*512+next.X] {
				done[next.Y*512+next.X] = true
				p.points = append(p.points, next)
			}
		}
	}
	return p
}

// drawing is a small part as text.
func drawing(points []image.Point, box image.Rectangle) string {
	if box.Dx() > 14 || box.Dy() > 26 {
		return ""
	}
	row := strings.Repeat(" ", box.Dx()) + "\n"
	b := []byte(strings.Repeat(row, box.Dy()))
	for _, p := range points {
		b[(p.Y-box.Min.Y)*len(row)+p.X-box.Min.X] = '#'
	}
	return string(b)
}

// glyphs draws the letters with the font's own drawer, at double size.
func glyphs(t *testing.T) map[string]string {
	all := map[string]string{}
	for letter := 'A'; letter <= 'Z'; letter++ {
		small := image.NewGray(image.Rect(0, 0, 7, 13))
		(&font.Drawer{Dst: small, Src: image.NewUniform(color.White), Face: basicfont.Face7x13, Dot: fixed.P(0, 11)}).DrawString(string(letter))
		black := func(p image.Point) bool {
			return p.X >= 0 && p.Y >= 0 && p.X < 14 && p.Y < 26 && small.GrayAt(p.X/2, p.Y/2).Y > 0
		}
		done := make([]bool, 512*512)
		for i := range 14 * 26 {
			if at := image.Pt(i%14, i/14); black(at) && !done[at.Y*512+at.X] {
				p := flood(at, black, done)
				all[drawing(p.points, p.box)] = string(letter)
			}
		}
	}
	if len(all) != 26 {
		t.Fatalf("%d letters in one piece", len(all))
	}
	return all
}

// TestPictures: what a picture shows, in pixels, is in the order that the item wants, by the
// ratio or the gap that its facts say.
func TestPictures(t *testing.T) {
	hardItems(t, "hard-image-size", func(it *verbatim.Item, asked string) {
		shapes := look(t, it.Prompt[1].Content[1].Image.Bytes)
		slices.SortFunc(shapes, func(a, b seen) int { return a.area - b.area })
		ratio := factNumber(t, it, "ratio")
		for i := range shapes {
			if shapes[i].letter != it.Want.List[i] {
				t.Errorf("the shapes are %v", shapes)
			}
			if i == 0 {
				continue
			}
			if got := float64(shapes[i].area) / float64(shapes[i-1].area); got < 1+0.6*(ratio-1) || got > 1+2.2*(ratio-1) {
				t.Errorf("%v is %.3f times as large as %v, the ratio is %v", shapes[i], got, shapes[i-1], ratio)
			}
		}
	})
	hardItems(t, "hard-image-reference", func(it *verbatim.Item, asked string) {
		shapes := look(t, it.Prompt[1].Content[1].Image.Bytes)
		at := slices.IndexFunc(shapes, func(s seen) bool { return s.letter == "R" })
		reference := shapes[at].area
		shapes = slices.Delete(shapes, at, at+1)
		distance := func(s seen) int { return max(s.area-reference, reference-s.area) }
		slices.SortFunc(shapes, func(a, b seen) int { return distance(a) - distance(b) })
		below := 0
		for i, s := range shapes {
			if s.letter != it.Want.List[i] {
				t.Errorf("the shapes are %v, R has %d", shapes, reference)
			}
			if i > 0 && 10*(distance(s)-distance(shapes[i-1])) < reference {
				t.Errorf("%v and %v are too near to each other, R has %d", s, shapes[i-1], reference)
			}
			if s.area < reference {
				below++
			}
		}
		if below == 0 || below == len(shapes) {
			t.Error("all shapes are on one side of R")
		}
	})
}

func factNumber(t *testing.T, it *verbatim.Item, name string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(it.Facts[name], 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
