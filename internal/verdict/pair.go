package verdict

import (
	"fmt"
	"slices"

	"verbatim"
)

// A half is what one side has of an item: in all trials together.
type half struct {
	records   int64 // answered or not
	answers   int64
	score     float64 // sum over the answers
	undefined int64   // answers whose score is undefined, which count 0
	right     int64
	undecided int64
	outcomes  [outcomes]int64
	label     string // of the first answer that is not right, else of the first
	outcome   verbatim.Outcome
	failed    bool // label and outcome are of an answer that is not right
}

func (h *half) add(a *answer) {
	place, _ := slot(a.outcome)
	h.outcomes[place]++
	if h.records++; h.records == 1 || h.answers == 0 {
		h.label, h.outcome = a.label, a.outcome
	}
	if !a.outcome.Answered() {
		return
	}
	if h.answers++; !a.right && !h.failed {
		h.label, h.outcome, h.failed = a.label, a.outcome, true
	}
	h.score += a.score
	if !a.scored {
		h.undefined++
	}
	if a.right {
		h.right++
	}
	if a.undecided {
		h.undecided++
	}
}

// share is a count over the answers.
func (h *half) share(n int64) float64 { return float64(n) / float64(h.answers) }

// A pair is an item with what both sides have of it.
type pair struct {
	item           string
	family, length string
	halves         [2]half // A's and B's
}

// inPlace pairs two runs of one plan with one trial, place by place: it holds two
// answers at a time.
func inPlace(sides [2]*Side, o *Options, f *fold) error {
	var in [2]*stream
	var at [2]*answer
	for i, side := range sides {
		in[i] = newStream(side, o)
		defer in[i].stop()
	}
	last := [2]int64{-1, -1}
	advance := func(i int) error {
		a, err := in[i].next()
		if at[i] = a; err != nil || a == nil {
			return err
		}
		if a.seq <= last[i] {
			return twice(sides, i, a)
		}
		last[i] = a.seq
		f.graded(i, a)
		return nil
	}
	for i := range in {
		if err := advance(i); err != nil {
			return err
		}
	}
	for at[0] != nil || at[1] != nil {
		switch {
		case at[1] == nil || at[0] != nil && at[0].seq < at[1].seq:
			f.alone(0)
			if err := advance(0); err != nil {
				return err
			}
			continue
		case at[0] == nil || at[1].seq < at[0].seq:
			f.alone(1)
			if err := advance(1); err != nil {
				return err
			}
			continue
		case at[0].item != at[1].item:
			return fmt.Errorf("place %d of the plan is item %s in run %s and item %s in run %s: one of the files is damaged",
				at[0].seq, at[0].item, sides[0].Run.Name, at[1].item, sides[1].Run.Name)
		}
		p := pair{item: at[0].item, family: at[0].family, length: at[0].length}
		for i := range at {
			p.halves[i].add(at[i])
		}
		if err := f.add(&p); err != nil {
			return err
		}
		for i := range at {
			if err := advance(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// byItem pairs runs of different plans, or of several trials: it holds what both
// sides have of every item.
func byItem(sides [2]*Side, o *Options, f *fold) error {
	type entry struct {
		pair
		trials [2][]int
	}
	var order []*entry
	known := make(map[string]*entry)
	for i, side := range sides {
		in := newStream(side, o)
		defer in.stop()
		for {
			a, err := in.next()
			if err != nil {
				return err
			}
			if a == nil {
				break
			}
			e := known[a.item]
			if e == nil {
				e = &entry{pair: pair{item: a.item, family: a.family, length: a.length}}
				known[a.item] = e
				order = append(order, e)
			}
			if slices.Contains(e.trials[i], a.trial) {
				return twice(sides, i, a)
			}
			e.trials[i] = append(e.trials[i], a.trial)
			e.halves[i].add(a)
			f.graded(i, a)
		}
	}
	for _, e := range order {
		switch {
		case e.halves[1].records == 0:
			f.alone(0)
		case e.halves[0].records == 0:
			f.alone(1)
		default:
			if err := f.add(&e.pair); err != nil {
				return err
			}
		}
	}
	return nil
}

func twice(sides [2]*Side, i int, a *answer) error {
	return &Refusal{RunA: sides[0].Run.Name, RunB: sides[1].Run.Name, Field: "items",
		Why: fmt.Sprintf("run %s has item %s twice in trial %d", sides[i].Run.Name, a.item, a.trial),
		Do:  "a run holds every item once in a trial: import it anew from its source"}
}
