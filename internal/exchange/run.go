package exchange

import (
	"errors"
	"fmt"
	"iter"

	"verbatim"
)

// A Run is a run with its records in planned order. Records may be iterated more than once, and
// reads the files each time. Its errors are of reading: the contents were checked before.
type Run struct {
	verbatim.Run
	Records iter.Seq2[verbatim.Record, error]
}

// Records returns an iterator over records in memory.
func Records(list []verbatim.Record) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for _, rec := range list {
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// Published is the grader of scores that were published without their replies.
const Published = "published"

// ScoreOnly is the label of a score of another program below the full one: what is wrong with the
// reply is unknown.
const ScoreOnly = "score_only"

// ClaimedGrade returns the grade of a score by another program: a pass for 1, otherwise ScoreOnly.
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

// userPrompt returns a prompt of one message of the user.
func userPrompt(text string) verbatim.Prompt {
	return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}
}

// maxErrors is the most errors of one import that are listed.
const maxErrors = 20

// problems collects the errors of one import.
type problems struct {
	errs []error
	more int // the number of errors after maxErrors
}

// Add adds an error, unless it is nil.
func (p *problems) Add(err error) {
	switch {
	case err == nil:
	case len(p.errs) < maxErrors:
		p.errs = append(p.errs, err)
	default:
		p.more++
	}
}

// Count returns the number of errors.
func (p *problems) Count() int { return len(p.errs) + p.more }

// Err joins the first maxErrors errors, and says how many more there are; nil without any.
func (p *problems) Err() error {
	if p.more > 0 {
		return errors.Join(append(p.errs, fmt.Errorf("and %d more errors", p.more))...)
	}
	return errors.Join(p.errs...)
}
