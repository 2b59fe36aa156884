package verification

import (
	"fmt"

	"verbatim"
)

// Confirmation begins the names of the parts that confirm a difference.
const Confirmation = "strict-confirm"

// mostConfirmations is the number of confirmations at most. The first one decides unless replies
// vary by themselves.
const mostConfirmations = 5

// MostConfirmed is the number of calls of all confirmations of a side, at most: of the texts and of
// the exact answers.
const MostConfirmed = 2 * 2 * twoChosen * 7

// A confirmation is fresh calls of prompts that differ.
type confirmation struct {
	part  *Repeats
	calls []int // of the screening, by prompt of the part
	seen  int   // calls of the screening before it
}

// timesFirst is how many times the calls of the first confirmation a confirmation has. Their sum is
// in MostConfirmed.
func timesFirst(confirmation int) int {
	if confirmation < 3 {
		return 1
	}
	return 2
}

// confirm sends prompts again. Their calls depend on no earlier one. Confirmations count from 0.
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
