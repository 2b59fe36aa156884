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

// exp returns e to the power of x, for x of at most 0, to the precision of float32. For NaN it
// returns 0.
//
// The last bit of math.Exp differs between architectures, since it is assembly on some. This function
// consists of additions, multiplications and a shift, each rounded by itself.
func exp(x float32) float32 {
	// Below -87 the power is subnormal, and some machines replace such numbers by 0.
	if !(x > -87) {
		return 0
	}
	// x is k·ln 2 + r, and r is at most half of ln 2. ln 2 is the sum of two constants; the first
	// has few bits, so that its product with k is exact.
	k := float32(int32(float32(x*math.Log2E) - 0.5))
	r := x - float32(k*0.693359375)
	r += float32(k * 2.12194440e-4)
	// The polynomial of Moshier's Cephes library, whose error is half a unit in the last place.
	p := float32(1.9875691500e-4)
	p = float32(p*r) + 1.3981999507e-3
	p = float32(p*r) + 8.3334519073e-3
	p = float32(p*r) + 4.1665795894e-2
	p = float32(p*r) + 1.6666665459e-1
	p = float32(p*r) + 5.0000001201e-1
	p = float32(float32(p*r)*r) + r + 1
	return float32(p * math.Float32frombits(uint32(int32(k)+127)<<23))
}

// Context is the largest number of tokens of a prompt and its answer together.
const Context = 1024

// A place is the position of a token in its text or list, so that the network can find tokens by
// counting: the third character of a text, the last but one, the second item of a list. Tokens of
// instructions have the zero place. Numbers beyond the tables of the network use the last row.
type place struct {
	index int32 // in the content or the answer, from 1
	field int32 // the item of a list, or the number of a sum
	rest  int32 // tokens to the end of the field, this one included; 0 in an answer
}

// A counter gives the tokens of a list or an answer their places, in order.
type counter struct{ index, field int32 }

// next returns the place of the next token. A mark begins a field.
func (c *counter) next(t token) place {
	c.index++
	if t.isMark() {
		c.field++
	}
	return place{index: c.index, field: c.field}
}

// setRests sets the rests of the tokens of a list: the numbers of tokens to the next mark, or to the
// end.
func setRests(tokens []token, places []place) {
	rest := int32(0)
	for i := len(tokens) - 1; i >= 0; i-- {
		rest++
		places[i].rest = rest
		if tokens[i].isMark() {
			rest = 0
		}
	}
}
