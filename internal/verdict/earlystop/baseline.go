package earlystop

import (
	"fmt"
	"iter"

	"verbatim"
	"verbatim/internal/verdict"
)

// A Baseline is what a kept run got for each of its items: the one side of a
// test. It holds some 200 bytes an item, and no texts.
type Baseline struct {
	Run      verbatim.Run
	Unscored int // answers whose score is undefined and counts 0

	items []baselineItem // in the order in which tests ask them
	block int            // how many of them are one block of the order
}

// A based is an item of a baseline.
type baselineItem struct {
	seq       int64 // its place in the plan, in the first trial
	id        string
	length    string
	cell      int     // of its family and length
	answers   int     // of how many trials; 0: it has none
	right     int     // of the answers
	undecided int     // of the answers: see undecidedLimit
	score     float64 // their mean
	label     string  // of the first answer
}

func (b *baselineItem) answered() bool { return b.answers > 0 }

// Survey reads the records of a run, in planned order and without texts, as the
// baseline of tests. Of an item that was asked several times, the mean over its
// answered trials counts.
//
// It refuses, with a *Refusal, runs that cannot be a baseline: those that a test
// has asked itself, and those without an answer.
func ReadBaseline(run verbatim.Run, records iter.Seq2[verbatim.Record, error], score verdict.ScoreFunc) (*Baseline, error) {
	if run.Test != nil {
		return nil, &verdict.Refusal{
			Why: fmt.Sprintf("run %s is itself a test, of kind %s: it holds only what that test had to ask", run.Name, run.Test.Kind),
			Do:  baselineOfTest(run.Test),
		}
	}
	b := &Baseline{Run: run}
	s := baselineReader{Baseline: b, score: score, cells: map[[2]string]int{}, byID: map[string]int{}}
	for rec, err := range records {
		if err == nil {
			err = s.add(&rec)
		}
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", run.Name, err)
		}
	}
	if b.Answered() == 0 {
		return nil, &verdict.Refusal{
			Why: fmt.Sprintf("run %s has no answer that could be compared with", run.Name),
			Do:  "ask it first with 'verbatim run', or name another run: 'verbatim runs' lists them",
		}
	}
	b.arrange()
	return b, nil
}

func baselineOfTest(t *verbatim.Test) string {
	if t.Baseline == "" {
		return "name a run that asked its whole plan: 'verbatim runs' lists them"
	}
	return "name the run that it was compared with: " + t.Baseline
}

// A surveyor makes a Baseline of records.
type baselineReader struct {
	*Baseline
	score verdict.ScoreFunc
	cells map[[2]string]int
	byID  map[string]int // index of each item
}

func (s *baselineReader) add(rec *verbatim.Record) error {
	g, err := verdict.ReadAnswer(rec, s.score)
	if err != nil {
		return err
	}
	i, known := s.byID[rec.Item.ID]
	switch {
	case rec.Trial == 0 && known:
		return fmt.Errorf("item %s: it is there twice", rec.Item.ID)
	case rec.Trial == 0:
		i = len(s.items)
		s.items = append(s.items, s.place(rec))
		s.byID[rec.Item.ID] = i
	case !known:
		return nil // the first trial was never asked: there is no place to ask it at
	}
	it := &s.items[i]
	if !g.Answered() {
		return nil
	}
	if g.Undefined() {
		s.Unscored++
	}
	if it.answers == 0 {
		it.label = g.Label
	}
	it.answers++
	it.score += (g.Score - it.score) / float64(it.answers)
	if g.Right {
		it.right++
	}
	if g.Undecided {
		it.undecided++
	}
	return nil
}

func (s *baselineReader) place(rec *verbatim.Record) baselineItem {
	facts := rec.Item.Facts
	key := [2]string{facts[verbatim.FactFamily], facts[verbatim.FactLength]}
	cell, ok := s.cells[key]
	if !ok {
		cell = len(s.cells)
		s.cells[key] = cell
	}
	return baselineItem{seq: rec.Seq, id: rec.Item.ID, length: key[1], cell: cell}
}

// Items is how many items the run has records of, answered or not.
func (b *Baseline) Items() int { return len(b.items) }

// Answered is how many of the items have an answer.
func (b *Baseline) Answered() (n int) {
	for i := range b.items {
		if b.items[i].answered() {
			n++
		}
	}
	return n
}

// Unanswered is the share of the items that have no answer.
func (b *Baseline) Unanswered() float64 {
	return 1 - float64(b.Answered())/float64(max(b.Items(), 1))
}

// Block is how many items are one block: tests look at the end of each.
func (b *Baseline) Block() int { return b.block }
