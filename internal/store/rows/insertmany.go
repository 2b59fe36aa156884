package rows

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

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
