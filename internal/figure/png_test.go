package figure

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"testing"
)

// picture draws a sheet of 100 by 100 points.
func picture(t *testing.T, marks ...any) image.Image {
	t.Helper()
	s := &sheet{width: 100, height: 100, marks: marks}
	var b bytes.Buffer
	if err := writePNG(&b, s); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// dark returns how much of an area of a sheet is covered by black, from 0 to 1.
func dark(img image.Image, a area) float64 {
	const scale = dpi / 72.0
	sum, n := 0.0, 0
	for y := int(a.y * scale); y < int(a.bottom()*scale); y++ {
		for x := int(a.x * scale); x < int(a.right()*scale); x++ {
			r, _, _, _ := img.At(x, y).RGBA()
			sum, n = sum+1-float64(r)/0xffff, n+1
		}
	}
	return sum / float64(n)
}

// TestPNG holds that strokes, discs and words cover what they should.
func TestPNG(t *testing.T) {
	ink := color{0, 0, 0, 1}
	for _, c := range []struct {
		name string
		mark any
		in   area
		want float64
	}{
		{"a filled square", stroke{points: rectangle(20, 20, 40, 40), closed: true, fill: ink}, area{20, 20, 40, 40}, 1},
		{"half translucent", stroke{points: rectangle(20, 20, 40, 40), closed: true, fill: ink.fade(0.5)}, area{20, 20, 40, 40}, 0.5},
		{"nothing next to it", stroke{points: rectangle(20, 20, 40, 40), closed: true, fill: ink}, area{62, 20, 30, 40}, 0},
		{"a line", stroke{points: []point{{10, 50}, {90, 50}}, line: ink, width: 10}, area{11, 46, 78, 8}, 1},
		{"no end beyond its points", stroke{points: []point{{10, 50}, {50, 50}}, line: ink, width: 10}, area{52, 40, 40, 20}, 0},
		{"a dash that is on", stroke{points: []point{{10, 50}, {90, 50}}, line: ink, width: 10, dash: []float64{20, 20}}, area{11, 46, 18, 8}, 1},
		{"one that is off", stroke{points: []point{{10, 50}, {90, 50}}, line: ink, width: 10, dash: []float64{20, 20}}, area{31, 46, 18, 8}, 0},
		{"on again", stroke{points: []point{{10, 50}, {40, 50}, {90, 50}}, line: ink, width: 10, dash: []float64{20, 20}}, area{51, 46, 18, 8}, 1},
		{"a corner", stroke{points: []point{{10, 50}, {50, 50}, {50, 90}}, line: ink, width: 10}, area{48, 48, 4, 4}, 1},
		{"a closed line", stroke{points: rectangle(20, 20, 40, 40), closed: true, line: ink, width: 4}, area{18.5, 24, 3, 30}, 1},
		{"a translucent line", stroke{points: []point{{10, 50}, {50, 50}, {90, 50}}, line: ink.fade(0.5), width: 10}, area{12, 46, 76, 8}, 0.5},
		{"a disc", disc{at: point{50, 50}, r: 30, fill: ink}, area{20, 20, 60, 60}, math.Pi / 4},
		{"a ring", disc{at: point{50, 50}, r: 30, line: ink, width: 4}, area{40, 40, 20, 20}, 0},
		{"segments", segments{list: [][2]point{{{10, 30}, {90, 30}}, {{10, 70}, {90, 70}}}, line: ink, width: 10}, area{11, 66, 78, 8}, 1},
		{"outside", stroke{points: rectangle(-500, -500, 2000, 2000), closed: true, fill: ink}, area{0, 0, 100, 100}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := dark(picture(t, c.mark), c.in); math.Abs(got-c.want) > 0.02 {
				t.Errorf("%.3f of the area is covered, want %.3f", got, c.want)
			}
		})
	}
}

// TestLetters wants words at their positions, however they are turned and anchored: all
// their ink is in the box that the layout assumes.
func TestLetters(t *testing.T) {
	for _, turned := range []float64{0, 45, 90} {
		for _, a := range []anchor{start, middle, end} {
			w := words{at: point{50, 50}, text: "HIHAH", size: 14, color: color{0, 0, 0, 1}, anchor: a, turned: turned}
			img := picture(t, w)
			all, inside := 0.0, 0.0
			box := boxOf(w)
			for y := range 50 {
				for x := range 50 {
					cell := area{float64(2 * x), float64(2 * y), 2, 2}
					d := dark(img, cell)
					all += d
					if d > 0 && touching(box, rectangle(cell.x-1, cell.y-1, 4, 4)) {
						inside += d
					}
				}
			}
			if all < 20 || inside < 0.98*all {
				t.Errorf("turned %g, anchor %d: %.0f of %.0f lies in the box", turned, a, inside, all)
			}
		}
	}
}
