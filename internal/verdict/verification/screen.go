package verification

import (
	"fmt"
	"slices"

	"verbatim"
)

// leastShare is the share of other replies of a prompt, among the calls of a side, with which more
// calls of it are worth more than new prompts.
const leastShare = 1. / 6

// A screen is a probe of a strict test that compares each prompt once, and confirms what differs by
// fresh calls. Prompts are compared in groups until some differ. At most two of them are sent again:
// those whose texts differ earliest. If these calls do not decide and their replies vary, the
// prompts that vary most are sent again. If they do not vary, other prompts are, or the next group
// follows.
//
// Two kinds of tests look at the fresh calls. Each confirmation has a permutation test of its own
// calls. And all of them together have bets that one side gives the replies that vary: a side that
// varies is a difference if the other one never does. No choice uses the calls of a later test, so
// that each holds whatever was chosen, and parts of the level add up to it: 1/2 of the first
// permutation test, 1/16 of each further one, 1/4 of the bets.
type screen struct {
	probe ProbeName
	by    compareBy
	fresh []confirmation
}

// permutationWeight is the factor of the p value of the permutation test of a confirmation.
func permutationWeight(i int) float64 {
	if i == 0 {
		return 2
	}
	return 16
}

// betWeight is the factor of the p value of the bets, which is 1/capital.
const betWeight = 4

// capital is what is left of 1 after all bets so far. Those on one prompt are half on each side.
func capital(list []*deviation) float64 {
	left := 1.0
	for _, d := range list {
		left *= (d.capital[0] + d.capital[1]) / 2
	}
	return left
}

// A ScreenResult is what the screening of a strict test shows for one probe.
type ScreenResult struct {
	// Compared is the number of prompts that were compared once, up to the last confirmation if
	// it decided. Differing is the number of those that differ between the sides.
	Compared  int `json:"compared"`
	Differing int `json:"differing"`
	// Confirmations is the number of confirmations, Fresh that of their calls of each side, and
	// Variation the summed total variation distance of the last one; nil if nothing differs.
	Confirmations int      `json:"confirmations"`
	Fresh         int      `json:"fresh_calls"`
	Variation     *float64 `json:"total_variation"`
}

// result returns the p value of all confirmations that have ended, and what they show. Each test has
// its part of the level: it is as if there were no others. The bets end once they decide.
func (c *screen) result(texts *Repeats, level float64) (r ScreenResult, p float64, err error) {
	if texts == nil {
		return r, 1, nil
	}
	p = 1
	seen := texts.upto
	for i, f := range c.fresh {
		if !f.part.Ended() {
			break
		}
		one, variation, err := f.part.p(c.by)
		if err != nil {
			return r, 1, err
		}
		p = min(p, permutationWeight(i)*one, betWeight/capital(deviations(texts, c.by, c.fresh[:i+1])))
		r.Confirmations, r.Fresh, r.Variation = i+1, r.Fresh+len(f.part.items), variation
		if p <= level {
			seen = f.seen
		}
	}
	calls, compared := texts.differing(c.by, 0, seen)
	r.Differing, r.Compared = len(calls), compared
	return r, p, nil
}

// next returns the next confirmation; nil if none is needed now. Open says that the next group of
// prompts may bring one.
func (c *screen) next(texts *Repeats, seed uint64, level float64) (part *Repeats, open bool, err error) {
	_, p, err := c.result(texts, level)
	if err != nil || p <= level || len(c.fresh) == mostConfirmations {
		return nil, false, err
	}
	calls := c.choose(texts)
	if len(calls) == 0 {
		return nil, true, nil
	}
	part = texts.confirm(string(c.probe)+"-confirm", seed, calls, len(c.fresh))
	c.fresh = append(c.fresh, confirmation{part, calls, texts.upto})
	return part, true, nil
}

// choose returns the prompts that are sent again next, by their calls of the screening; none if
// those so far are not worth it, and more prompts are to be compared first.
func (c *screen) choose(texts *Repeats) []int {
	seen := deviations(texts, c.by, c.fresh)
	if calls := unstable(seen, leastShare); len(calls) > 0 {
		return calls
	}
	calls, _ := texts.differing(c.by, 0, texts.upto)
	calls = slices.DeleteFunc(calls, func(call int) bool {
		return slices.ContainsFunc(c.fresh, func(f confirmation) bool { return slices.Contains(f.calls, call) })
	})
	if len(calls) == 0 && texts.upto == len(texts.items) {
		return unstable(seen, 0)
	}
	return calls[:min(len(calls), 2)]
}

// name names the newest confirmation.
func (c *screen) name() ProbeName {
	name := Confirmation + "-" + c.probe
	if n := len(c.fresh); n > 1 {
		name = ProbeName(fmt.Sprintf("%s-%d", name, n))
	}
	return name
}

// StrictTexts sends each of at most so many prompts once, in groups.
func StrictTexts(seed uint64, prompts []verbatim.Item, params verbatim.Params, limits func(*verbatim.Item) (reply, content int)) *Repeats {
	t := newRepeats("texts", seed, prompts, 1)
	t.params, t.limits, t.upto = params, limits, min(screenedGroup, len(prompts))
	return t
}

// extend lets the next group be sent, and reports whether there is one.
func (t *Repeats) extend() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.upto == len(t.items) {
		return false
	}
	t.upto = min(t.upto+screenedGroup, len(t.items))
	return true
}
