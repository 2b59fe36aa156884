package pylit

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/exhaustive"
)

// TestFloats compares every way of converting floats with strconv's.
func TestFloats(t *testing.T) {
	g := &generator{rand.New(rand.NewPCG(3, 0))}
	for range exhaustive.Of(20_000, 60_000) {
		text := g.float()
		if g.r.IntN(2) == 0 {
			text = fmt.Sprintf("%d.%0*d", g.r.Uint64()>>g.r.IntN(64), g.r.IntN(20), g.r.Uint64()>>g.r.IntN(64))
		}
		if g.r.IntN(8) == 0 { // halfway between two neighbours, or just next to that
			f := math.Float64frombits(g.r.Uint64() >> 1)
			if math.IsNaN(f) || f > 1e300 {
				f = 5e-324
			}
			text = halfway(f) + g.pick([]string{"", "0", "1"})
		}
		if g.r.IntN(8) == 0 { // about the smallest floats
			text = fmt.Sprintf("%d.%de-%d", g.r.IntN(100), g.r.Uint64()>>g.r.IntN(64), 300+g.r.IntN(45))
		}
		want, _ := strconv.ParseFloat(text, 64)
		if got := parseFloat(text); got != want {
			t.Fatalf("parseFloat(%s) = %v, want %v", text, got, want)
		}
		v, err := Parse(text)
		if err != nil || v.Kind() == Float && v.Float64() != want {
			t.Fatalf("Parse(%s) = %v %v, want %v", text, v, err, want)
		}
		digits, exp, _ := significant(strings.TrimSuffix(text, "e0"), 0)
		if !strings.Contains(text, "e") && digits != "" {
			if got := exactFloat(digits, exp); got != want {
				t.Fatalf("exactFloat(%s, %d) = %v, want %v", digits, exp, got, want)
			}
		}
	}
}

// halfway writes the point between f and the next float64, all its digits.
func halfway(f float64) string {
	next := math.Nextafter(f, math.Inf(1))
	x := new(big.Float).SetPrec(3000).SetFloat64(f)
	x.Add(x, big.NewFloat(next))
	x.Quo(x, big.NewFloat(2))
	return strings.TrimRight(x.Text('f', 1100), "0")
}
