package verification

import (
	"fmt"
	"slices"

	"verbatim"
)

// leastShare is the least deviation.share of a prompt that is sent again. Below it, new prompts show
// more than further calls of this one.
const leastShare = 1. / 6

// A screen is a probe of a strict test. It compares each prompt once, in groups until some differ,
// and confirms differences by fresh calls. At most two prompts are sent again: those whose texts
// differ earliest. If these calls do not decide, and their replies vary, the prompts that vary most
// are sent again. Otherwise other prompts that differ are, or the next group follows.
//
// Two kinds of tests look at the fresh calls. Each confirmation has a permutation test of its own
// calls. All confirmations together have bets that only one side varies: that is a difference. No
// choice of prompts uses the calls of a later test, so that each test holds whatever was chosen. The
// parts of the level add up to it: 1/2 for the first permutation test, 1/16 for each of four further
// ones, 1/4 for the bets.
type screen struct {
	probe ProbeName
	by    compareBy
	fresh []confirmation
}

// permutationWeight is the factor of the p value of the permutation test of confirmation i, from 0.
func permutationWeight(i int) float64 {
	if i == 0 {
		return 2
	}
	return 16
}

// betWeight is the factor of the p value of the bets, which is 1/capital.
const betWeight = 4

// capital is what is left of 1 after all bets so far. Half of the bets on a prompt are on each side.
func capital(list []*deviation) float64 {
	left := 1.0
	for _, d := range list {
		left *= (d.capital[0] + d.capital[1]) / 2
	}
	return left
}

// A ScreenResult is the result of one screen of a strict test.
type ScreenResult struct {
	// Compared is the number of prompts that were compared once. If a confirmation decided,
	// prompts after it do not count. Differing is the number of those that differ between the
	// sides.
	Compared  int `json:"compared"`
	Differing int `json:"differing"`
	// Confirmations is the number of confirmations, and Fresh the number of their calls on each
	// side. Variation is the summed total variation distance of the last one; nil if nothing
	// differs.
	Confirmations int      `json:"confirmations"`
	Fresh         int      `json:"fresh_calls"`
	Variation     *float64 `json:"total_variation"`
}

// result returns what the confirmations that have ended show, and their p value. It is the smallest
// one, after each is multiplied by the weight of its test.
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
	calls, compared := texts.differing(c.by, seen)
	r.Differing, r.Compared = len(calls), compared
	return r, p, nil
}

// next returns the next confirmation; nil if none is needed now. open says that the next group of
// prompts may need one.
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

// choose returns the prompts that are sent again next, by their calls in the screening; nil if more
// prompts must be compared first.
func (c *screen) choose(texts *Repeats) []int {
	seen := deviations(texts, c.by, c.fresh)
	if calls := unstable(seen, leastShare); len(calls) > 0 {
		return calls
	}
	calls, _ := texts.differing(c.by, texts.upto)
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

// StrictTexts returns the part of a strict test that sends each prompt once, in groups. limits
// returns the token limits of an item: of the reply, and of its content.
func StrictTexts(seed uint64, prompts []verbatim.Item, params verbatim.Params, limits func(*verbatim.Item) (reply, content int)) *Repeats {
	t := newRepeats("texts", seed, prompts, 1)
	t.params, t.limits, t.upto = params, limits, min(screenedGroup, len(prompts))
	return t
}

// extend allows the next group of prompts to be sent, and reports whether there is one.
func (t *Repeats) extend() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.upto == len(t.items) {
		return false
	}
	t.upto = min(t.upto+screenedGroup, len(t.items))
	return true
}
