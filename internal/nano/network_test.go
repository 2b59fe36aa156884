package nano

import (
	"math"
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
