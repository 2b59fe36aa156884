package nano

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// trained is the file of weights. Next to it are the log of the training, nano.log, and the checksums
// of both, nano.sha256.
//
//go:embed nano.bin
var trained []byte

// Load reads the embedded weights, which takes a millisecond or two. An error means that the program
// was built with a wrong file.
func Load() (*Network, error) {
	n, err := parse(trained)
	if err != nil {
		return nil, fmt.Errorf("nano.bin: %w", err)
	}
	sum := sha256.Sum256(trained)
	n.fingerprint = hex.EncodeToString(sum[:6])
	return n, nil
}

// magic begins a file of weights. After it are the length of the header as four bytes, the lowest
// first; the header; and the tables, in the order in which parse reads them.
const magic = "verbatim nano 1\n"

// A header has the sizes of the tables of weights, and the vocabulary.
type header struct {
	Layers  int      `json:"layers"`
	Width   int      `json:"width"`
	Heads   int      `json:"heads"`
	Hidden  int      `json:"hidden"`
	Base    float64  `json:"base"` // of the angles of positions
	Indexes int      `json:"indexes"`
	Fields  int      `json:"fields"`
	Rests   int      `json:"rests"`
	Words   []string `json:"words"`
	Phrases []string `json:"phrases"`
	Steps   int      `json:"steps"` // of training
}

// parse reads a file of weights. The order of the tables is that of the calls in the literals, which
// Go evaluates from left to right.
func parse(data []byte) (*Network, error) {
	h, data, err := parseHeader(data)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if size := h.size(); int64(len(data)) != size {
		return nil, fmt.Errorf("the tables take %d bytes, and %d follow the header", size, len(data))
	}
	t := &tables{data: data}
	n := &Network{
		vocabulary: newVocabulary(h.Words, h.Phrases),
		heads:      h.Heads,
		hidden:     h.Hidden,
		rotations:  rotations(h.Base, h.pairs()),
		tokens:     t.matrix(h.tokens(), h.Width),
		indexes:    t.matrix(h.Indexes, h.Width),
		fields:     t.matrix(h.Fields, h.Width),
		rests:      t.matrix(h.Rests, h.Width),
	}
	for range h.Layers {
		n.layers = append(n.layers, layer{
			gains:  t.floats(h.Heads),
			query:  t.matrix(h.Width, h.Width),
			key:    t.matrix(h.Width, h.Width),
			value:  t.matrix(h.Width, h.Width),
			result: t.matrix(h.Width, h.Width),
			up:     t.matrix(h.Hidden, h.Width),
			down:   t.matrix(h.Width, h.Hidden),
		})
	}
	if t.err != nil {
		return nil, t.err
	}
	return n, nil
}

// parseHeader returns the header of a file of weights, and the rest of the file.
func parseHeader(data []byte) (h header, rest []byte, err error) {
	data, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return h, nil, fmt.Errorf("the file does not begin with %q", magic)
	}
	if len(data) < 4 {
		return h, nil, io.ErrUnexpectedEOF
	}
	size := binary.LittleEndian.Uint32(data)
	if data = data[4:]; uint64(size) > uint64(len(data)) {
		return h, nil, io.ErrUnexpectedEOF
	}
	dec := json.NewDecoder(bytes.NewReader(data[:size]))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&h); err != nil {
		return h, nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return h, nil, errors.New("there is more than one JSON value")
	}
	return h, data[size:], h.check()
}

// check returns an error for sizes that the network cannot have. dot needs multiples of 8, and
// rotations a power of two.
func (h *header) check() error {
	for _, n := range []struct {
		name            string
		value, min, max int
	}{
		{"layers", h.Layers, 1, 64},
		{"width", h.Width, 8, 1024},
		{"heads", h.Heads, 1, 64},
		{"hidden", h.Hidden, 8, 4096},
		{"indexes", h.Indexes, 1, 4096},
		{"fields", h.Fields, 1, 4096},
		{"rests", h.Rests, 1, 4096},
		{"steps", h.Steps, 0, math.MaxInt},
		{"words and phrases", len(h.Words) + len(h.Phrases), 0, 1 << 15},
	} {
		if n.value < n.min || n.value > n.max {
			return fmt.Errorf("%d %s: want %d to %d", n.value, n.name, n.min, n.max)
		}
	}
	switch pairs := h.pairs(); {
	case h.Width != 2*pairs*h.Heads || pairs < 4 || pairs&(pairs-1) != 0:
		return fmt.Errorf("%d heads in a width of %d: want heads of a power of two, at least 8", h.Heads, h.Width)
	case h.Hidden%8 != 0:
		return fmt.Errorf("a hidden width of %d: want a multiple of 8", h.Hidden)
	case !(h.Base >= 1 && h.Base <= 1e9):
		return fmt.Errorf("a base of %g: want 1 to 1e9", h.Base)
	}
	return h.checkWords()
}

// checkWords returns an error for words and phrases that would never be found.
func (h *header) checkWords() error {
	for i, w := range h.Words {
		switch {
		case !isWord(w):
			return fmt.Errorf("%q is not a word of lower-case letters, digits and apostrophes", w)
		case i > 0 && w <= h.Words[i-1]:
			return fmt.Errorf("the words %q and %q are not in order", h.Words[i-1], w)
		}
	}
	seen := map[string]bool{"": true}
	for _, p := range h.Phrases {
		if seen[p] {
			return fmt.Errorf("the phrase %q is empty or is there twice", p)
		}
		seen[p] = true
	}
	return nil
}

func isWord(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isWordByte(c) || c >= 0x80 || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return s != ""
}

// pairs returns the number of pairs of a head that are turned.
func (h *header) pairs() int { return h.Width / h.Heads / 2 }

// tokens returns the size of the vocabulary.
func (h *header) tokens() int { return int(firstWord) + len(h.Words) + len(h.Phrases) }

// size returns the number of bytes of the tables.
func (h *header) size() int64 {
	matrix := func(rows, columns int) int64 { return int64(rows) * int64(columns+4) }
	layer := int64(4*h.Heads) + 4*matrix(h.Width, h.Width) + matrix(h.Hidden, h.Width) + matrix(h.Width, h.Hidden)
	return matrix(h.tokens()+h.Indexes+h.Fields+h.Rests, h.Width) + int64(h.Layers)*layer
}

// tables reads the tables of a file one after the other. The caller has checked their size. err is the
// first error.
type tables struct {
	data []byte
	err  error
}

// floats reads n numbers.
func (t *tables) floats(n int) []float32 {
	f := make([]float32, n)
	for i := range f {
		f[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.data[4*i:]))
		if !(math.Abs(float64(f[i])) <= 1e6) && t.err == nil {
			t.err = fmt.Errorf("a scale or gain of %g: want a small number", f[i])
		}
	}
	t.data = t.data[4*n:]
	return f
}

// matrix reads a scale for each row, and then the rows: one byte for each weight.
func (t *tables) matrix(rows, columns int) matrix {
	m := matrix{columns, make([]float32, rows*columns)}
	for i, scale := range t.floats(rows) {
		row := m.row(i)
		for j, b := range t.data[i*columns:][:columns] {
			row[j] = float32(float32(int8(b)) * scale)
		}
	}
	t.data = t.data[rows*columns:]
	return m
}
