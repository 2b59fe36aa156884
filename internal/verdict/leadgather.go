package verdict

import (
	"fmt"
	"slices"

	"verbatim/internal/stats"
	"verbatim/internal/stats/ranks"
)

// A state is what one reading of all runs gathers.
type state struct {
	vectors *ranks.Scores // of the runs that are ranked, by cell
	left    int64         // items that not all of them answered
	place   []float64     // of an item's scores, in the order of contenders
	ranks   []*entrant
	even    map[int]int64 // items by cell of the design
}

// marks are the scores of one run on the items that count.
type marks struct {
	strata stats.Strata
	print  float64 // differs where scores do, whatever their order
}

// gather reads all runs.
func (f *field) gather() error {
	f.ranks = f.contenders()
	f.state = state{vectors: ranks.NewScores(len(f.ranks)), place: make([]float64, len(f.ranks)), ranks: f.ranks, even: map[int]int64{}}
	first := &f.entrants[0].side.Run.Plan
	in := f.byPlace
	for _, e := range f.entrants {
		*e = entrant{side: e.side, barred: e.barred, graders: graders{}, scores: new(marks)}
		if p := &e.side.Run.Plan; p.Hash != first.Hash || p.Trials != 1 {
			in = f.byItem
		}
	}
	return in(&Options{Score: f.o.Score}, f.take)
}

// A taker is given an item with what every run has of it.
type taker func(item, family, length string, halves []half) error

// take counts an item.
func (f *field) take(item, family, length string, halves []half) error {
	all := true
	for i, e := range f.entrants {
		h := &halves[i]
		if h.records > 0 {
			e.asked++
		}
		if h.answers > 0 {
			e.answered++
			e.answers, e.undecided, e.undefined = e.answers+h.answers, e.undecided+h.undecided, e.undefined+h.undefined
		} else if e.barred == "" {
			all = false
		}
	}
	if !all {
		f.left++
		return nil
	}
	cell := f.grid.cell(family, length)
	f.even[f.grid.design(cell)]++
	at, luck := 0, unit(item)
	for i, e := range f.entrants {
		if halves[i].answers == 0 {
			continue
		}
		score := halves[i].score / float64(halves[i].answers)
		if err := e.scores.add(cell, score, luck); err != nil {
			return fmt.Errorf("run %s: item %s: %w", e.side.Run.Name, item, err)
		}
		if e.barred == "" {
			f.place[at] = score
			at++
		}
	}
	return f.vectors.Add(cell, f.place)
}

func (m *marks) add(cell int, score, luck float64) error {
	m.print += luck * score
	return m.strata.Add(cell, score)
}

// items is how many were added.
func (m *marks) items() int64 { return m.strata.Total().N }

// unit returns a number between 0 and 1 that an item's id decides (FNV-1a, its high
// bits mixed): sums of scores weighed with it tell runs apart that have equal means.
func unit(item string) float64 {
	h := uint64(14695981039346656037)
	for i := range len(item) {
		h = (h ^ uint64(item[i])) * 1099511628211
	}
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return float64(h>>11) / (1 << 53)
}

// byPlace reads runs of one plan with one trial place by place: it holds an answer of
// each at a time.
func (f *field) byPlace(o *Options, take taker) error {
	k := len(f.entrants)
	in, at, halves := make([]*stream, k), make([]*answer, k), make([]half, k)
	last := slices.Repeat([]int64{-1}, k)
	advance := func(i int) error {
		a, err := in[i].next()
		if at[i] = a; err != nil || a == nil {
			return err
		}
		if a.seq <= last[i] {
			return f.twice(i, a)
		}
		last[i] = a.seq
		f.entrants[i].graded(a)
		return nil
	}
	for i, e := range f.entrants {
		in[i] = newStream(e.side, o)
		defer in[i].stop()
	}
	for i := range in {
		if err := advance(i); err != nil {
			return err
		}
	}
	for {
		head := f.earliest(at)
		if head < 0 {
			return nil
		}
		seq, item, family, length := at[head].seq, at[head].item, at[head].family, at[head].length
		clear(halves)
		for i, a := range at {
			if a == nil || a.seq != seq {
				continue
			}
			if a.item != item {
				return fmt.Errorf("place %d of the plan is item %s in run %s and item %s in run %s: one of the files is damaged",
					seq, item, f.entrants[head].side.Run.Name, a.item, f.entrants[i].side.Run.Name)
			}
			halves[i].add(a)
		}
		if err := take(item, family, length, halves); err != nil {
			return err
		}
		for i, a := range at {
			if a != nil && a.seq == seq {
				if err := advance(i); err != nil {
					return err
				}
			}
		}
	}
}

// earliest returns the run whose next place comes first; -1: all are read.
func (f *field) earliest(at []*answer) int {
	first := -1
	for i, a := range at {
		if a != nil && (first < 0 || a.seq < at[first].seq) {
			first = i
		}
	}
	return first
}

// byItem matches runs of different plans, or of several trials: it holds what all have
// of every item.
func (f *field) byItem(o *Options, take taker) error {
	type entry struct {
		item, family, length string
		halves               []half
		trials               [][]int
	}
	var order []*entry
	known := make(map[string]*entry)
	for i, e := range f.entrants {
		for rec, err := range e.side.Records {
			if err != nil {
				return fmt.Errorf("run %s: %w", e.side.Run.Name, err)
			}
			a, err := o.read(&rec)
			if err != nil {
				return fmt.Errorf("run %s: %w", e.side.Run.Name, err)
			}
			n := known[a.item]
			if n == nil {
				n = &entry{a.item, a.family, a.length, make([]half, len(f.entrants)), make([][]int, len(f.entrants))}
				known[a.item] = n
				order = append(order, n)
			}
			if slices.Contains(n.trials[i], a.trial) {
				return f.twice(i, &a)
			}
			n.trials[i] = append(n.trials[i], a.trial)
			n.halves[i].add(&a)
			e.graded(&a)
		}
	}
	for _, n := range order {
		if err := take(n.item, n.family, n.length, n.halves); err != nil {
			return err
		}
	}
	return nil
}

// graded notes who graded an answer.
func (e *entrant) graded(a *answer) {
	if a.grader != "" {
		e.graders[a.grader]++
	}
}

// twice refuses a run that has an item twice in a trial.
func (f *field) twice(i int, a *answer) error {
	other := 0
	if i == 0 {
		other = 1
	}
	return twice([2]*Side{f.entrants[other].side, f.entrants[i].side}, 1, a)
}
