package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// errAnswered is the error of a record for a position that has an answer.
var errAnswered = errors.New("has an answer already, which is never replaced")

// Insert saves a record at a free position, or at one whose record has no answer. It returns
// the outcome of the record that it replaced, "" for none. A position with an answer is an
// errAnswered.
func (k *inserter) Insert(e *Entry) (replaced verbatim.Outcome, err error) {
	item, prompt, err := k.itemAndPrompt(e)
	if err != nil {
		return "", err
	}
	return k.Record(e.Run, item, prompt, &e.Rec)
}

// itemAndPrompt returns the results of Item and Prompt for an entry.
func (k *inserter) itemAndPrompt(e *Entry) (item savedItem, prompt any, err error) {
	if item, err = k.Item(&e.item); err == nil {
		prompt, err = k.Prompt(e.prompt, item.ID)
	}
	return item, prompt, err
}

// Record is Insert for an item and a prompt that are saved already.
func (k *inserter) Record(run int64, item savedItem, prompt any, rec *verbatim.Record) (replaced verbatim.Outcome, err error) {
	position := positionKey(run, rec.Seq)
	var grader any
	outcome, err := codeOf(outcomes, rec.Outcome)
	if err != nil {
		return "", err
	}
	key := tallyKey{run, 0, outcome}
	if g := rec.Grade; g != nil {
		if key.grader, key.outcome, err = k.grade(position, g); err != nil {
			return "", fmt.Errorf("position %d: %w", rec.Seq, err)
		}
		grader, outcome = key.grader, key.outcome
	}
	attempt, tried := inlineAttempt(rec.Reply), k.Tried[position]
	if tried {
		attempt = nil // the table attempt has earlier ones
		delete(k.Tried, position)
	}
	n, err := k.reply(position, item, prompt, outcome, grader, rec, attempt)
	if err == nil && n == 0 {
		attempt = nil // the attempts of the replaced record stay in the table attempt
		if replaced, err = k.clear(position); err == nil {
			_, err = k.reply(position, item, prompt, outcome, grader, rec, nil)
		}
	}
	if err != nil {
		return "", err
	}
	k.tally[key]++
	if err := k.removeReservations(position); err != nil {
		return "", err
	}
	return replaced, k.insertTexts(position, rec, attempt == nil, tried || replaced != "")
}

// clear deletes a record without an answer, except for its attempts, and returns its outcome.
func (k *inserter) clear(position int64) (verbatim.Outcome, error) {
	var old int64
	if _, err := k.c.QueryOne(context.Background(), func(r *sqlite.Rows) { old = r.Int() }, `SELECT outcome FROM reply WHERE place = ?`, position); err != nil {
		return "", err
	}
	replaced := Decode(outcomes, old)
	if replaced.Answered() {
		return "", fmt.Errorf("position %d of run %d %w", sequenceOf(position), position>>32, errAnswered)
	}
	for _, sql := range []string{`DELETE FROM reply WHERE place = ?`, `DELETE FROM failure WHERE place = ?`} {
		if _, _, err := k.c.Exec(sql, position); err != nil {
			return "", err
		}
	}
	k.tally[tallyKey{position >> 32, 0, old}]--
	return replaced, nil
}

// atOnce is the number of records that one statement for each table inserts. A statement costs
// much more than a row of it; more rows gain little.
const atOnce = 8

// InsertAll is Insert for several records, in their order. It calls done for each one with the
// outcome of the record that it replaced.
func (k *inserter) insertAll(group []*Entry, done func(e *Entry, replaced verbatim.Outcome)) error {
	for some := range slices.Chunk(group, atOnce) {
		fresh, err := k.allNew(some)
		if err != nil {
			return err
		}
		if fresh {
			if err := k.insertMany(some); err != nil {
				return err
			}
		}
		for _, e := range some {
			var replaced verbatim.Outcome
			if !fresh {
				if replaced, err = k.Insert(e); err != nil {
					return err
				}
			}
			done(e, replaced)
		}
	}
	return nil
}

// allNew reports whether insertMany can save these records: there are atOnce of them, each has a
// reply, and each has a free position of its own.
func (k *inserter) allNew(some []*Entry) (bool, error) {
	if len(some) < atOnce {
		return false, nil
	}
	args := k.args[:0]
	for i, e := range some {
		if e.Rec.Reply == nil || slices.ContainsFunc(some[:i], func(other *Entry) bool { return other.position() == e.position() }) {
			return false, nil
		}
		args = append(args, e.position())
	}
	occupied, err := k.c.QueryOne(context.Background(), func(*sqlite.Rows) {}, anyOccupied, args...)
	return !occupied && err == nil, err
}

// anyOccupied selects a row if one of atOnce positions has a record.
var anyOccupied = `SELECT 1 FROM reply WHERE place IN (?` + strings.Repeat(`, ?`, atOnce-1) + `) LIMIT 1`

// insertMany saves records for which allNew holds, table by table.
func (k *inserter) insertMany(some []*Entry) error {
	var row [atOnce]struct {
		item            savedItem
		outcome, grader int64
		prompt          any
		inline          *verbatim.Attempt // nil: the table attempt has the attempts
		tried           bool
	}
	var err error
	for i, e := range some {
		if row[i].item, row[i].prompt, err = k.itemAndPrompt(e); err != nil {
			return err
		}
	}
	args := k.args[:0]
	for i, e := range some {
		if args, row[i].grader, row[i].outcome, err = k.gradeRow(args, e.position(), e.Rec.Grade); err != nil {
			return fmt.Errorf("position %d: %w", e.Rec.Seq, err)
		}
	}
	if err := k.c.InsertMany(`INSERT`+intoGrade, args, atOnce); err != nil {
		return err
	}
	args = args[:0]
	for i, e := range some {
		if row[i].tried = k.Tried[e.position()]; !row[i].tried {
			row[i].inline = inlineAttempt(e.Rec.Reply)
		}
		if args, err = k.replyRow(args, e.position(), row[i].item, row[i].prompt, row[i].outcome, row[i].grader, &e.Rec, row[i].inline); err != nil {
			return err
		}
	}
	if err := k.c.InsertMany(insertReply, args, atOnce); err != nil {
		return err
	}
	k.args = args[:0] // of the three, this list is the longest
	args = args[:0]
	for _, e := range some {
		args = answerRow(args, e.position(), e.Rec.Reply)
	}
	if err := k.c.InsertMany(insertAnswer, args, atOnce); err != nil {
		return err
	}
	for i, e := range some {
		k.tally[tallyKey{e.Run, row[i].grader, row[i].outcome}]++
		if err := k.removeReservations(e.position()); err != nil {
			return err
		}
		if row[i].inline == nil {
			delete(k.Tried, e.position())
			if err := k.Attempts(e.position(), e.Rec.Reply.Attempts, row[i].tried); err != nil {
				return err
			}
		}
	}
	return nil
}
