package nano

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"verbatim"
	"verbatim/internal/pylit"
	"verbatim/internal/task"
)

func message(role, text string) verbatim.Message {
	return verbatim.Message{Role: role, Content: []verbatim.Part{{Text: text}}}
}

func userSays(text string) verbatim.Prompt { return verbatim.Prompt{message("user", text)} }

func load(t testing.TB) *Network {
	t.Helper()
	n, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// tinyHeader describes a network that is small and complete.
func tinyHeader() header {
	return header{
		Layers: 2, Width: 32, Heads: 2, Hidden: 16, Base: 1000, Indexes: 6, Fields: 3, Rests: 5,
		Words:   []string{"a", "don't", "reverse", "the"},
		Phrases: []string{"Reverse it.", "Reverse it. Now:", "Sort the following list:"},
	}
}

// start writes a file of weights up to the tables.
func (h header) start(t testing.TB) []byte {
	t.Helper()
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	b := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
	return append(b, text...)
}

// file writes a file of weights drawn from the seed.
func (h header) file(t testing.TB, seed uint64) []byte {
	t.Helper()
	b := h.start(t)
	r := rand.New(rand.NewPCG(seed, 0))
	floats := func(n int, value float32) {
		for range n {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(value))
		}
	}
	matrix := func(rows, columns int) {
		floats(rows, 0.004)
		for range rows * columns {
			b = append(b, byte(r.Uint32()))
		}
	}
	for _, rows := range []int{h.tokens(), h.Indexes, h.Fields, h.Rests} {
		matrix(rows, h.Width)
	}
	for range h.Layers {
		floats(h.Heads, 2)
		for range 4 {
			matrix(h.Width, h.Width)
		}
		matrix(h.Hidden, h.Width)
		matrix(h.Width, h.Hidden)
	}
	return b
}

// tiny returns a network of random weights. Its answers are noise, and end at
// times.
func tiny(t testing.TB) *Network {
	t.Helper()
	n, err := parse(tinyHeader().file(t, 1))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// An item is a prompt with the answer that it wants.
type item struct {
	prompt    verbatim.Prompt
	want      string
	maxTokens int
}

// draw draws items of a family as 'verbatim items' does.
func draw(t testing.TB, family string, length, count int, paraphrase string) []item {
	t.Helper()
	p, err := task.Plan(task.Request{
		Tasks:   []string{family},
		Lengths: []verbatim.Lengths{{Min: length, Max: length}},
		Items:   count,
		Seed:    1 << 51, // far from the seeds of training and of runs
		Variant: verbatim.Variant{Paraphrase: paraphrase},
	})
	if err != nil {
		t.Fatal(err)
	}
	d, err := task.Open(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	var items []item
	for at, ok := d.Next(); ok; at, ok = d.Next() {
		it, err := d.Item(at)
		if err != nil {
			t.Fatal(err)
		}
		want := it.Want.Text
		if it.Want.IsList() {
			want = pylit.Format(it.Want.List)
		}
		items = append(items, item{d.Prompt(it), want, task.MaxTokens(it, 0)})
	}
	if len(items) != count {
		t.Fatalf("%d items of %s were drawn, want %d", len(items), family, count)
	}
	return items
}
