package nano

import "math"

// A matrix has a row of weights for each output, or a row for each embedding.
type matrix struct {
	columns int
	weights []float32 // row after row
}

func (m matrix) row(i int) []float32 { return m.weights[i*m.columns:][:m.columns] }

// rowOrLast returns a row, or the last one if there are fewer.
func (m matrix) rowOrLast(i int32) []float32 {
	return m.row(min(int(i), len(m.weights)/m.columns-1))
}

// times sets out to the product of the matrix and x.
func (m matrix) times(out, x []float32) {
	for i := range out {
		out[i] = dot(m.row(i), x)
	}
}

// dot returns the inner product of two vectors whose length is a multiple of 8.
//
// Eight independent sums use a processor well. The order of the additions is a part of the network:
// another order would round differently.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(a) >= 8 && len(b) >= 8 {
		s0 += float32(a[0] * b[0])
		s1 += float32(a[1] * b[1])
		s2 += float32(a[2] * b[2])
		s3 += float32(a[3] * b[3])
		s4 += float32(a[4] * b[4])
		s5 += float32(a[5] * b[5])
		s6 += float32(a[6] * b[6])
		s7 += float32(a[7] * b[7])
		a, b = a[8:], b[8:]
	}
	return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}

// add adds b to a.
func add(a, b []float32) {
	for i := range a {
		a[i] += b[i]
	}
}

// normalize sets out to x, scaled to a mean square of 1.
func normalize(out, x []float32) {
	mean := float64(dot(x, x) / float32(len(x)))
	scale := float32(1 / math.Sqrt(mean+1e-6))
	for i := range out {
		out[i] = float32(x[i] * scale)
	}
}
