package verification

import (
	"fmt"

	"verbatim"
)

// mostConfirmations is the number of confirmations at most. Each has twice the calls of the one
// before. The second and the third one are for replies that vary by themselves.
const mostConfirmations = 3

// MostConfirmed is the number of calls of all confirmations of a side, at most: of the texts and of
// the exact answers.
const MostConfirmed = 2 * 2 * twoChosen * (1<<mostConfirmations - 1)

// Confirmation begins the names of the parts that confirm a difference.
const Confirmation = "strict-confirm"

// A screen is a probe of a strict test that compares each prompt once, and confirms what differs by
// fresh calls. Prompts are compared in groups until some differ. At most two of them are sent again:
// those whose texts differ earliest. If these calls do not decide, the next group follows. The
// choice of the prompts depends on no fresh call, so that the fresh ones alone give the p value.
type screen struct {
	probe ProbeName
	by    compareBy
	fresh []confirmation
}

// A confirmation is fresh calls of prompts that differ.
type confirmation struct {
	part *Repeats
	seen int // calls of the screening before it
}

// weight is the factor of the p value of a confirmation: the first has one half of the level, the
// others a quarter each.
func weight(i int) float64 {
	if i == 0 {
		return 2
	}
	return 4
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

// result returns the p value of all confirmations that have ended, and what they show. Each has its
// part of the level: it is as if there were no others.
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
		p = min(p, weight(i)*one)
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
	r, p, err := c.result(texts, level)
	if err != nil || p <= level || len(c.fresh) == mostConfirmations {
		return nil, false, err
	}
	from := 0
	if n := len(c.fresh); n > 0 {
		from = c.fresh[n-1].seen
	}
	calls, _ := texts.differing(c.by, from, texts.upto)
	if len(calls) == 0 && texts.upto == len(texts.items) && r.Variation != nil && *r.Variation > 0 {
		calls, _ = texts.differing(c.by, 0, texts.upto) // they vary by themselves: more calls may tell them apart
	}
	if len(calls) == 0 {
		return nil, true, nil
	}
	part = texts.confirm(string(c.probe)+"-confirm", seed, calls[:min(len(calls), 2)], len(c.fresh))
	c.fresh = append(c.fresh, confirmation{part, texts.upto})
	return part, true, nil
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
