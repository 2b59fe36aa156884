package autorank

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/verdict"
)

// An itemScores holds the scores of all runs for one item.
type itemScores struct {
	item, mode, length string
	answered           []bool
	scores             []float64   // by run; NaN is undefined
	measures           [][]float64 // by run and measure
}

// A dataset is the items that all runs answered.
type dataset struct {
	items   []*itemScores
	runs    int
	leftOut int64
}

// readItems reads the records of all runs, and rejects runs that cannot be compared.
func readItems(sides []verdict.Side, o *Options) (*dataset, error) {
	known := make(map[string]*itemScores)
	var order []*itemScores
	var first verdict.Graders
	for i := range sides {
		run := &sides[i].Run
		if err := verdict.CheckComparable(&sides[0].Run, run); i > 0 && err != nil {
			return nil, err
		}
		graders := verdict.Graders{}
		for rec, err := range sides[i].Records {
			if err != nil {
				return nil, fmt.Errorf("run %s: %w", run.Name, err)
			}
			if _, err := verdict.ReadAnswer(&rec, o.Score); err != nil {
				return nil, fmt.Errorf("run %s: %w", run.Name, err)
			}
			s := known[rec.Item.ID]
			if s == nil {
				s = newItemScores(rec.Item, len(sides))
				known[s.item], order = s, append(order, s)
			}
			if !rec.Outcome.Answered() {
				continue
			}
			if s.answered[i] {
				return nil, &verdict.Refusal{RunA: sides[0].Run.Name, RunB: run.Name, Field: "trials", Why: fmt.Sprintf("%s has several answers to item %s", run.Name, s.item),
					Do: "the signed-rank analysis needs one trial; leave out --method"}
			}
			graders[rec.Grade.Grader]++
			s.add(i, &rec, o)
		}
		if i == 0 {
			first = graders
		} else if err := verdict.CheckGraders(&sides[0].Run, run, first, graders); err != nil {
			return nil, err
		}
	}
	c := &dataset{runs: len(sides)}
	for _, s := range order {
		if slices.Contains(s.answered, false) {
			c.leftOut++
		} else {
			c.items = append(c.items, s)
		}
	}
	if len(c.items) < 2 {
		return nil, &verdict.Refusal{RunA: sides[0].Run.Name, RunB: sides[len(sides)-1].Run.Name, Field: "items",
			Why: fmt.Sprintf("only %d items have an answer of every run; a ranking needs at least 2", len(c.items)), Do: "run all of them with the same flags"}
	}
	return c, nil
}

// newItemScores returns the scores of an item without answers.
func newItemScores(it *verbatim.Item, runs int) *itemScores {
	return &itemScores{item: it.ID, mode: it.Facts[verbatim.FactMode], length: it.Facts[verbatim.FactLength],
		answered: make([]bool, runs), scores: make([]float64, runs), measures: make([][]float64, runs)}
}

// add adds the scores of a run's answer.
func (s *itemScores) add(run int, rec *verbatim.Record, o *Options) {
	value := func(score verdict.ScoreFunc) float64 {
		if v, ok := score(rec.Item, rec.Grade); ok {
			return v
		}
		return math.NaN()
	}
	s.answered[run] = true
	s.scores[run] = value(o.Score)
	for _, m := range o.Measures {
		s.measures[run] = append(s.measures[run], value(m.Value))
	}
}

// lengths lists the lengths of the items in rising order; names that are not numbers come
// last.
func (c *dataset) lengths() []string {
	seen := make(map[string]bool)
	var list []string
	for _, s := range c.items {
		if !seen[s.length] {
			seen[s.length] = true
			list = append(list, s.length)
		}
	}
	slices.SortStableFunc(list, func(x, y string) int {
		i, errI := strconv.Atoi(x)
		j, errJ := strconv.Atoi(y)
		switch {
		case errI == nil && errJ == nil:
			return i - j
		case errI == nil:
			return -1
		case errJ == nil:
			return 1
		}
		return 0
	})
	return list
}
