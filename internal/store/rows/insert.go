package rows

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// Insert writes one record: a new position, or the position of a record without an
// answer. It returns the outcome of the record that it replaced, "" for none.
// It never replaces an answer.
func (k *Inserter) Insert(e *Entry) (replaced verbatim.Outcome, err error) {
	item, err := k.Item(&e.item)
	if err != nil {
		return "", err
	}
	prompt, err := k.Prompt(e.prompt, item.ID)
	if err != nil {
		return "", err
	}
	return k.Record(e.Run, item, prompt, &e.Rec)
}

// Record is keep for an item and a prompt that are saved already.
func (k *Inserter) Record(run int64, item SavedItem, prompt any, rec *verbatim.Record) (replaced verbatim.Outcome, err error) {
	position := PositionKey(run, rec.Seq)
	var grader any
	outcome, err := CodeOf(Outcomes, rec.Outcome)
	if err != nil {
		return "", err
	}
	key := tallyKey{run, 0, outcome}
	if g := rec.Grade; g != nil {
		if key.grader, key.outcome, err = k.grade(position, g); err != nil {
			return "", fmt.Errorf("place %d: %w", rec.Seq, err)
		}
		grader, outcome = key.grader, key.outcome
		k.tally[tallyKey{run, key.grader, -1}]++
	}
	attempt, tried := InlineAttempt(rec.Reply), k.Tried[position]
	if tried {
		attempt = nil // it stands with those before
		delete(k.Tried, position)
	}
	n, err := k.reply(position, item, prompt, outcome, grader, rec, attempt)
	if err == nil && n == 0 {
		attempt = nil // it stands with those that were in vain
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

// clear removes a record without an answer, so that another can take its place.
// Its attempts stay.
func (k *Inserter) clear(position int64) (verbatim.Outcome, error) {
	var old int64
	if _, err := k.c.QueryOne(context.Background(), func(r *sqlite.Rows) { old = r.Int() }, `SELECT outcome FROM reply WHERE place = ?`, position); err != nil {
		return "", err
	}
	replaced := Decode(Outcomes, old)
	if replaced.Answered() {
		return "", fmt.Errorf("place %d of run %d has an answer already, which is never replaced", SequenceOf(position), position>>32)
	}
	for _, sql := range []string{`DELETE FROM reply WHERE place = ?`, `DELETE FROM failure WHERE place = ?`} {
		if _, _, err := k.c.Exec(sql, position); err != nil {
			return "", err
		}
	}
	k.tally[tallyKey{position >> 32, 0, old}]--
	return replaced, nil
}

// AtOnce is how many records go into one statement for each table. Much of what
// a row costs is the statement around it; beyond a few rows little is gained.
const AtOnce = 8

// InsertAll writes records like keep, in their order, and tells done what each has
// replaced.
func (k *Inserter) InsertAll(group []*Entry, done func(e *Entry, replaced verbatim.Outcome)) error {
	for some := range slices.Chunk(group, AtOnce) {
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

// allNew reports whether many can write these records: as many as go into a
// statement, with a reply each, and each at a position of its own where nothing is.
func (k *Inserter) allNew(some []*Entry) (bool, error) {
	if len(some) < AtOnce {
		return false, nil
	}
	args := k.args[:0]
	for i, e := range some {
		position := PositionKey(e.Run, e.Rec.Seq)
		if e.Rec.Reply == nil {
			return false, nil
		}
		for _, other := range some[:i] {
			if PositionKey(other.Run, other.Rec.Seq) == position {
				return false, nil
			}
		}
		args = append(args, position)
	}
	occupied, err := k.c.QueryOne(context.Background(), func(*sqlite.Rows) {}, anyOccupied, args...)
	return !occupied && err == nil, err
}

// anyOccupied asks whether one of AtOnce positions is occupied.
var anyOccupied = `SELECT 1 FROM reply WHERE place IN (?` + strings.Repeat(`, ?`, AtOnce-1) + `) LIMIT 1`

// insertMany writes records for which fresh holds, table by table.
func (k *Inserter) insertMany(some []*Entry) error {
	type given struct {
		item            SavedItem
		outcome, grader int64
		prompt          any
		try             *verbatim.Attempt
		tried           bool
	}
	var row [AtOnce]given
	var err error
	for i, e := range some {
		if row[i].item, err = k.Item(&e.item); err != nil {
			return err
		}
		if row[i].prompt, err = k.Prompt(e.prompt, row[i].item.ID); err != nil {
			return err
		}
	}
	args := k.args[:0]
	for i, e := range some {
		if args, row[i].grader, row[i].outcome, err = k.gradeRow(args, PositionKey(e.Run, e.Rec.Seq), e.Rec.Grade); err != nil {
			return fmt.Errorf("place %d: %w", e.Rec.Seq, err)
		}
	}
	if err := k.c.InsertMany(`INSERT`+intoGrade, args, AtOnce); err != nil {
		return err
	}
	args = args[:0]
	for i, e := range some {
		if row[i].tried = k.Tried[PositionKey(e.Run, e.Rec.Seq)]; !row[i].tried {
			row[i].try = InlineAttempt(e.Rec.Reply)
		}
		if args, err = k.replyRow(args, PositionKey(e.Run, e.Rec.Seq), row[i].item, row[i].prompt, row[i].outcome, row[i].grader, &e.Rec, row[i].try); err != nil {
			return err
		}
	}
	if err := k.c.InsertMany(insertReply, args, AtOnce); err != nil {
		return err
	}
	k.args = args[:0] // the longest of them
	args = args[:0]
	for _, e := range some {
		args = answerRow(args, PositionKey(e.Run, e.Rec.Seq), e.Rec.Reply)
	}
	if err := k.c.InsertMany(insertAnswer, args, AtOnce); err != nil {
		return err
	}
	for i, e := range some {
		k.tally[tallyKey{e.Run, row[i].grader, row[i].outcome}]++
		k.tally[tallyKey{e.Run, row[i].grader, -1}]++
		if err := k.finishAttempts(e, row[i].try != nil, row[i].tried); err != nil {
			return err
		}
	}
	return nil
}

// finishAttempts removes the reservations of an inserted reply, and writes its attempts unless they
// are in its row. Tried says that some of them are saved already.
func (k *Inserter) finishAttempts(e *Entry, inline, tried bool) error {
	position := PositionKey(e.Run, e.Rec.Seq)
	if err := k.removeReservations(position); err != nil || inline {
		return err
	}
	delete(k.Tried, position)
	return k.Attempts(position, e.Rec.Reply.Attempts, tried)
}
