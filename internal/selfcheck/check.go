// Package selfcheck tests the graders on newly drawn items: the right answer must pass, and
// silence and near misses must fail.
package selfcheck

import (
	"fmt"
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/grade"
	"verbatim/internal/task"
)

// A Check counts what the grader said of one family's items.
type Check struct {
	Family   string   `json:"family"`
	Items    int      `json:"items"`
	Misses   int      `json:"near_misses"`
	OwnLabel int      `json:"own_label"`
	Errors   []string `json:"errors,omitempty"` // the first few faults, in words
}

func (c *Check) fault(format string, args ...any) {
	if len(c.Errors) < 5 {
		c.Errors = append(c.Errors, fmt.Sprintf(format, args...))
	}
}

// Family checks the grader with new items of a family at every length of its ladder.
func Family(f verbatim.Family, seed uint64, items int) (Check, error) {
	c := Check{Family: f.Name}
	var lengths []verbatim.Lengths
	for _, n := range f.DefaultLengths {
		lengths = append(lengths, verbatim.Lengths{Min: n, Max: n})
	}
	plan, err := task.Plan(task.Request{Tasks: []string{f.Name}, Lengths: lengths, Items: items, Seed: seed})
	if err != nil {
		return c, err
	}
	deck, err := task.Open(plan, nil)
	if err != nil {
		return c, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for position, ok := deck.Next(); ok; position, ok = deck.Next() {
		it, err := deck.Item(position)
		if err != nil {
			return c, err
		}
		c.checkItem(r, it)
	}
	return c, nil
}

func (c *Check) checkItem(r *rand.Rand, it *verbatim.Item) {
	c.Items++
	right := damage.Right(it)
	if g := grade.Of(it, right, verbatim.FinishStop); g.Outcome != verbatim.Pass || !g.Exact || !g.Extracted || g.Label != "pass" {
		c.fault("%s: the right answer is graded %s (%s)", it.ID, g.Outcome, g.Label)
	}
	if g := grade.Of(it, "", verbatim.FinishStop); g.Outcome == verbatim.Pass || g.Exact || g.Extracted || g.Label != "empty" {
		c.fault("%s: silence is graded %s (%s)", it.ID, g.Outcome, g.Label)
	}
	grader := it.Grader
	if grader == "" {
		grader = "text"
		if it.Want.IsList() {
			grader = "list"
		}
	}
	for _, s := range damage.Spoilers(grader) {
		reply, ok := s.Spoil(r, it)
		if !ok || reply == right {
			continue
		}
		g := grade.Of(it, reply, verbatim.FinishStop)
		c.Misses++
		if g.Label == s.Label {
			c.OwnLabel++
		}
		if g.Outcome == verbatim.Pass || g.Exact {
			c.fault("%s: a near miss made for %q passes: %q", it.ID, s.Label, reply)
		}
	}
}
