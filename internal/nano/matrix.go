package nano

import "math"

// A matrix holds the weights of a row of outputs, or the embeddings of a table.
type matrix struct {
	columns int
	weights []float32 // row after row
}

func (m matrix) row(i int) []float32 { return m.weights[i*m.columns:][:m.columns] }

// rowOrLast returns a row of a table, the last one for all rows beyond it.
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
// Eight sums at a time keep a processor busy. What is added to what, and when, is
// part of what the network computes: another order would round otherwise.
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
