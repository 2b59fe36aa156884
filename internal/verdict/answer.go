package verdict

import (
	"slices"

	"verbatim"
)

// A ScoreFunc returns the score of an answer, and false if it is undefined. An undefined
// score counts 0.
type ScoreFunc func(item *verbatim.Item, g *verbatim.Grade) (float64, bool)

// An ItemScoreFunc returns the score of an item from the numbers of its right answers, of its
// answers, and of its planned trials. It returns false if the answers are too few.
type ItemScoreFunc func(right, answers int64, trials int) (float64, bool)

// An Answer is the part of a record that statistics use.
type Answer struct {
	Seq            int64 // position in the plan
	Trial          int
	Item           string
	Family, Length string
	Outcome        verbatim.Outcome
	Label          string
	Grader         string
	Score          float64
	Defined        bool // whether the score is defined
	Right          bool
	// Undecided: the token limit ended an answer that could still have become right.
	// A run that has more of these than another gets rates that are too low.
	Undecided bool
}

// Answered reports whether the record holds an answer.
func (a *Answer) Answered() bool { return a.Outcome.Answered() }

// Undefined reports whether there is an answer whose score is undefined.
func (a *Answer) Undefined() bool { return a.Answered() && !a.Defined }

// ReadAnswer makes an Answer of a record. A record that contradicts itself is an error.
func ReadAnswer(rec *verbatim.Record, score ScoreFunc) (Answer, error) {
	if rec.Item == nil {
		return Answer{}, &brokenRecord{seq: rec.Seq, why: "a record without an item"}
	}
	a := Answer{
		Seq: rec.Seq, Trial: rec.Trial, Item: rec.Item.ID,
		Family: rec.Item.Facts[verbatim.FactFamily], Length: rec.Item.Facts[verbatim.FactLength],
		Outcome: rec.Outcome,
	}
	if outcomeIndex(rec.Outcome) < 0 {
		return a, &brokenRecord{rec.Seq, a.Item, "unknown outcome " + string(rec.Outcome)}
	}
	if !a.Answered() {
		return a, nil
	}
	g := rec.Grade
	if g == nil {
		return a, &brokenRecord{rec.Seq, a.Item, "outcome " + string(rec.Outcome) + ", but no grade"}
	}
	a.Label, a.Grader, a.Right = g.Label, g.Grader, g.Exact
	a.Undecided = rec.Outcome == verbatim.Truncated && !g.Exact && g.Detail == prefixDetail
	if a.Score, a.Defined = score(rec.Item, g); !a.Defined {
		a.Score = 0
	}
	return a, nil
}

// prefixDetail is the detail that graders give a truncated answer that is empty so far,
// or the beginning of a right one.
const prefixDetail = "prefix"

// outcomeIndex returns the index of an outcome in verbatim.Outcomes; -1 if there is no
// such outcome.
func outcomeIndex(o verbatim.Outcome) int { return slices.Index(verbatim.Outcomes(), o) }

// outcomeCount is the length of verbatim.Outcomes.
const outcomeCount = 8
