package figure

import (
	"math"
	"strconv"
	"testing"
)

// TestChartLooks wants the first 64 series to differ in colour and dash, and without colour in
// dash and mark.
func TestChartLooks(t *testing.T) {
	colours, marks := make(map[[2]int]int), make(map[[2]int]int)
	for i := range 64 {
		k := LookOf(i)
		if before, twice := colours[[2]int{k.Color, k.Dash}]; twice {
			t.Errorf("series %d and %d have one colour and dash", before, i)
		}
		if before, twice := marks[[2]int{k.Mark, k.Dash}]; twice {
			t.Errorf("series %d and %d have one mark and dash", before, i)
		}
		colours[[2]int{k.Color, k.Dash}], marks[[2]int{k.Mark, k.Dash}] = i, i
	}
}

// TestPalette wants every colour to be seen as a thin line: WCAG 2.2 asks for a contrast
// of 3 to 1, on white paper and on a dark screen.
func TestPalette(t *testing.T) {
	for i, c := range Palette() {
		if got := 1.05 / (luminance(t, c.Light) + 0.05); got < 3 {
			t.Errorf("colour %d has a contrast of %.2f on white", i, got)
		}
		if got := (luminance(t, c.Dark) + 0.05) / (luminance(t, "#121518") + 0.05); got < 3 {
			t.Errorf("colour %d has a contrast of %.2f on a dark screen", i, got)
		}
	}
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) != 7 || hex[0] != '#' {
		t.Fatalf("%q is no colour", hex)
	}
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		v := float64(n) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
