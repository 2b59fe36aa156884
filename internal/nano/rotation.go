package nano

import "math"

// A rotation turns a pair of numbers by an angle.
type rotation struct{ cos, sin float32 }

// rotations returns, for every position in the Context, the rotation of every pair
// of a head: pair j of a position turns by position · base^(-j/pairs). Pairs is a
// power of two, so that square roots alone make the root of the base.
//
// An angle of a position is made of the one before by turning once more, and the
// first by its series: math.Cos, math.Sin and math.Pow are not the same to the last
// bit on all architectures.
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

// turn turns the pairs of a head: those of one number in the first half and one at
// the same place in the second.
func turn(head []float32, by []rotation) {
	first, second := head[:len(by)], head[len(by):]
	for j, r := range by {
		a, b := first[j], second[j]
		first[j] = float32(a*r.cos) - float32(b*r.sin)
		second[j] = float32(a*r.sin) + float32(b*r.cos)
	}
}
