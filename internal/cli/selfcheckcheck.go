package cli

import (
	"fmt"
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/grade"
	"verbatim/internal/task"
)

// A Check is the result of a check of the grader on the items of one family.
type graderCheck struct {
	Family   string   `json:"family"`
	Items    int      `json:"items"`
	Misses   int      `json:"near_misses"`
	OwnLabel int      `json:"own_label"`        // near misses with the label that they were made for
	Errors   []string `json:"errors,omitempty"` // the first few faults
}

// fault adds a fault, unless there are enough.
func (c *graderCheck) fault(format string, args ...any) {
	if len(c.Errors) < 5 {
		c.Errors = append(c.Errors, fmt.Sprintf(format, args...))
	}
}

// checkFamily checks the grader with new items of a family at every length of its ladder.
func checkFamily(f verbatim.Family, seed uint64, items int) (graderCheck, error) {
	c := graderCheck{Family: f.Name}
	var lengths []verbatim.Lengths
	for _, n := range f.DefaultLengths {
		lengths = append(lengths, verbatim.Lengths{Min: n, Max: n})
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for it, err := range task.Draw(task.Request{Tasks: []string{f.Name}, Lengths: lengths, Items: items, Seed: seed}) {
		if err != nil {
			return c, err
		}
		c.checkItem(r, it)
	}
	return c, nil
}

// checkItem grades several replies to an item.
func (c *graderCheck) checkItem(r *rand.Rand, it *verbatim.Item) {
	c.Items++
	right := damage.Right(it)
	if g := grade.Of(it, right, verbatim.FinishStop); g.Outcome != verbatim.Pass || !g.Exact || !g.Extracted || g.Label != "pass" {
		c.fault("%s: the right answer is graded %s (%s)", it.ID, g.Outcome, g.Label)
	}
	if g := grade.Of(it, "", verbatim.FinishStop); g.Outcome == verbatim.Pass || g.Exact || g.Extracted || g.Label != "empty" {
		c.fault("%s: an empty reply is graded %s (%s)", it.ID, g.Outcome, g.Label)
	}
	for _, s := range damage.Spoilers(damage.Grader(it)) {
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
