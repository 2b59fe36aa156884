package nano

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// TestLoad wants the network that the training makes.
func TestLoad(t *testing.T) {
	n := load(t)
	if len(n.layers) != 4 || n.heads != 4 || n.hidden != 256 || n.tokens.columns != 128 {
		t.Errorf("%d layers of %d heads, %d wide and %d hidden", len(n.layers), n.heads, n.tokens.columns, n.hidden)
	}
	if len(n.words) < 100 || len(n.phrases) != 12 {
		t.Errorf("%d words and %d phrases", len(n.words), len(n.phrases))
	}
}

// TestParse reads every table from its place.
func TestParse(t *testing.T) {
	h := tinyHeader()
	data := h.file(t, 1)
	n, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	// The last byte of the file is the last weight of the last row.
	down := n.layers[1].down.weights
	if got, want := down[len(down)-1], float32(int8(data[len(data)-1]))*0.004; got != want {
		t.Errorf("the last weight is %g, want %g", got, want)
	}
	// Before the first weight are the scales of its table.
	at := len(data) - int(h.size()) + 4*h.tokens()
	if got, want := n.tokens.row(0)[0], float32(int8(data[at]))*0.004; got != want {
		t.Errorf("the first weight is %g, want %g", got, want)
	}
	if got := n.layers[0].gains; len(got) != 2 || got[0] != 2 || got[1] != 2 {
		t.Errorf("the gains are %v, want 2 and 2", got)
	}
}

// TestParseErrors spoils a good file in every way, and wants an error that says which.
func TestParseErrors(t *testing.T) {
	good := tinyHeader().file(t, 1)
	with := func(change func(h *header)) []byte {
		h := tinyHeader()
		change(&h)
		return h.start(t)
	}
	scaled := func(at int, v float32) []byte {
		b := bytes.Clone(good)
		h := tinyHeader()
		binary.LittleEndian.PutUint32(b[len(b)-int(h.size())+at:], math.Float32bits(v))
		return b
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "does not begin with"},
		{"another file", []byte("verbatim nano 2\n....."), "does not begin with"},
		{"no length", good[:len(magic)+3], "unexpected EOF"},
		{"a cut header", good[:len(magic)+10], "unexpected EOF"},
		{"a long header", append([]byte(magic), 0xff, 0xff, 0xff, 0xff, '{'), "unexpected EOF"},
		{"no JSON", append([]byte(magic), 1, 0, 0, 0, 'x'), "invalid character"},
		{"two values", append([]byte(magic), 4, 0, 0, 0, '{', '}', '{', '}'), "more than one JSON value"},
		{"an unknown field", append([]byte(magic), 7, 0, 0, 0, '{', '"', 'x', '"', ':', '1', '}'), "unknown field"},
		{"no layers", with(func(h *header) { h.Layers = 0 }), "0 layers: want 1 to 64"},
		{"many layers", with(func(h *header) { h.Layers = 1 << 40 }), "layers: want"},
		{"a wide network", with(func(h *header) { h.Width = 4096 }), "4096 width: want 8 to 1024"},
		{"no heads", with(func(h *header) { h.Heads = 0 }), "0 heads"},
		{"heads that do not fit", with(func(h *header) { h.Heads = 3 }), "heads of a power of two"},
		{"small heads", with(func(h *header) { h.Heads = 8 }), "heads of a power of two"},
		{"heads of no power of two", with(func(h *header) { h.Width = 48 }), "heads of a power of two"},
		{"an odd hidden width", with(func(h *header) { h.Hidden = 12 }), "a hidden width of 12"},
		{"no places", with(func(h *header) { h.Rests = 0 }), "0 rests"},
		{"a negative base", with(func(h *header) { h.Base = -1 }), "a base of -1"},
		{"a word in capitals", with(func(h *header) { h.Words[0] = "A" }), `"A" is not a word`},
		{"a word beyond ASCII", with(func(h *header) { h.Words[0] = "é" }), `"é" is not a word`},
		{"an empty word", with(func(h *header) { h.Words[0] = "" }), `"" is not a word`},
		{"a word twice", with(func(h *header) { h.Words[1] = "a" }), `"a" and "a" are not in order`},
		{"an empty phrase", with(func(h *header) { h.Phrases[1] = "" }), "empty or is there twice"},
		{"a phrase twice", with(func(h *header) { h.Phrases[1] = h.Phrases[0] }), "empty or is there twice"},
		{"a byte missing", good[:len(good)-1], "follow the header"},
		{"a byte more", append(bytes.Clone(good), 0), "follow the header"},
		{"a scale that is no number", scaled(0, float32(math.NaN())), "a scale or gain of NaN"},
		{"an infinite scale", scaled(0, float32(math.Inf(1))), "a scale or gain of +Inf"},
	} {
		n, err := parse(c.data)
		if err == nil || n != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
}

// TestSums wants nano.sha256 to hold the sums of the weights and of the log of
// their training, so that neither is changed without the other.
func TestSums(t *testing.T) {
	var want string
	for _, name := range []string{"nano.bin", "nano.log"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want += fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name)
	}
	got, err := os.ReadFile("nano.sha256")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("nano.sha256 holds\n%swant\n%sThe three files are written together: run nano/export.py", got, want)
	}
}

// FuzzParse reads files of any bytes. What is read must answer.
func FuzzParse(f *testing.F) {
	good := tinyHeader().file(f, 1)
	f.Add(good)
	f.Add(good[:100])
	f.Add(tinyHeader().start(f))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := parse(data)
		if (n == nil) == (err == nil) {
			t.Fatalf("a network: %v, an error: %v", n != nil, err)
		}
		if err == nil {
			checkAnswer(t, n, userSays(`the "a"`), 3, Sampling{Temperature: 1})
		}
	})
}
