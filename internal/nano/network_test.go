package nano

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"verbatim"
)

// TestNetwork compares the logits with those of the network as it is defined,
// computed again for each token, with float64 and package math.
func TestNetwork(t *testing.T) {
	h := tinyHeader()
	n := tiny(t)
	s := n.sequence(verbatim.Prompt{
		message("system", "the a"),
		message("user", "Reverse it. [1, 2, 345678, 'a', 'b']"), // beyond the tables of places
		message("assistant", "[1"),
		message("user", `"0123456789"`),
	})
	st := n.newState()
	for i, tok := range s.tokens {
		n.read(st, tok, s.places[i], true)
		want := plainLogits(n, h, s.tokens[:i+1], s.places[:i+1])
		for j, got := range st.logits {
			if math.Abs(float64(got)-want[j]) > 1e-4 {
				t.Fatalf("token %d: logit %d is %g, want %g", i, j, got, want[j])
			}
		}
	}
	if st.length != len(s.tokens) || len(st.logits) != int(endToken)+1 {
		t.Errorf("%d of %d tokens read, %d logits", st.length, len(s.tokens), len(st.logits))
	}
}

// TestUnwantedLogits leaves out logits that no caller asks for, which changes nothing later.
func TestUnwantedLogits(t *testing.T) {
	n := tiny(t)
	all, last := n.newState(), n.newState()
	for i, tok := range []token{userToken, 270, textToken, 'a', 'b', assistantToken} {
		n.read(all, tok, place{index: int32(i)}, true)
		n.read(last, tok, place{index: int32(i)}, tok == assistantToken)
	}
	for i, want := range all.logits {
		if last.logits[i] != want {
			t.Fatalf("logit %d is %g, want %g", i, last.logits[i], want)
		}
	}
}

// plainLogits returns the logits after the last token.
func plainLogits(n *Network, h header, tokens []token, places []place) []float64 {
	xs := make([][]float64, len(tokens))
	for i, t := range tokens {
		xs[i] = make([]float64, h.Width)
		for _, row := range [][]float32{
			n.tokens.row(int(t)),
			n.indexes.row(min(int(places[i].index), h.Indexes-1)),
			n.fields.row(min(int(places[i].field), h.Fields-1)),
			n.rests.row(min(int(places[i].rest), h.Rests-1)),
		} {
			for j, v := range row {
				xs[i][j] += float64(v)
			}
		}
	}
	for _, l := range n.layers {
		xs = plainLayer(l, h, xs)
	}
	return plainProduct(n.tokens, plainNorm(xs[len(xs)-1]))[:endToken+1]
}

func plainLayer(l layer, h header, xs [][]float64) [][]float64 {
	size := h.Width / h.Heads
	queries, keys, values := make([][]float64, len(xs)), make([][]float64, len(xs)), make([][]float64, len(xs))
	for i, x := range xs {
		x = plainNorm(x)
		queries[i], keys[i], values[i] = plainProduct(l.query, x), plainProduct(l.key, x), plainProduct(l.value, x)
	}
	out := make([][]float64, len(xs))
	for i := range xs {
		heard := make([]float64, h.Width)
		for head := range h.Heads {
			from, to := head*size, (head+1)*size
			query := plainTurn(plainNorm(queries[i][from:to]), h.Base, i)
			sum := 0.0
			for k := range i + 1 {
				score := 0.0
				for j, v := range plainTurn(plainNorm(keys[k][from:to]), h.Base, k) {
					score += v * query[j]
				}
				weight := math.Exp(score * float64(l.gains[head]) / math.Sqrt(float64(size)))
				sum += weight
				for j, v := range values[k][from:to] {
					heard[from+j] += weight * v
				}
			}
			for j := from; j < to; j++ {
				heard[j] /= sum
			}
		}
		x := plainSum(xs[i], plainProduct(l.result, heard))
		hidden := plainProduct(l.up, plainNorm(x))
		for j, v := range hidden {
			hidden[j] = max(v, 0) * max(v, 0)
		}
		out[i] = plainSum(x, plainProduct(l.down, hidden))
	}
	return out
}

func plainProduct(m matrix, x []float64) []float64 {
	out := make([]float64, len(m.weights)/m.columns)
	for i := range out {
		for j, w := range m.row(i) {
			out[i] += float64(w) * x[j]
		}
	}
	return out
}

func plainSum(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] + b[i]
	}
	return out
}

func plainNorm(x []float64) []float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v / math.Sqrt(sum/float64(len(x))+1e-6)
	}
	return out
}

func plainTurn(x []float64, base float64, position int) []float64 {
	half := len(x) / 2
	out := make([]float64, len(x))
	for j := range half {
		sin, cos := math.Sincos(float64(position) * math.Pow(base, -float64(j)/float64(half)))
		out[j] = x[j]*cos - x[j+half]*sin
		out[j+half] = x[j]*sin + x[j+half]*cos
	}
	return out
}

// TestExp compares exp with math.Exp all over its range.
func TestExp(t *testing.T) {
	worst := 0.0
	for i := range 870_000 {
		x := float32(-i) / 10_000
		want := math.Exp(float64(x))
		worst = max(worst, math.Abs(float64(exp(x))-want)/want)
	}
	if worst > 1.5e-7 {
		t.Errorf("the relative error is up to %g", worst)
	}
	for x, want := range map[float32]float32{0: 1, -87: 0, -1000: 0, float32(math.Inf(-1)): 0, float32(math.NaN()): 0} {
		if got := exp(x); got != want {
			t.Errorf("exp(%g) = %g, want %g", x, got, want)
		}
	}
}

// TestRotations compares the angles with those of package math.
func TestRotations(t *testing.T) {
	for _, pairs := range []int{4, 16, 32} {
		for at, r := range rotations(1000, pairs) {
			position, pair := at/pairs, at%pairs
			angle := float64(position) * math.Pow(1000, -float64(pair)/float64(pairs))
			if math.Abs(float64(r.cos)-math.Cos(angle)) > 5e-8 || math.Abs(float64(r.sin)-math.Sin(angle)) > 5e-8 {
				t.Fatalf("%d pairs, position %d, pair %d: %v, want an angle of %g", pairs, position, pair, r, angle)
			}
		}
	}
}

// TestTurn turns pairs by a right angle and by none.
func TestTurn(t *testing.T) {
	head := []float32{1, 2, 3, 4}
	turn(head, []rotation{{0, 1}, {1, 0}})
	if want := [4]float32{-3, 2, 1, 4}; [4]float32(head) != want {
		t.Errorf("turned to %v, want %v", head, want)
	}
}

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

// TestGreedy takes the first of the best.
func TestGreedy(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		logits []float32
		want   token
	}{
		{[]float32{-3, -1, -2}, 1},
		{[]float32{0, 5, 5, 4}, 1},
		{[]float32{nan, nan}, 0},
	} {
		for _, s := range []Sampling{{}, {TopP: 0.5, Seed: 3}, {Temperature: -1}, {Temperature: math.NaN()}} {
			if got := newChooser(s).choose(c.logits); got != c.want {
				t.Errorf("%v of %v: %d, want %d", s, c.logits, got, c.want)
			}
		}
	}
}

// TestDraw draws often and compares the shares with the probabilities.
func TestDraw(t *testing.T) {
	const draws = 20_000
	log := func(p float64) float32 { return float32(math.Log(p)) }
	logits := []float32{log(.1), log(.4), log(.2), log(.3)}
	for _, c := range []struct {
		sampling Sampling
		want     []float64
	}{
		{Sampling{Temperature: 1}, []float64{.1, .4, .2, .3}},
		{Sampling{Temperature: 1, TopP: 1}, []float64{.1, .4, .2, .3}},
		{Sampling{Temperature: 0.5}, []float64{1. / 30, 16. / 30, 4. / 30, 9. / 30}},
		{Sampling{Temperature: 1, TopP: 0.65}, []float64{0, 4. / 7, 0, 3. / 7}},
		{Sampling{Temperature: 1, TopP: 0.75}, []float64{0, 4. / 9, 2. / 9, 3. / 9}},
		{Sampling{Temperature: 1, TopP: 0.01}, []float64{0, 1, 0, 0}},
		{Sampling{Temperature: 1e-300}, []float64{0, 1, 0, 0}},
		{Sampling{Temperature: math.Inf(1)}, []float64{.25, .25, .25, .25}},
	} {
		chooser := newChooser(c.sampling)
		counts := make([]float64, len(logits))
		for range draws {
			counts[chooser.choose(logits)]++
		}
		for i, want := range c.want {
			// Five standard deviations: the seed is fixed, so this always passes or always fails.
			if got := counts[i] / draws; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/draws) {
				t.Errorf("%v: token %d has a share of %.3f, want %.3f", c.sampling, i, got, want)
			}
		}
	}
}

// BenchmarkAnswer reads the question to copy a string of 64 characters and writes
// 64 tokens, on one thread.
func BenchmarkAnswer(b *testing.B) {
	n := load(b)
	p := userSays(`Repeat the following string exactly without modifying it. Don't output anything else. Only output the string without anything additional, not even quotes: "` + strings.Repeat("Ab1-", 16) + `"`)
	tokens := 0
	b.ReportAllocs()
	for b.Loop() {
		a, err := n.Answer(context.Background(), p, 64, Sampling{})
		if err != nil {
			b.Fatal(err)
		}
		tokens += a.Prompt + a.Completion
	}
	b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/item")
}

// BenchmarkLoad reads the embedded weights.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(); err != nil {
			b.Fatal(err)
		}
	}
}
