package obedient

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"verbatim"
)

// words is the vocabulary. Each word is a token, with a space before it unless it begins the text.
const words = "time year people way day man thing woman life child world school state family student group country problem hand part place case week company system program question work number night"

// spread is the standard deviation of the log probabilities before they are normalised. So
// the two most probable words are 0.2 to 0.6 nats apart in about one of four contexts.
const spread = 1.2

// A language gives each word a probability in each context.
type language struct {
	words  []string
	build  uint64
	sigma  float64 // how far the build changes log probabilities, as other weights do
	jitter float64 // how far each call changes them
	// In each context, a process is in one of several numeric states, as servers are that
	// put prompts into different batches. A call leaves the state with the probability moves.
	states, process uint64
	moves           float64
}

// state returns the numeric state of a call, from 0.
func (l language) state(context uint64, call uint64) uint64 {
	if l.states < 2 {
		return 0
	}
	key := l.process
	if own := rand.New(rand.NewPCG(context, mixed(call^l.process<<32))); own.Float64() < l.moves {
		key = own.Uint64()
	}
	return mixed(context^mixed(key)) % l.states
}

// logprobs returns the log probability of each word after a context.
func (l language) logprobs(context string, call uint64) []float64 {
	h := fnv.New64a()
	h.Write([]byte(context))
	base := rand.New(rand.NewPCG(h.Sum64(), 1))
	build := rand.New(rand.NewPCG(h.Sum64(), 2+l.build+l.state(h.Sum64(), call)<<48))
	own := rand.New(rand.NewPCG(h.Sum64(), mixed(call^l.build<<40)))
	list := make([]float64, len(l.words))
	top, sum := math.Inf(-1), 0.0
	for i := range list {
		list[i] = spread*base.NormFloat64() + l.sigma*build.NormFloat64() + l.jitter*own.NormFloat64()
		top = max(top, list[i])
	}
	for _, x := range list {
		sum += math.Exp(x - top)
	}
	for i := range list {
		list[i] -= top + math.Log(sum)
	}
	return list
}

// mixed spreads the bits of a number.
func mixed(x uint64) uint64 {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	h.Write(b[:])
	return h.Sum64()
}

// A writer writes one answer, token by token.
type writer struct {
	language    language
	params      verbatim.Params
	limit       int // tokens; 0: none
	temperature float64
	draw, call  uint64 // the seed of draws at a temperature, and the number of the call

	text    strings.Builder
	tokens  []verbatim.Token
	count   int
	finish  verbatim.Finish
	stopped int // where a stop sequence begins; -1 without one
}

// most is the greatest number of words of an answer to an open prompt.
const most = 40

// say writes an answer whose tokens are certain.
func (w *writer) say(answer string) {
	for _, word := range strings.SplitAfter(answer, " ") {
		if !w.write(word, nil, 0) {
			return
		}
	}
}

// ramble writes words of the language behind a context.
func (w *writer) ramble(context string) {
	random := rand.New(rand.NewPCG(mixed(w.draw), 7))
	for range most {
		p := w.language.logprobs(context+w.text.String(), w.call)
		i := w.choose(p, random)
		word := w.language.words[i]
		if w.count > 0 {
			word = " " + word
		}
		if !w.write(word, p, i) {
			return
		}
	}
}

// choose returns the index of the next word, from the log probabilities of all.
func (w *writer) choose(p []float64, random *rand.Rand) int {
	top, sum := slices.Max(p), 0.0
	if w.temperature == 0 {
		return slices.Index(p, top)
	}
	weights := make([]float64, len(p))
	for i := range p {
		weights[i] = math.Exp((p[i] - top) / w.temperature)
		sum += weights[i]
	}
	at := random.Float64() * sum
	for i, x := range weights {
		if at -= x; at < 0 {
			return i
		}
	}
	return len(p) - 1
}

// write adds a token. p are the log probabilities from which it was chosen; nil if it is certain. It returns
// false at the token limit.
func (w *writer) write(word string, p []float64, chosen int) bool {
	if word == "" {
		return true
	}
	w.text.WriteString(word)
	w.count++
	if n := w.params.Logprobs; n > 0 {
		w.tokens = append(w.tokens, w.language.describe(word, p, chosen, n))
	}
	if w.limit > 0 && w.count >= w.limit {
		w.finish = verbatim.FinishLength
		return false
	}
	return true
}

// describe returns a token with n alternatives.
func (l language) describe(word string, p []float64, chosen, n int) verbatim.Token {
	if p == nil {
		t := verbatim.Token{Text: word, Logprob: -1e-6}
		t.Top = []verbatim.Token{{Text: word, Logprob: t.Logprob}}
		for len(t.Top) < n {
			t.Top = append(t.Top, verbatim.Token{Text: " " + l.words[len(t.Top)], Logprob: -14 - float64(len(t.Top))})
		}
		return t
	}
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[b], p[a]) })
	t := verbatim.Token{Text: word, Logprob: p[chosen]}
	for _, i := range order[:min(n, len(order))] {
		text := l.words[i]
		if strings.HasPrefix(word, " ") {
			text = " " + text
		}
		t.Top = append(t.Top, verbatim.Token{Text: text, Logprob: p[i]})
	}
	return t
}

// stop notes where the first stop sequence begins, and removes the tokens from there on.
func (w *writer) stop(sequences []string) {
	text := w.text.String()
	for _, s := range sequences {
		if i := strings.Index(text, s); s != "" && i >= 0 && (w.stopped < 0 || i < w.stopped) {
			w.stopped = i
		}
	}
	if w.stopped < 0 {
		return
	}
	end := 0
	for n, t := range w.tokens {
		if end += len(t.Text); end > w.stopped {
			w.tokens = w.tokens[:n]
			break
		}
	}
}
