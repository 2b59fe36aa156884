package nano

import "sync"

// A Network is a trained transformer with its vocabulary. It is immutable and safe
// for concurrent use.
//
// Its layers are those of GPT-2, with what was found better since: norms without
// weights, also of queries and keys (Henry et al. 2020), rotary positions (Su et
// al. 2021), squared rectifiers (So et al. 2021), and embeddings that say where in
// its field a token stands (McLeish et al. 2024).
type Network struct {
	vocabulary
	tokens, indexes, fields, rests matrix // embeddings, which add up
	layers                         []layer
	heads, hidden                  int
	fingerprint                    string
	rotations                      []rotation
	states                         sync.Pool // of *state, for their memory
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

// A state is what one answer needs: what was read so far, and room to compute in.
type state struct {
	length       int       // tokens read
	memories     []memory  // of each layer
	x            []float32 // what becomes of the token
	h            []float32 // x, normalized, and then what a half of a layer makes of it
	query, heard []float32 // what the token asks of those read, and what they tell it
	hidden       []float32
	weights      []float32 // of the tokens read, in a head
	logits       []float32 // of the next token, where they are wanted
}

// A memory holds what a layer remembers: a row for each token read.
type memory struct{ keys, values []float32 }

// newState returns a state that has read nothing. To release it keeps its memory
// for the next one.
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

// read reads a token. The logits of what comes after it are computed where they
// are wanted; otherwise the last layer is done when it has its key and its value.
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

// think adds to x what the layer makes of it alone.
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
