package nano

import (
	"math"
	"slices"
)

// remember computes the key and the value of the token in a layer.
func (n *Network) remember(s *state, l *layer, m *memory) {
	normalize(s.h, s.x)
	size, width := len(m.keys), len(s.x)
	m.keys = slices.Grow(m.keys, width)[:size+width]
	m.values = slices.Grow(m.values, width)[:size+width]
	l.key.times(m.keys[size:], s.h)
	l.value.times(m.values[size:], s.h)
	for head := range n.heads {
		n.point(s, m.keys[size:], head)
	}
}

// attend adds to x what the tokens read so far, this one included, have to say to
// it in a layer: each head looks for the keys that are like its query, and hears
// their values.
func (n *Network) attend(s *state, l *layer, m *memory) {
	l.query.times(s.query, s.h)
	for head, gain := range l.gains {
		query := n.point(s, s.query, head)
		gain /= float32(math.Sqrt(float64(len(query))))
		for j := range query {
			query[j] = float32(query[j] * gain)
		}
		from := head * len(query)
		s.weigh(query, m.keys[from:])
		s.hear(s.heard[from:][:len(query)], m.values[from:])
	}
	l.result.times(s.h, s.heard)
	add(s.x, s.h)
}

// point returns a head's part of a query or key, normalized and turned by the
// position of the token, in place.
func (n *Network) point(s *state, v []float32, head int) []float32 {
	size := len(v) / n.heads
	v = v[head*size:][:size]
	normalize(v, v)
	turn(v, n.rotations[(s.length-1)*size/2:][:size/2])
	return v
}

// weigh sets the weights of the tokens read to what a head gives them, before they
// are divided by their sum. The keys are those of the head, each a width after the
// other.
func (s *state) weigh(query, keys []float32) {
	s.weights = slices.Grow(s.weights[:0], s.length)[:s.length]
	top := float32(math.Inf(-1))
	for t := range s.weights {
		score := dot(query, keys[t*len(s.x):][:len(query)])
		if s.weights[t] = score; score > top {
			top = score
		}
	}
	for t, score := range s.weights {
		s.weights[t] = exp(score - top)
	}
}

// hear sets out to the mean of a head's values by their weights. It takes eight
// numbers of all values at a time, which stay in registers.
func (s *state) hear(out, values []float32) {
	var sum float32
	for _, w := range s.weights {
		sum += w
	}
	for from := 0; from < len(out); from += 8 {
		var s0, s1, s2, s3, s4, s5, s6, s7 float32
		at := from
		for _, w := range s.weights {
			v := (*[8]float32)(values[at:])
			s0 += float32(w * v[0])
			s1 += float32(w * v[1])
			s2 += float32(w * v[2])
			s3 += float32(w * v[3])
			s4 += float32(w * v[4])
			s5 += float32(w * v[5])
			s6 += float32(w * v[6])
			s7 += float32(w * v[7])
			at += len(s.x)
		}
		for j, v := range [...]float32{s0, s1, s2, s3, s4, s5, s6, s7} {
			out[from+j] = v / sum
		}
	}
}
