package exchange

import (
	"errors"
	"fmt"
	"iter"

	"verbatim"
)

// A Run is a run with its records in planned order. Records may be iterated more than
// once: it reads the files again each time. Its error is one of reading, because the
// contents were checked before.
type Run struct {
	verbatim.Run
	Records iter.Seq2[verbatim.Record, error]
}

// Published is the grader of scores that were published without their replies.
const Published = "published"

// ScoreOnly is the label of a published score below the full one: the fault of the reply
// is unknown.
const ScoreOnly = "score_only"

// ClaimedGrade is the grade of a reply by another program, of which only the score is
// known.
func ClaimedGrade(grader string, score float64) *verbatim.Grade {
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

// UserPrompt is the prompt of one message of the user.
func UserPrompt(text string) verbatim.Prompt {
	return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}
}

// maxErrors is how many errors of one import are listed.
const maxErrors = 20

// Problems collects what is wrong with the files of one import.
type Problems struct {
	errs []error
	more int
}

func (m *Problems) Add(err error) {
	switch {
	case err == nil:
	case len(m.errs) < maxErrors:
		m.errs = append(m.errs, err)
	default:
		m.more++
	}
}

func (m *Problems) Count() int { return len(m.errs) + m.more }

func (m *Problems) Err() error {
	if m.more > 0 {
		return errors.Join(append(m.errs, fmt.Errorf("and %d more errors", m.more))...)
	}
	return errors.Join(m.errs...)
}
