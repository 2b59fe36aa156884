package task

import (
	"bytes"
	"cmp"
	"errors"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"verbatim"
	"verbatim/internal/draw"
)

// fullest is the largest area of the squares around the shapes of a picture, in pixels. Such squares
// can always be placed.
const fullest = pictureSide * pictureSide / 3

// The sides of the squares around shapes, in pixels. A shape with the side 7 has 24 pixels or more.
const (
	smallestSide = 7
	largestSide  = 180
)

// pictureSize asks for the letters of shapes in the order of their areas. The fact "ratio" is the ratio
// of an area to the next smaller one.
func pictureSize() verbatim.Family {
	return pictures(verbatim.Family{
		Name: "hard-image-size", Doc: "sort the shapes of a picture by their area",
		About: "The picture has 512 × 512 pixels, in black and white. The fact ratio is by how much each area exceeds the next smaller one, and shape is the form of all shapes. A model that cannot see gets skipped.",
		Knobs: []verbatim.Knob{{Fact: "ratio", Values: []string{"2", "1.5", "1.3", "1.2", "1.1", "1.05"}}},
		Task:  "Image-Size", Wordings: sizeWordings(), DefaultLengths: []int{2, 4, 8, 16}, Max: 20,
	}, func(r *rand.Rand, n int) (scene, bool) {
		shape := shapes()[r.IntN(len(shapes()))]
		type choice struct {
			ratio     float64
			low, high int // sides of the smallest shape
		}
		var open []choice
		for _, ratio := range []float64{2, 1.5, 1.3, 1.2, 1.1, 1.05} {
			step := math.Sqrt(ratio)
			growth := math.Pow(ratio, float64(n))
			low := max(smallestSide, int(math.Ceil(1/(step-1)))+1) // sides differ by a pixel or more
			high := min(math.Sqrt(fullest*(ratio-1)/(growth-1)), largestSide/math.Pow(step, float64(n-1)))
			if float64(low) <= high {
				open = append(open, choice{ratio, low, int(high)})
			}
		}
		c := open[r.IntN(len(open))]
		side := float64(c.low + r.IntN(c.high-c.low+1))
		s := scene{shape: shape, facts: map[string]string{"ratio": strconv.FormatFloat(c.ratio, 'f', -1, 64)}}
		for range n {
			s.sides = append(s.sides, int(math.Round(side)))
			side *= math.Sqrt(c.ratio)
		}
		for i := range n - 1 {
			if float64(shape.area(s.sides[i+1])) < (1+0.6*(c.ratio-1))*float64(shape.area(s.sides[i])) {
				return s, false // they are too close after rounding
			}
		}
		return s, true
	})
}

// pictureReference asks for the letters of shapes by the difference of their areas from that of the
// shape R. The fact "gap" is about the distance of neighbouring differences, as a share of R's area.
func pictureReference() verbatim.Family {
	return pictures(verbatim.Family{
		Name: "hard-image-reference", Doc: "sort the shapes of a picture by how near their area is to the area of one of them",
		About: "The length does not count the shape R. The fact gap is by which share of the area of R the distances of two neighbours differ, about; it is never below 0.1. Some shapes are smaller than R, and some larger.",
		Knobs: []verbatim.Knob{{Fact: "gap", Values: []string{"0.3", "0.2", "0.14"}}},
		Task:  "Image-Reference", Wordings: referenceWordings(), DefaultLengths: []int{2, 4, 6, 8}, Max: 10,
	}, func(r *rand.Rand, n int) (scene, bool) {
		shape := shapes()[r.IntN(len(shapes()))]
		gaps := []float64{0.3, 0.2, 0.14}
		gap := gaps[r.IntN(len(gaps))]
		reference := 30 + r.IntN(40)
		area := float64(shape.area(reference))
		s := scene{shape: shape, facts: map[string]string{"gap": strconv.FormatFloat(gap, 'f', -1, 64)}, reference: reference}
		full, sides := reference*reference, [2]int{}
		for i := range n {
			distance := gap * (float64(i) + 0.5 + 0.2*r.Float64())
			above := r.IntN(2)
			if distance > 0.85 {
				above = 1
			}
			side := shape.sideFor(area * (1 + distance*float64(2*above-1)))
			if side < smallestSide || side > largestSide {
				return s, false
			}
			sides[above]++
			full += side * side
			s.sides = append(s.sides, side)
		}
		distances := s.distances()
		for i := range n - 1 {
			if distances[i+1]-distances[i] < int(math.Ceil(area/10)) {
				return s, false
			}
		}
		return s, full <= fullest && sides[0] > 0 && sides[1] > 0 && distances[0] > 0
	})
}

// A scene has the shapes of a picture in the right order.
type scene struct {
	shape     Shape
	sides     []int
	reference int // the side of the shape R; 0: no reference
	facts     map[string]string
}

// distances returns the differences of the areas from that of the reference, in pixels.
func (s scene) distances() (list []int) {
	area := s.shape.area(s.reference)
	for _, side := range s.sides {
		d := s.shape.area(side) - area
		list = append(list, max(d, -d))
	}
	return list
}

// attempts bounds the scenes that are drawn until one is possible.
const attempts = 10_000

// pictures sets the fields of a family with pictures. The function drawScene returns false if a scene is not
// possible.
func pictures(f verbatim.Family, drawScene func(r *rand.Rand, n int) (scene, bool)) verbatim.Family {
	f = family(f, nil)
	f.Unit = "shapes"
	f.Item = func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
		n := drawLength(r, k.Length)
		for range attempts {
			s, ok := drawScene(r, n)
			if !ok {
				continue
			}
			if it, ok := s.item(r, f, k); ok {
				return it, nil
			}
		}
		return verbatim.Item{}, errors.New("no picture could be drawn")
	}
	return f
}

// item draws the picture and makes the item. It returns false if the shapes do not fit.
func (s scene) item(r *rand.Rand, f verbatim.Family, k verbatim.Parameters) (it verbatim.Item, ok bool) {
	letters := draw.Distinct(len(s.sides), func() rune {
		for {
			if letter := 'A' + rune(r.IntN(26)); letter != 'R' || s.reference == 0 {
				return letter
			}
		}
	})
	var objects []pictureObject
	var want []string
	for i, side := range s.sides {
		objects = append(objects, pictureObject{Letter: letters[i], Side: side})
		want = append(want, string(letters[i]))
	}
	if s.reference > 0 {
		objects = append(objects, pictureObject{Letter: 'R', Side: s.reference})
	}
	slices.SortStableFunc(objects, func(a, b pictureObject) int { return cmp.Compare(b.Side, a.Side) }) // large ones find a place first
	png, ok := drawPicture(r, s.shape, objects)
	if !ok {
		return it, false
	}
	it = newItem(f.Name, k, len(s.sides), f.Wordings[0], nil, listAnswer(want), listAnswer(sortedBy(want, cmp.Compare[string])))
	it.Facts[verbatim.FactMode] = hardMode
	last := &it.Prompt[len(it.Prompt)-1]
	last.Content = append(last.Content, verbatim.Part{Image: &verbatim.Image{Media: "image/png", Bytes: png}})
	it.Facts["shape"] = string(s.shape)
	maps.Copy(it.Facts, s.facts)
	foreseeReverse(&it)
	if s.reference > 0 {
		foresee(&it, "other_key", "by area", listAnswer(lettersBy(want, objects, func(a, b pictureObject) int { return cmp.Compare(a.Side, b.Side) })))
	}
	foresee(&it, "other_key", "by place, from above", listAnswer(lettersBy(want, objects, func(a, b pictureObject) int {
		return cmp.Or(cmp.Compare(a.At.Y, b.At.Y), cmp.Compare(a.At.X, b.At.X))
	})))
	foresee(&it, "other_key", "by letter", listAnswer(sortedBy(want, cmp.Compare[string])))
	return it, true
}

// lettersBy returns the letters of the right answer in an order of their objects.
func lettersBy(want []string, objects []pictureObject, compare func(a, b pictureObject) int) (letters []string) {
	for _, o := range sortedBy(objects, compare) {
		if letter := string(o.Letter); slices.Contains(want, letter) {
			letters = append(letters, letter)
		}
	}
	return letters
}

func sizeWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{
			System: "Your task is to sort the shapes of a picture. The output must only contain the sorted list of their letters and nothing else, written as in ['B', 'A'].",
			Text:   "The picture shows shapes of one form. Each has a letter to its right. Sort the letters by the area of their shapes in pixels, the smallest first.",
		},
		{
			System: "You put the shapes of a picture into order. Answer with the list of their letters alone, and with nothing else, such as ['B', 'A'].",
			Text:   "Every shape of this picture has a letter on its right side. Order the letters by how many pixels their shapes cover, from the smallest to the largest.",
		},
		{
			System: "You are given a picture of shapes. Give only the ordered list of their letters, in the form ['B', 'A'], without any other text.",
			Text:   "Compare the areas of the shapes in the picture. List the letters that stand to the right of them, beginning with the smallest area.",
		},
		{
			System: "Bring the shapes of a picture into the order that the question asks for. Your output is the list of their letters and nothing else, with the notation ['B', 'A'].",
			Text:   "Which shape of the picture is the smallest, which comes next, and so on up to the largest? Name each by the letter to its right.",
		},
	}
}

func referenceWordings() []verbatim.Wording {
	words := sizeWordings()
	for i, text := range []string{
		"The picture shows shapes of one form. Each has a letter to its right. Sort the letters other than R by how close the area of their shapes is to the area of the shape R, in pixels, the closest first. R is not in the list.",
		"Every shape of this picture has a letter on its right side. Order all letters but R by the difference between the area of their shapes and that of the shape R, the smallest difference first. Leave R out.",
		"Compare the areas of the shapes in the picture with that of the shape R. List the other letters that stand to the right of shapes, beginning with the area that is nearest to that of R.",
		"Which shape of the picture has the area that is closest to that of the shape R, which comes next, and so on? Name each by the letter to its right, and leave R out.",
	} {
		words[i].Text = text
	}
	return words
}

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
		drawLetter(img, o.Letter, image.Pt(o.At.X+o.Side+space, o.middle()-letterHeight/2))
	}
	return img
}

// drawLetter draws a letter. At is its upper left corner.
func drawLetter(img *image.Paletted, letter rune, at image.Point) {
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
