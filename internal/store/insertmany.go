package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// atOnce is how many records go into one statement for each table. Much of what
// a row costs is the statement around it; beyond a few rows little is gained.
const atOnce = 8

// insertAll writes records like keep, in their order, and tells done what each has
// replaced.
func (k *inserter) insertAll(group []*entry, done func(e *entry, replaced verbatim.Outcome)) error {
	for some := range slices.Chunk(group, atOnce) {
		fresh, err := k.allNew(some)
		if err != nil {
			return err
		}
		if fresh {
			if err := k.many(some); err != nil {
				return err
			}
		}
		for _, e := range some {
			var replaced verbatim.Outcome
			if !fresh {
				if replaced, err = k.insert(e); err != nil {
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
func (k *inserter) allNew(some []*entry) (bool, error) {
	if len(some) < atOnce {
		return false, nil
	}
	args := k.args[:0]
	for i, e := range some {
		place := positionKey(e.run, e.rec.Seq)
		if e.rec.Reply == nil {
			return false, nil
		}
		for _, other := range some[:i] {
			if positionKey(other.run, other.rec.Seq) == place {
				return false, nil
			}
		}
		args = append(args, place)
	}
	taken, err := k.c.QueryOne(context.Background(), func(*sqlite.Rows) {}, anyOccupied, args...)
	return !taken && err == nil, err
}

// anyOccupied asks whether one of atOnce positions is taken.
var anyOccupied = `SELECT 1 FROM reply WHERE place IN (?` + strings.Repeat(`, ?`, atOnce-1) + `) LIMIT 1`

// many writes records for which fresh holds, table by table.
func (k *inserter) many(some []*entry) error {
	type given struct {
		item            savedItem
		outcome, grader int64
		prompt          any
		try             *verbatim.Attempt
		tried           bool
	}
	var row [atOnce]given
	var err error
	for i, e := range some {
		if row[i].item, err = k.item(&e.item); err != nil {
			return err
		}
		if row[i].prompt, err = k.prompt(e.prompt, row[i].item.id); err != nil {
			return err
		}
	}
	args := k.args[:0]
	for i, e := range some {
		if args, row[i].grader, row[i].outcome, err = k.gradeRow(args, positionKey(e.run, e.rec.Seq), e.rec.Grade); err != nil {
			return fmt.Errorf("place %d: %w", e.rec.Seq, err)
		}
	}
	if err := k.c.InsertMany(`INSERT`+intoGrade, args, atOnce); err != nil {
		return err
	}
	args = args[:0]
	for i, e := range some {
		if row[i].tried = k.tried[positionKey(e.run, e.rec.Seq)]; !row[i].tried {
			row[i].try = inlineAttempt(e.rec.Reply)
		}
		if args, err = k.replyRow(args, positionKey(e.run, e.rec.Seq), row[i].item, row[i].prompt, row[i].outcome, row[i].grader, &e.rec, row[i].try); err != nil {
			return err
		}
	}
	if err := k.c.InsertMany(insertReply, args, atOnce); err != nil {
		return err
	}
	k.args = args[:0] // the longest of them
	args = args[:0]
	for _, e := range some {
		args = answerRow(args, positionKey(e.run, e.rec.Seq), e.rec.Reply)
	}
	if err := k.c.InsertMany(insertAnswer, args, atOnce); err != nil {
		return err
	}
	for i, e := range some {
		k.tally[tallyKey{e.run, row[i].grader, row[i].outcome}]++
		k.tally[tallyKey{e.run, row[i].grader, -1}]++
		place := positionKey(e.run, e.rec.Seq)
		if err := k.removeReservations(place); err != nil {
			return err
		}
		if row[i].try != nil {
			continue
		}
		delete(k.tried, place)
		if err := k.attempts(place, e.rec.Reply.Attempts, row[i].tried); err != nil {
			return err
		}
	}
	return nil
}
