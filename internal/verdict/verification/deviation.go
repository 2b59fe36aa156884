package verification

import (
	"cmp"
	"slices"

	"verbatim/internal/stats/change"
)

// A deviation is what the calls of a prompt show whose replies vary: the replies other than the usual
// one. A side that varies by itself gives them, and a side that never varies does not.
//
// The usual reply is the most frequent one of the screening and of the first confirmation, on both
// sides together. So it does not depend on the sides, as a LabelBet needs it.
type deviation struct {
	call   int    // of the screening
	usual  string // reply
	others int    // fresh replies of both sides that differ from the usual one
	calls  int    // fresh calls of each side
	// capital is what is left of 1 after the bets that one side, A or B, gives the other replies.
	capital [2]float64
}

// deviations returns what confirmations that have ended show, in the order in which their prompts
// were sent again for the first time. Prompts with a missing reply are left out of a confirmation.
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

// newDeviation returns that of the screening. The choice of a prompt depends on the difference of its
// two replies, and not on which side gave which: each is still equally probable on both sides. So they
// count like fresh ones.
func newDeviation(texts *Repeats, by compareBy, call int, fresh change.TextPair) *deviation {
	first := change.TextPair{A: []string{by.of(&texts.calls[0][call])}, B: []string{by.of(&texts.calls[1][call])}}
	d := &deviation{call: call, usual: mostFrequent(slices.Concat(first.A, first.B, fresh.A, fresh.B)), capital: [2]float64{1, 1}}
	d.bet(first)
	d.others, d.calls = 0, 0
	return d
}

// bet adds replies, as many of each side.
func (d *deviation) bet(replies change.TextPair) {
	var others [2]int
	for side, texts := range [][]string{replies.A, replies.B} {
		for _, text := range texts {
			if text != d.usual {
				others[side]++
			}
		}
	}
	a, b := change.LabelBet(len(replies.A), others[0], others[1])
	d.capital[0], d.capital[1] = d.capital[0]*a, d.capital[1]*b
	d.others += others[0] + others[1]
	d.calls += len(replies.A)
}

// share is that of the other replies among the calls of a side, if one side gives all of them.
func (d *deviation) share() float64 { return float64(d.others) / float64(d.calls) }

// mostFrequent returns the most frequent text, of several the first one by its bytes.
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

// unstable returns the prompts of a list whose replies vary most, at most two: the other one has at
// least one half of the share of the first. Prompts with a smaller share than least are left out.
func unstable(list []*deviation, least float64) (calls []int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y *deviation) int { return cmp.Compare(y.share(), x.share()) })
	for _, d := range list[:min(len(list), 2)] {
		if d.others > 0 && d.share() >= max(least, list[0].share()/2) {
			calls = append(calls, d.call)
		}
	}
	return calls
}
