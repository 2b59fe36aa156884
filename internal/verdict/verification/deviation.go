package verification

import (
	"cmp"
	"slices"

	"verbatim/internal/stats/change"
)

// A deviation is a prompt whose replies vary, and how often they are not the usual one. A side that
// varies by itself gives unusual replies, and a side that never varies gives none.
//
// The usual reply is the most frequent one of the screening and of the first confirmation, on both
// sides together. So the choice does not depend on which side gave a reply: a LabelBet needs that.
type deviation struct {
	call    int    // of the screening
	usual   string // reply
	unusual int    // number of fresh replies of both sides that differ from the usual one
	calls   int    // number of fresh calls of each side
	// capital is what is left of 1 after the bets that A gives the unusual replies, and after the
	// bets that B does.
	capital [2]float64
}

// deviations returns the prompts of confirmations, in the order in which they were first sent again.
// A confirmation does not count for a prompt that lacks a reply in it.
func deviations(texts *Repeats, by compareBy, fresh []confirmation) (list []*deviation) {
	for _, f := range fresh {
		for k, replies := range f.part.texts(by) {
			if replies.A == nil {
				continue
			}
			i := slices.IndexFunc(list, func(d *deviation) bool { return d.call == f.calls[k] })
			if i < 0 {
				i = len(list)
				list = append(list, newDeviation(texts, by, f.calls[k], replies))
			}
			list[i].bet(replies)
		}
	}
	return list
}

// newDeviation returns the deviation of a prompt after the screening. The bets count its two replies
// in the screening like fresh ones. The prompt was chosen because these differ, and not by which side
// gave which: under the null hypothesis both assignments are still equally probable.
func newDeviation(texts *Repeats, by compareBy, call int, fresh change.TextPair) *deviation {
	first := change.TextPair{A: []string{by.of(&texts.calls[0][call])}, B: []string{by.of(&texts.calls[1][call])}}
	d := &deviation{call: call, usual: mostFrequent(slices.Concat(first.A, first.B, fresh.A, fresh.B)), capital: [2]float64{1, 1}}
	d.bet(first)
	d.unusual, d.calls = 0, 0
	return d
}

// bet adds replies, equally many of both sides.
func (d *deviation) bet(replies change.TextPair) {
	var unusual [2]int
	for side, texts := range [][]string{replies.A, replies.B} {
		for _, text := range texts {
			if text != d.usual {
				unusual[side]++
			}
		}
	}
	a, b := change.LabelBet(len(replies.A), unusual[0], unusual[1])
	d.capital[0], d.capital[1] = d.capital[0]*a, d.capital[1]*b
	d.unusual += unusual[0] + unusual[1]
	d.calls += len(replies.A)
}

// share is the number of unusual replies, divided by the number of calls of one side: the share of
// unusual replies of a side that gives all of them.
func (d *deviation) share() float64 { return float64(d.unusual) / float64(d.calls) }

// mostFrequent returns the most frequent text. Of several, it is the first one by its bytes.
func mostFrequent(texts []string) (most string) {
	counts := map[string]int{}
	for _, text := range texts {
		counts[text]++
	}
	for text, n := range counts {
		if n > counts[most] || n == counts[most] && text < most {
			most = text
		}
	}
	return most
}

// unstable returns the prompts whose replies vary most, at most two, as calls of the screening. The
// second one has at least half of the share of the first. Prompts with a share below least are left
// out.
func unstable(list []*deviation, least float64) (calls []int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y *deviation) int { return cmp.Compare(y.share(), x.share()) })
	for _, d := range list[:min(len(list), 2)] {
		if d.unusual > 0 && d.share() >= max(least, list[0].share()/2) {
			calls = append(calls, d.call)
		}
	}
	return calls
}
