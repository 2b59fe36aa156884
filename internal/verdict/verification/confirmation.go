package verification

import (
	"fmt"

	"verbatim"
)

// Confirmation is the prefix of the names of the parts that confirm a difference.
const Confirmation = "strict-confirm"

// mostConfirmations is the largest number of confirmations of a screen. The first one decides unless
// replies vary by themselves.
const mostConfirmations = 5

// MostConfirmed is the largest number of calls of all confirmations on each side, for the texts and
// the exact answers together.
const MostConfirmed = 2 * 2 * twoChosen * 7

// A confirmation is fresh calls of prompts that differ.
type confirmation struct {
	part  *Repeats
	calls []int // of the screening: one for each prompt of the part
	seen  int   // number of calls of the screening before it
}

// timesFirst is the number of calls of a confirmation, as a multiple of those of the first one.
// MostConfirmed has the sum of these multiples, 7.
func timesFirst(confirmation int) int {
	if confirmation < 3 {
		return 1
	}
	return 2
}

// confirm returns a part that sends the prompts of some calls again. confirmation is its number,
// from 0.
func (t *Repeats) confirm(name string, seed uint64, calls []int, confirmation int) *Repeats {
	times := twoChosen
	if len(calls) == 1 {
		times = oneChosen
	}
	var prompts []verbatim.Item
	for _, i := range calls {
		prompts = append(prompts, t.items[i])
	}
	if confirmation > 0 {
		name = fmt.Sprintf("%s-%d", name, confirmation+1)
	}
	c := newRepeats(name, seed, prompts, times*timesFirst(confirmation))
	c.params, c.limits = t.params, t.limits
	return c
}
