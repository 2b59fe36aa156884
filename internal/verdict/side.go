package verdict

import (
	"iter"

	"verbatim"
)

// A Side is one run of a comparison.
type Side struct {
	Run verbatim.Run
	// Ref is what names the run on a command line; empty: its name.
	Ref string
	// Note is what must be said wherever the numbers appear, such as that the
	// model is simulated.
	Note string
	// Records are those of the run in planned order, each request once, without
	// texts. They may be ranged over more than once, and are while those of the
	// other side are, by another goroutine.
	Records iter.Seq2[verbatim.Record, error]
}

// ref returns what names the run on a command line.
func (s *Side) ref() string {
	if s.Ref != "" {
		return s.Ref
	}
	return s.Run.Name
}

// An answer is what a comparison needs to know of a record.
type answer struct {
	seq            int64
	trial          int
	item           string
	family, length string
	outcome        verbatim.Outcome
	label          string
	grader         string
	score          float64
	scored         bool // false: the score is undefined
	right          bool
	undecided      bool // a limit after which a right answer could have followed
}

// read makes an answer of a record. A record that contradicts itself is an error.
func (o *Options) read(rec *verbatim.Record) (answer, error) {
	if rec.Item == nil {
		return answer{}, &brokenRecord{seq: rec.Seq, why: "a record without an item"}
	}
	a := answer{
		seq: rec.Seq, trial: rec.Trial, item: rec.Item.ID,
		family: rec.Item.Facts[verbatim.FactFamily], length: rec.Item.Facts[verbatim.FactLength],
		outcome: rec.Outcome,
	}
	if _, ok := slot(rec.Outcome); !ok {
		return a, &brokenRecord{rec.Seq, a.item, "an outcome that does not exist: " + string(rec.Outcome)}
	}
	if !rec.Outcome.Answered() {
		return a, nil
	}
	g := rec.Grade
	if g == nil {
		return a, &brokenRecord{rec.Seq, a.item, "outcome " + string(rec.Outcome) + ", but no grade"}
	}
	a.label, a.grader, a.right = g.Label, g.Grader, g.Strict
	a.undecided = rec.Outcome == verbatim.Limit && !g.Strict && g.Detail == couldFollow
	a.score, a.scored = o.Score(rec.Item, g)
	if !a.scored {
		a.score = 0
	}
	return a, nil
}

// couldFollow is the detail that graders give a limit after which a right answer
// could have followed: nothing was said yet, or its beginning.
const couldFollow = "prefix"

// slot returns the place of an outcome in the order of verbatim.Outcomes.
func slot(o verbatim.Outcome) (int, bool) {
	switch o {
	case verbatim.Pass:
		return 0, true
	case verbatim.Wrapped:
		return 1, true
	case verbatim.Wrong:
		return 2, true
	case verbatim.Refused:
		return 3, true
	case verbatim.Limit:
		return 4, true
	case verbatim.CutOff:
		return 5, true
	case verbatim.Errored:
		return 6, true
	case verbatim.Skipped:
		return 7, true
	}
	return 0, false
}

// outcomes is how many outcomes there are.
const outcomes = 8
