package verdict

import (
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/errkind"
)

// An itemResult sums up the records of one item in one run, over all trials.
type itemResult struct {
	Records   int64 // answered or not
	Answers   int64
	ScoreSum  float64
	Scored    int64 // number of scores in ScoreSum: the answers, or 1 for the score of an item
	Undefined int64 // answers whose score is undefined; they count 0
	Fractions bool  // an answer has a score that is neither 0 nor 1
	Right     int64
	Undecided int64 // answers that were truncated before they could be judged
	outcomes  [outcomeCount]int64
	label     string // of the first answer that is not right, otherwise of the first
	outcome   verbatim.Outcome
	failed    bool // label and outcome are those of an answer that is not right
}

// add counts the answer of a trial.
func (r *itemResult) add(a *Answer) {
	r.outcomes[outcomeIndex(a.Outcome)]++
	if r.Records++; r.Records == 1 || r.Answers == 0 {
		r.label, r.outcome = a.Label, a.Outcome
	}
	if !a.Answered() {
		return
	}
	if r.Answers++; !a.Right && !r.failed {
		r.label, r.outcome, r.failed = a.Label, a.Outcome, true
	}
	r.ScoreSum += a.Score
	r.Scored++
	r.Fractions = r.Fractions || a.Score != 0 && a.Score != 1
	if !a.Defined {
		r.Undefined++
	}
	if a.Right {
		r.Right++
	}
	if a.Undecided {
		r.Undecided++
	}
}

// MeanScore is the mean of the scores. There must be at least one.
func (r *itemResult) meanScore() float64 { return r.ScoreSum / float64(r.Scored) }

// scoreItem replaces the scores of the answers by the score of the item; a nil score changes
// nothing. An item with too few answers for its score counts as one without an answer.
func (r *itemResult) scoreItem(score ItemScoreFunc, trials int) {
	if score == nil || r.Answers == 0 {
		return
	}
	s, ok := score(r.Right, r.Answers, trials)
	if !ok {
		r.Answers = 0
		return
	}
	r.ScoreSum, r.Scored, r.Undefined, r.Fractions = s, 1, 0, s != 0 && s != 1
}

// rightShare is the share of the answers that are right.
func (r *itemResult) rightShare() float64 { return float64(r.Right) / float64(r.Answers) }

// A MatchedItem is an item with its results in every run.
type MatchedItem struct {
	ID, Family, Length string
	Runs               []itemResult // in the order of the runs; Records is 0 for a run without a record
}

// match reads the records of several runs, and calls visit once for every item of which a run
// has a record. visit must not keep the item. The score of an item is the mean over its
// answers, or its itemScore if that is not nil. Match returns the graders of each run.
//
// Runs of one plan with one trial are read side by side, one answer of each at a time.
// Other runs are matched by item, in memory that grows with the number of items.
func match(sides []*Side, score ScoreFunc, itemScore ItemScoreFunc, visit func(*MatchedItem) error) ([]Graders, error) {
	m := &matcher{sides: sides, score: score, graders: make([]Graders, len(sides))}
	m.visit = func(item *MatchedItem) error {
		for i := range item.Runs {
			item.Runs[i].scoreItem(itemScore, max(sides[i].Run.Plan.Trials, 1))
		}
		return visit(item)
	}
	first := &sides[0].Run.Plan
	byPosition := true
	for i, s := range sides {
		m.graders[i] = Graders{}
		byPosition = byPosition && s.Run.Plan.Hash == first.Hash && s.Run.Plan.Trials == 1
	}
	if byPosition {
		return m.graders, m.matchPositions()
	}
	return m.graders, m.matchItems()
}

// A matcher is one call of Match.
type matcher struct {
	sides   []*Side
	score   ScoreFunc
	visit   func(*MatchedItem) error
	graders []Graders
}

// matchPositions reads all runs side by side, in the order of the plan.
func (m *matcher) matchPositions() error {
	k := len(m.sides)
	streams, heads := make([]*answerStream, k), make([]*Answer, k)
	last := slices.Repeat([]int64{-1}, k)
	advance := func(i int) error {
		a, err := streams[i].next()
		if heads[i] = a; err != nil || a == nil {
			return err
		}
		if a.Seq <= last[i] {
			return m.duplicate(i, a)
		}
		last[i] = a.Seq
		m.graders[i].count(a)
		return nil
	}
	for i, side := range m.sides {
		streams[i] = newAnswerStream(side, m.score)
		defer streams[i].stop()
	}
	for i := range streams {
		if err := advance(i); err != nil {
			return err
		}
	}
	item := &MatchedItem{Runs: make([]itemResult, k)}
	for {
		first := earliest(heads)
		if first < 0 {
			return nil
		}
		seq := heads[first].Seq
		item.ID, item.Family, item.Length = heads[first].Item, heads[first].Family, heads[first].Length
		clear(item.Runs)
		for i, a := range heads {
			if a == nil || a.Seq != seq {
				continue
			}
			if a.Item != item.ID {
				return errkind.Damagedf("position %d of the plan is item %s in run %s and item %s in run %s: the data of one of them are damaged",
					seq, item.ID, m.sides[first].Run.Name, a.Item, m.sides[i].Run.Name)
			}
			item.Runs[i].add(a)
		}
		if err := m.visit(item); err != nil {
			return err
		}
		for i, a := range heads {
			if a != nil && a.Seq == seq {
				if err := advance(i); err != nil {
					return err
				}
			}
		}
	}
}

// earliest returns the run whose next answer has the lowest position; -1 if all runs
// are read.
func earliest(heads []*Answer) int {
	first := -1
	for i, a := range heads {
		if a != nil && (first < 0 || a.Seq < heads[first].Seq) {
			first = i
		}
	}
	return first
}

// matchItems reads one run after the other.
func (m *matcher) matchItems() error {
	type entry struct {
		MatchedItem
		trials [][]int // by run
	}
	var order []*entry
	known := make(map[string]*entry)
	for i, side := range m.sides {
		for rec, err := range side.Records {
			var a Answer
			if err == nil {
				a, err = ReadAnswer(&rec, m.score)
			}
			if err != nil {
				return fmt.Errorf("run %s: %w", side.Run.Name, err)
			}
			e := known[a.Item]
			if e == nil {
				e = &entry{MatchedItem{a.Item, a.Family, a.Length, make([]itemResult, len(m.sides))}, make([][]int, len(m.sides))}
				known[a.Item] = e
				order = append(order, e)
			}
			if slices.Contains(e.trials[i], a.Trial) {
				return m.duplicate(i, &a)
			}
			e.trials[i] = append(e.trials[i], a.Trial)
			e.Runs[i].add(&a)
			m.graders[i].count(&a)
		}
	}
	for _, e := range order {
		if err := m.visit(&e.MatchedItem); err != nil {
			return err
		}
	}
	return nil
}

// duplicate is the Refusal of run i, which has two records of an item in one trial.
func (m *matcher) duplicate(i int, a *Answer) error {
	return &Refusal{RunA: m.sides[0].Run.Name, RunB: m.sides[max(i, 1)].Run.Name, Field: "items",
		Why: fmt.Sprintf("run %s has item %s twice in trial %d", m.sides[i].Run.Name, a.Item, a.Trial),
		Do:  "a run has every item once in a trial: import it again from its source"}
}
