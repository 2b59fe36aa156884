package exchange

import (
	"errors"
	"fmt"
	"iter"

	"verbatim"
)

// A Run is a run with its records in planned order. What Records yields may be
// ranged over more than once; it reads the files anew each time, and its error
// is one of reading, since the contents were checked before.
type Run struct {
	verbatim.Run
	Records iter.Seq2[verbatim.Record, error]
}

// Published is the grader of scores that were published without their replies.
const Published = "published"

// ScoreOnly is the label of a published score that is not a full one: what was
// wrong with the reply cannot be known.
const ScoreOnly = "score_only"

// claimed is a Grade of a reply by another program, of which only the score is known.
func claimed(grader string, score float64) *verbatim.Grade {
	right := score == 1
	g := &verbatim.Grade{Grader: grader, Outcome: verbatim.Wrong, Label: ScoreOnly, Exact: right, Extracted: right}
	if right {
		g.Outcome, g.Label = verbatim.Pass, "pass"
	}
	if score >= 0 && score <= 1 {
		g.Score = &score
	}
	return g
}

var errNoOutput = errors.New("the file holds no output of this model for this list")

// maxErrors is how many errors of one import are told.
const maxErrors = 20

// mishaps gathers what is wrong with the files of one import.
type mishaps struct {
	errs []error
	more int
}

func (m *mishaps) add(err error) {
	switch {
	case err == nil:
	case len(m.errs) < maxErrors:
		m.errs = append(m.errs, err)
	default:
		m.more++
	}
}

func (m *mishaps) count() int { return len(m.errs) + m.more }

func (m *mishaps) err() error {
	if m.more > 0 {
		return errors.Join(append(m.errs, fmt.Errorf("and %d more errors", m.more))...)
	}
	return errors.Join(m.errs...)
}
