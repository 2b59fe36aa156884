package store

import (
	"context"
	"fmt"

	"verbatim/internal/store/sqlite"
)

// Read selects the parts of a run's records that are read. The zero value reads all fields except
// texts, measures and attempts.
type Read struct {
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

	Columns bool // do not use briefs: for tests that compare both ways
	// Read is called with the number of records after the last one. If it is nil, that number is
	// compared with the number of saved records, if the whole run was read.
	Read func(ctx context.Context, c *sqlite.Conn, n int64) error
}

// span returns the first and the last key of the positions to read. Without any, the last is
// before the first.
func (what Read) Span(run int64) (first, last int64, err error) {
	if what.From < 0 || what.Positions < 0 {
		return 0, 0, fmt.Errorf("run %d: cannot read %d positions from position %d: neither number may be below 0", run, what.Positions, what.From)
	}
	first, last = span(run)
	if what.From > MaxSeq {
		return last, last - 1, nil
	}
	first += what.From
	if what.Positions > 0 && what.Positions <= last-first {
		last = first + what.Positions - 1
	}
	return first, last, nil
}
