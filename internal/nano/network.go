package nano

import (
	"math"
	"slices"
	"sync"
)

// A Network is a trained transformer with its vocabulary. It is immutable and safe
// for concurrent use.
//
// Its layers are those of GPT-2 with later improvements: norms without weights, also of queries and
// keys (Henry et al. 2020), rotary positions (Su et al. 2021), squared rectifiers (So et al. 2021),
// and embeddings of the position of a token in its field (McLeish et al. 2024).
type Network struct {
	vocabulary
	tokens, indexes, fields, rests matrix // embeddings, which are added
	layers                         []layer
	heads, hidden                  int
	fingerprint                    string
	rotations                      []rotation
	states                         sync.Pool // of *state, to use their memory again
}

// Fingerprint identifies the weights: the first twelve hexadecimal digits of the
// SHA-256 of their file. It is empty for weights that are not the embedded ones.
func (n *Network) Fingerprint() string { return n.fingerprint }

// A layer holds the weights of one layer.
type layer struct {
	gains                     []float32 // of the scores of each head
	query, key, value, result matrix
	up, down                  matrix
}

// A state is the state of one answer: the keys and values of the tokens that were read, and the
// vectors of the computation.
type state struct {
	length   int       // tokens read
	memories []memory  // of each layer
	x        []float32 // the residual stream of the token
	h        []float32 // x, normalized; then the output of one half of a layer
	query    []float32
	heard    []float32 // the result of all heads
	hidden   []float32
	weights  []float32 // attention weights of the tokens read, in one head
	logits   []float32 // of the next token, if they are requested
}

// A memory holds the keys and values of a layer, a row for each token read.
type memory struct{ keys, values []float32 }

// newState returns a state that has read nothing. release makes its memory available again.
func (n *Network) newState() *state {
	s, ok := n.states.Get().(*state)
	if !ok {
		width := n.tokens.columns
		s = &state{
			memories: make([]memory, len(n.layers)),
			x:        make([]float32, width),
			h:        make([]float32, width),
			query:    make([]float32, width),
			heard:    make([]float32, width),
			hidden:   make([]float32, n.hidden),
			logits:   make([]float32, endToken+1),
		}
	}
	s.length = 0
	for i, m := range s.memories {
		s.memories[i] = memory{m.keys[:0], m.values[:0]}
	}
	return s
}

func (n *Network) release(s *state) { n.states.Put(s) }

// read reads a token. With logits it computes those of the next token; without, it stops in the last
// layer after the key and the value.
func (n *Network) read(s *state, t token, at place, logits bool) {
	copy(s.x, n.tokens.row(int(t)))
	add(s.x, n.indexes.rowOrLast(at.index))
	add(s.x, n.fields.rowOrLast(at.field))
	add(s.x, n.rests.rowOrLast(at.rest))
	s.length++
	for i := range n.layers {
		l, m := &n.layers[i], &s.memories[i]
		n.remember(s, l, m)
		if i == len(n.layers)-1 && !logits {
			return
		}
		n.attend(s, l, m)
		s.think(l)
	}
	normalize(s.h, s.x)
	n.tokens.times(s.logits, s.h)
}

// think adds the feed-forward part of a layer to x.
func (s *state) think(l *layer) {
	normalize(s.h, s.x)
	l.up.times(s.hidden, s.h)
	for j, v := range s.hidden {
		v = max(v, 0)
		s.hidden[j] = float32(v * v)
	}
	l.down.times(s.h, s.hidden)
	add(s.x, s.h)
}

// remember adds the key and the value of the token to the memory of a layer.
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

// attend adds the attention part of a layer to x: for each head, the mean of the values of the tokens
// read so far, this one included, weighted by the products of their keys with the query.
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

// point normalizes a head's part of a query or key, turns it by the position of the token, and returns
// it. It changes v.
func (n *Network) point(s *state, v []float32, head int) []float32 {
	size := len(v) / n.heads
	v = v[head*size:][:size]
	normalize(v, v)
	turn(v, n.rotations[(s.length-1)*size/2:][:size/2])
	return v
}

// weigh sets the attention weights of a head, before they are divided by their sum. keys begins with
// the head's part of the first key; the next one is a width after it.
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

// hear sets out to the weighted mean of a head's values. It computes eight components at a time, which
// stay in registers.
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
