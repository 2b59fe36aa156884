package sim

import (
	"math/rand/v2"
	"slices"

	"verbatim"
	"verbatim/internal/damage"
)

// mistakes are the ways in which answers to the items of one grader go wrong.
type mistakes struct{ wrong, wraps choice }

// A choice is spoilers with weights.
type choice struct {
	spoilers []damage.Spoiler
	weights  []float64
	total    float64
	foresees bool // half of the replies to an item that foresees mistakes are these
}

// newMistakes returns the mistakes for every grader: those with the labels, or a realistic mix if there
// are no labels.
func newMistakes(labels []string) map[string]mistakes {
	out := map[string]mistakes{}
	for _, grader := range damage.Graders() {
		var m mistakes
		m.wrong.foresees = len(labels) == 0
		for _, s := range damage.Spoilers(grader) {
			switch {
			case slices.Contains(labels, s.Label):
				m.wrong.add(s, 1)
			case len(labels) == 0 && s.Weight > 0:
				m.wrong.add(s, s.Weight)
			}
			if damage.IsWrapping(s.Label) {
				m.wraps.add(s, 1)
			}
		}
		out[grader] = m
	}
	return out
}

// add adds a spoiler.
func (c *choice) add(s damage.Spoiler, weight float64) {
	c.spoilers, c.weights = append(c.spoilers, s), append(c.weights, weight)
	c.total += weight
}

// spoil draws a spoiler and applies it. If the item leaves it no room, the next ones are tried. If there
// is no room for any of them, the answer is right.
func (c choice) spoil(r *rand.Rand, it *verbatim.Item) string {
	if len(it.Mistakes) > 0 && r.IntN(2) == 0 {
		if reply, ok := damage.Foreseen(r, it); ok && c.foresees {
			return reply
		}
	}
	start := 0
	for u := r.Float64() * c.total; start < len(c.weights)-1 && u >= c.weights[start]; start++ {
		u -= c.weights[start]
	}
	for i := range c.spoilers {
		if reply, ok := c.spoilers[(start+i)%len(c.spoilers)].Spoil(r, it); ok {
			return reply
		}
	}
	return damage.Right(it)
}
