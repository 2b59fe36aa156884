package task

import (
	"math"
	"math/rand/v2"
	"strconv"

	"verbatim"
	"verbatim/internal/draw"
)

// ints draws different integers: from min to max as in the names and the paper, or from refMin to
// refMax as in the published code, both ends included.
type ints struct{ min, max, refMin, refMax int64 }

func (l ints) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	low, high := l.min, l.max
	if edition == verbatim.Reference {
		low, high = l.refMin, l.refMax
	}
	space := int(high - low + 1)
	if n > space {
		return nil, tooMany(n, space, "different integers of %d to %d", low, high)
	}
	out := make([]any, n)
	for i, v := range draw.Sample(r, space, n) {
		out[i] = low + int64(v)
	}
	return out, nil
}

// floats draws different floats, uniformly from min up to max; in the reference edition from refMin up
// to refMax.
type floats struct{ min, max, refMin, refMax float64 }

func (l floats) list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error) {
	low, high := l.min, l.max
	if edition == verbatim.Reference {
		low, high = l.refMin, l.refMax
	}
	if space := float32s(float32(low), float32(high)); edition == verbatim.Paper && int64(n) > space {
		return nil, tooMany(n, int(space), "different 32-bit floats of %.0f to %.0f", low, high)
	}
	values := draw.Distinct(n, func() float64 {
		// Without the conversion the product may be fused with the sum, which gives other
		// bytes on other processors.
		x := low + float64(r.Float64()*(high-low))
		if edition == verbatim.Paper {
			x = short(float32(x))
		}
		return x
	})
	return boxed(values), nil
}

// float32s returns the number of 32-bit floats from low to high. High must not be negative. The bits
// of positive floats, read as integers, have the order of their values.
func float32s(low, high float32) int64 {
	if low < 0 {
		return int64(math.Float32bits(-low)) + int64(math.Float32bits(high)) + 1
	}
	return int64(math.Float32bits(high)) - int64(math.Float32bits(low)) + 1
}

// short returns the float64 that prints as the 32-bit x does: the paper's lists have 32-bit floats in
// full decimal notation.
func short(x float32) float64 {
	v, err := strconv.ParseFloat(plainDecimal(float64(x), 32), 64)
	if err != nil {
		panic("a printed float cannot be read: " + err.Error())
	}
	return v
}
