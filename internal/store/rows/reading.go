package rows

import (
	"context"
	"fmt"
	"strings"

	"verbatim/internal/store/sqlite"
)

// Read selects the parts of a run's records that are read. The zero value reads all fields except
// texts, measures and attempts.
type Read struct {
	// Graders are the versions whose grades are read, such as "list/2", one for each grader that
	// the run needs: store.Common returns them. Without any it is the newest grade of each
	// record.
	Graders []string
	// Texts reads prompts, expected answers, sources, replies, reasoning, request ids, rate
	// limits and log probabilities.
	Texts    bool
	Measures bool // of grades
	// Attempts reads the attempts of replies and failures. The request id of a reply's only
	// attempt is that of the reply, and is read only with Texts.
	Attempts bool
	// Scores reads only the fields that comparisons need, which is several times as fast:
	//   - of a record: Seq, Item, Trial, Outcome, Grade
	//   - of its item: ID, Facts, Grader
	//   - of its grade: all except Repair, Rule, Span and Flags; Detail only of the outcome
	//     truncated; Measures if they are selected
	// It excludes Texts, Attempts and Tables.
	Scores bool
	// Tables reads only the fields that the tables of a report need:
	//   - of a record: Seq, Item, Trial, Outcome, Grade, Reply, Failure
	//   - of its item and its grade: as Scores, and the Flags
	//   - of its reply: Finish, FinishRaw if Finish is FinishOther, Usage without Cached, Times
	//     without FirstByte, ServedModel, Fingerprint, Applied, ReasoningField, Marks, Cost
	//   - of its failure: Class
	//   - of attempts: N, Start, Class, Cost, Upstream; none of a reply whose first attempt
	//     succeeded
	// Other fields may be empty. A record is valid until the next one is read. Tables excludes
	// Texts and Scores.
	Tables bool
	// From is the first position to read, and Positions the number of positions from there on,
	// whether they have a record or not; 0 is all that follow. A run can be read piece by piece,
	// without a view of the file that stays open in between.
	From, Positions int64

	Columns  bool // do not use briefs: for tests that compare both ways
	Ungraded bool // do not read grades: the export reads those of all versions by itself
	// Read is called with the number of records after the last one. If it is nil, that number is
	// compared with the number of saved records, if the whole run was read.
	Read func(ctx context.Context, c *sqlite.Conn, n int64) error
}

// Span returns the first and the last key of the positions to read. Without any, the last is
// before the first.
func (what Read) Span(run int64) (first, last int64, err error) {
	if what.From < 0 || what.Positions < 0 {
		return 0, 0, fmt.Errorf("run %d: cannot read %d positions from position %d: neither number may be below 0", run, what.Positions, what.From)
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

// ungraded returns the error of an answer without a grade by the graders of a Read. It is a
// Corrupt error if the answer must have one: every answer has a grade by its newest grader, and
// one by each grader that is counted for every answer, as those of store.Common are. Otherwise
// it is a notGraded.
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
		return c.CorruptError("the grade of position %d of run %d is missing", seq, run)
	case graded >= answers:
		return c.CorruptError("the grade of position %d of run %d by %s is missing", seq, run, strings.Join(graders, ", "))
	}
	return &notGraded{run, seq, graders}
}

// notGraded is the error of an answer that the graders of a Read have not graded.
type notGraded struct {
	run, seq int64
	graders  []string
}

// Error names the position and the graders.
func (e *notGraded) Error() string {
	return fmt.Sprintf("position %d of run %d has no grade by %s: regrade the run", e.seq, e.run, strings.Join(e.graders, ", "))
}

// Hint names the commands.
func (e *notGraded) Hint() string {
	return fmt.Sprintf("`verbatim regrade %d`; `verbatim runs --verify` says whether the database is damaged", e.run)
}
