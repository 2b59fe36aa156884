package earlystop

import (
	"fmt"
	"iter"

	"verbatim"
	"verbatim/internal/verdict"
)

// A Baseline is the saved run that a test compares with. It has no texts, and takes about 200
// bytes for each item.
type Baseline struct {
	Run      verbatim.Run
	Unscored int // answers with an undefined score, which counts 0

	items []baselineItem // in the order in which tests send them
	block int            // items per block of the order
}

// A baselineItem is an item of a baseline.
type baselineItem struct {
	seq       int64 // position in the plan, of the first trial
	id        string
	length    string
	cell      int     // cell of family and length
	answers   int     // number of answered trials
	right     int     // of the answers
	undecided int     // of the answers
	score     float64 // mean of the answers
	label     string  // of the first answer
}

// answered reports whether the item has an answer.
func (b *baselineItem) answered() bool { return b.answers > 0 }

// ReadBaseline reads the records of a run, in planned order and without texts, as the
// baseline of tests. The score of an item is the mean over its answered trials.
//
// Runs that cannot be a baseline give a *Refusal: runs of a test, and runs without an
// answer.
func ReadBaseline(run verbatim.Run, records iter.Seq2[verbatim.Record, error], score verdict.ScoreFunc) (*Baseline, error) {
	if run.Test != nil {
		return nil, &verdict.Refusal{
			Why: fmt.Sprintf("run %s belongs to a test (%s) and has only a part of the items", run.Name, run.Test.Kind),
			Do:  baselineOfTest(run.Test),
		}
	}
	b := &Baseline{Run: run}
	reader := baselineReader{Baseline: b, score: score, cells: map[[2]string]int{}, byID: map[string]int{}}
	for rec, err := range records {
		if err == nil {
			err = reader.add(&rec)
		}
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", run.Name, err)
		}
	}
	if b.answered() == 0 {
		return nil, &verdict.Refusal{
			Why: fmt.Sprintf("run %s has no answer to compare with", run.Name),
			Do:  "continue it with 'verbatim run', or name another run: 'verbatim runs' lists them",
		}
	}
	b.arrange()
	return b, nil
}

// baselineOfTest is the hint to name a baseline instead of a run that belongs to a test.
func baselineOfTest(t *verbatim.Test) string {
	if t.Baseline == "" {
		return "name a run of a whole plan: 'verbatim runs' lists them"
	}
	return "name its baseline: " + t.Baseline
}

// A baselineReader makes a Baseline of records.
type baselineReader struct {
	*Baseline
	score verdict.ScoreFunc
	cells map[[2]string]int
	byID  map[string]int // index of each item
}

// add adds a record to the baseline.
func (s *baselineReader) add(rec *verbatim.Record) error {
	a, err := verdict.ReadAnswer(rec, s.score)
	if err != nil {
		return err
	}
	i, known := s.byID[rec.Item.ID]
	switch {
	case rec.Trial == 0 && known:
		return &verdict.Refusal{Why: "there are two records of item " + rec.Item.ID, Do: "'verbatim runs --verify' says whether the database is damaged"}
	case rec.Trial == 0:
		i = len(s.items)
		s.items = append(s.items, s.newItem(rec))
		s.byID[rec.Item.ID] = i
	case !known:
		return nil // without a first trial, the item has no position
	}
	it := &s.items[i]
	if !a.Answered() {
		return nil
	}
	if a.Undefined() {
		s.Unscored++
	}
	if it.answers == 0 {
		it.label = a.Label
	}
	it.answers++
	it.score += (a.Score - it.score) / float64(it.answers)
	if a.Right {
		it.right++
	}
	if a.Undecided {
		it.undecided++
	}
	return nil
}

// newItem makes an item from its first record.
func (s *baselineReader) newItem(rec *verbatim.Record) baselineItem {
	facts := rec.Item.Facts
	key := [2]string{facts[verbatim.FactFamily], facts[verbatim.FactLength]}
	cell, ok := s.cells[key]
	if !ok {
		cell = len(s.cells)
		s.cells[key] = cell
	}
	return baselineItem{seq: rec.Seq, id: rec.Item.ID, length: key[1], cell: cell}
}

// Items is the number of items with a record.
func (b *Baseline) Items() int { return len(b.items) }

// Answered is the number of items with an answer.
func (b *Baseline) answered() (n int) {
	for i := range b.items {
		if b.items[i].answered() {
			n++
		}
	}
	return n
}

// Unanswered is the share of items without an answer.
func (b *Baseline) unanswered() float64 {
	return 1 - float64(b.answered())/float64(max(b.Items(), 1))
}

// Block is the number of items of a block: tests decide at the end of a block.
func (b *Baseline) Block() int { return b.block }
