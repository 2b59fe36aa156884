package nano

import "math"

// A rotation turns a pair of numbers by an angle.
type rotation struct{ cos, sin float32 }

// rotations returns the rotation of each pair of a head, for each position in the Context: pair j
// turns by position · base^(-j/pairs). pairs is a power of two, so that square roots are enough for
// the powers of the base.
//
// The last bits of math.Cos, math.Sin and math.Pow differ between architectures. So the angle of a
// position is the previous one turned once more, and the first angle is computed by its series.
func rotations(base float64, pairs int) []rotation {
	ratio := 1 / base
	for n := pairs; n > 1; n /= 2 {
		ratio = math.Sqrt(ratio)
	}
	all := make([]rotation, Context*pairs)
	speed := 1.0
	for j := range pairs {
		stepCos, stepSin := cosSin(speed)
		cos, sin := 1.0, 0.0
		for at := j; at < len(all); at += pairs {
			all[at] = rotation{float32(cos), float32(sin)}
			cos, sin = float64(cos*stepCos)-float64(sin*stepSin), float64(sin*stepCos)+float64(cos*stepSin)
		}
		speed = float64(speed * ratio)
	}
	return all
}

// cosSin returns cosine and sine of an angle of at most 1, by their series.
func cosSin(angle float64) (cos, sin float64) {
	term := 1.0
	for i := 0; i < 24; i += 4 {
		cos += term
		term = float64(term*angle) / float64(i+1)
		sin += term
		term = float64(term*angle) / float64(i+2)
		cos -= term
		term = float64(term*angle) / float64(i+3)
		sin -= term
		term = float64(term*angle) / float64(i+4)
	}
	return cos, sin
}

// turn turns the pairs of a head in place. A pair is a number of the first half and the one at the
// same index in the second half.
func turn(head []float32, by []rotation) {
	first, second := head[:len(by)], head[len(by):]
	for j, r := range by {
		a, b := first[j], second[j]
		first[j] = float32(a*r.cos) - float32(b*r.sin)
		second[j] = float32(a*r.sin) + float32(b*r.cos)
	}
}
