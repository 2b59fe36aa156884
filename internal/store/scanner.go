package store

import (
	"cmp"
	"context"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// A Scanner reads records of one run on one connection, in planned order. It reads a record in
// one of two ways: byBriefs decodes its brief, and ByColumns the columns that briefs repeat.
type scanner struct {
	ctx    context.Context
	c      *sqlite.Conn
	Table  *stringTable
	run    int64
	read   Read
	last   int64 // key of the last position
	before int64 // the last position that was read

	row Row
	// Items and ids are allocated many at a time: an allocation for each takes longer than
	// reading one.
	items []itemData
	ids   strings.Builder
	// With Read.Tables, all records share the memory of these.
	replies  *replyData
	List     []verbatim.Attempt // of the current record
	measured map[string]float64

	failures, Attempts, grades sideCursor
}

// A Row is a decoded record, with the values of its row that an export needs in addition. Only
// columnRow sets the fields Item to Text.
type Row struct {
	Rec    verbatim.Record
	Brief  brief             // where there is one
	grader int64             // word
	inline *verbatim.Attempt // of a reply whose only attempt is in its own row

	Item, Hash int64 // of the item
	Prompt     *int64
	Text       itemRow // the JSON of the item, if texts are read
	sent       int64   // the column sent
}

// itemData is the memory of an item and a grade.
type itemData struct {
	item  verbatim.Item
	grade verbatim.Grade
	score float64
}

// replyData is the memory of a reply and of what it points to.
type replyData struct {
	reply         verbatim.Reply
	tokens        [4]int64
	durations     [4]time.Duration
	cost, claimed verbatim.Money
	marks         verbatim.ReasoningMarks
	inline        [1]verbatim.Attempt
}

// NewScanner returns a Scanner of the keys first to last of a run.
func NewScanner(ctx context.Context, c *sqlite.Conn, run int64, what Read, first, last int64) *scanner {
	s := &scanner{ctx: ctx, c: c, Table: newStringTable(c), run: run, read: what, last: last, before: sequenceOf(first) - 1}
	cursor := func(sql string) sideCursor { return sideCursor{ctx: ctx, c: c, last: last, sql: sql} }
	s.grades = cursor(`SELECT place, measures FROM grade WHERE place BETWEEN ? AND ? ORDER BY place`)
	s.failures = cursor(selectFailures)
	s.Attempts = cursor(selectAttempts)
	if what.Tables {
		s.replies, s.measured = &replyData{}, map[string]float64{}
		s.failures = cursor(`SELECT place, class FROM failure WHERE place BETWEEN ? AND ? ORDER BY place`)
		s.Attempts = cursor(`SELECT place, k, n, start, class, cost, upstream FROM attempt WHERE place BETWEEN ? AND ? ORDER BY place, k`)
	}
	return s
}

const (
	selectFailures = `SELECT place, class, status, after, who, hint, error FROM failure WHERE place BETWEEN ? AND ? ORDER BY place`
	selectAttempts = `SELECT place, k, n, start, class, cost, upstream, total, wait, status, bytes, request_id, error, partial
		FROM attempt WHERE place BETWEEN ? AND ? ORDER BY place, k`
)

// itemData returns room for the next record.
func (s *scanner) itemData() *itemData {
	if len(s.items) == 0 {
		s.items = make([]itemData, 32)
	}
	data := &s.items[0]
	if !s.read.Tables { // whose records share one
		s.items = s.items[1:]
	}
	return data
}

// close closes r and the side cursors, so that the connection can be used again. It sets err to
// their first error if err is nil.
func (s *scanner) close(r *sqlite.Rows, err *error) {
	*err = cmp.Or(*err, r.Close(), s.failures.Close(), s.Attempts.Close(), s.grades.Close())
}

// A sideCursor reads the rows of another table than reply, position by position. The statement
// selects the key of the position first. A search for every position would take several times as
// long as the rest of its record.
type sideCursor struct {
	ctx  context.Context
	c    *sqlite.Conn
	sql  string
	last int64

	r        *sqlite.Rows
	position int64 // of the current row; -1: At has returned it
	end      bool
}

// At returns the next row of a position, after its first column; nil after the last one. Calls
// must be in the rising order of positions.
func (a *sideCursor) At(position int64) (*sqlite.Rows, error) {
	if a.r == nil {
		var err error
		if a.r, err = a.c.Query(a.ctx, a.sql, position, a.last); err != nil {
			return nil, err
		}
		a.step()
	}
	for !a.end && a.position < position {
		a.step()
	}
	if a.end {
		return nil, a.r.Err
	}
	if a.position > position {
		return nil, nil
	}
	a.position = -1
	return a.r, nil
}

func (a *sideCursor) step() {
	if a.end = !a.r.Next(); !a.end {
		a.position = a.r.Int()
	}
}

func (a *sideCursor) Close() error {
	if a.r == nil {
		return nil
	}
	r := a.r
	a.r = nil
	return r.Close()
}
