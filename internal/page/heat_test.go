package page

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The text on every colour of the heat map must be readable: WCAG 2.2 asks for a
// contrast of 4.5 to 1, in both schemes.
func TestHeatContrast(t *testing.T) {
	css, err := os.ReadFile("chart.css")
	if err != nil {
		t.Fatal(err)
	}
	pairs := regexp.MustCompile(`--([qp])(\d): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)`).FindAllStringSubmatch(string(css), -1)
	colours := map[string][2]string{}
	for _, p := range pairs {
		colours[p[1]+p[2]] = [2]string{p[3], p[4]}
	}
	if len(colours) != 20 {
		t.Fatalf("%d colours were found, want 20", len(colours))
	}
	for i := range 10 {
		for scheme := range 2 {
			back, text := colours["q"+strconv.Itoa(i)][scheme], colours["p"+strconv.Itoa(i)][scheme]
			if c := contrast(t, back, text); c < 4.5 {
				t.Errorf("step %d, scheme %d: %s on %s has a contrast of %.2f", i, scheme, text, back, c)
			}
		}
	}
}

// contrast is WCAG's.
func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, hex string) float64 {
	hex = strings.TrimPrefix(hex, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
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
