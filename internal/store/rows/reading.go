package rows

import (
	"context"
	"fmt"
	"strings"

	"verbatim/internal/store/sqlite"
)

// Read says what of a run's records is read. The zero value reads what tables
// are made of: who, when, how long, how many tokens, which outcome and label.
type Read struct {
	// Graders are the versions whose grades are read, such as "list/2", one for
	// each grader that the run needs; Common gives them. None: the newest grade of
	// each record.
	Graders []string
	// Texts reads prompts, wanted answers, sources, replies, reasoning, request
	// ids and rate limits; without it these are empty.
	Texts    bool
	Measures bool // of grades
	// Attempts reads those of replies and failures. The request id of a try that
	// was the only one is that of its reply, and is read with Texts alone.
	Attempts bool
	// Scores reads what comparisons need, and that fast: of a record its Seq, Item,
	// Trial, Outcome and Grade; of the item its ID, Facts and Grader; of the grade
	// all but Repair and Flags, the Detail only of the outcome limit (that of an empty
	// reply, or of the beginning of a right one, is "prefix"), and Measures where they
	// are asked for, which takes longer. Everything else is empty. Texts and Attempts
	// do not go with it.
	Scores bool
	// Tables reads what the tables of a report count, and that fast: of a record its Seq,
	// Item, Trial, Outcome, Grade, Reply and Failure; of the item and the grade what
	// Scores reads, and Flags; of the reply Finish, FinishRaw where that is FinishOther, the tokens but for Cached, when it
	// started, how long it and its first content took, ServedModel and Cost; of the
	// failure its Class. Attempts have their N, Start, Class, Cost and Upstream, and those of a
	// reply are there only where the first try was not the one that succeeded.
	// Everything else may be empty, but for Measures where they are asked for. A record
	// is good until the next one is read. Texts and Scores do not go with it.
	Tables bool
	// From is the first position that is read, and Positions how many positions from there
	// on, whether they are saved or not; 0 is all that follow. So a run can be read
	// piece by piece, without a view of the file that stays open in between.
	From, Positions int64

	Columns  bool // read no briefs, to test that they say the same
	Ungraded bool // the export reads grades of all versions by itself
	// read is called with the number of records when all of a range are read; nil:
	// a range that is a whole run must have as many as are counted.
	Read func(ctx context.Context, c *sqlite.Conn, n int64) error
}

// Span is the first and last key of the positions to read; the last is before the
// first where there are none.
func (what Read) Span(run int64) (first, last int64, err error) {
	if what.From < 0 || what.Positions < 0 {
		return 0, 0, fmt.Errorf("run %d has no places before its first: %d of them from %d cannot be read", run, what.Positions, what.From)
	}
	first, last = Span(run)
	if what.From > MaxSeq {
		return last, last - 1, nil
	}
	first += what.From
	if what.Positions > 0 && what.Positions <= last-first {
		last = first + what.Positions - 1
	}
	return first, last, nil
}

// ungraded says that an answer has no grade by the graders that were asked for. Every
// answer has one by its newest grader, and graders that are counted for every answer,
// as those of Common are, have one of each.
func ungraded(ctx context.Context, c *sqlite.Conn, run, seq int64, graders []string) error {
	var answers, graded int64
	_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { answers = r.Int() }, `SELECT sum(n) FROM tally WHERE run = ? AND grader <> 0`, run)
	for _, grader := range graders {
		if err != nil {
			return err
		}
		_, err = c.QueryOne(ctx, func(r *sqlite.Rows) { graded += r.Int() }, `SELECT n FROM graded JOIN word ON word.id = grader WHERE run = ? AND text = ?`, run, grader)
	}
	switch {
	case err != nil:
		return err
	case len(graders) == 0:
		return c.CorruptError("the grade of place %d of run %d is missing", seq, run)
	case graded >= answers:
		return c.CorruptError("the grade of place %d of run %d by %s is missing", seq, run, strings.Join(graders, ", "))
	}
	return &notGraded{run, seq, graders}
}

// notGraded is the error of an answer that has no grade by the graders that were asked
// for.
type notGraded struct {
	run, seq int64
	graders  []string
}

// Error names the position and the graders.
func (e *notGraded) Error() string {
	return fmt.Sprintf("place %d of run %d has no grade by %s: regrade the run", e.seq, e.run, strings.Join(e.graders, ", "))
}

// Hint says how.
func (e *notGraded) Hint() string {
	return fmt.Sprintf("`verbatim regrade %d`; `verbatim runs --verify` says whether the database is damaged", e.run)
}
