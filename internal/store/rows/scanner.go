package rows

import (
	"context"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// A Scanner reads the records of one run on one conn, in planned order. It decodes each
// row once, into its row; Read says which parts. There are two ways to the same record:
// byBriefs decodes the briefs, and ByColumns the columns that briefs repeat.
type Scanner struct {
	ctx    context.Context
	c      *sqlite.Conn
	Table  *StringTable
	run    int64
	read   Read
	last   int64 // key of the last position
	before int64 // the last position that was read

	row Row
	// Records and ids are made many at a time: each by itself would cost more to make
	// than to read.
	items    []itemData
	ids      strings.Builder
	replies  *replyData         // Tables: of all records in turn
	List     []verbatim.Attempt // the same
	measured map[string]float64 // the same

	failures, Attempts, Grades sideCursor
}

// A Row is one record as it is decoded, with the numbers that the export writes next to
// it. The fields after rec and brief are set by columnRow alone.
type Row struct {
	Rec    verbatim.Record
	Brief  Brief             // where there is one
	inline *verbatim.Attempt // of a reply whose only attempt is in its own row

	Item, Hash int64 // of the item
	Prompt     *int64
	Grader     int64   // word of the newest grade's
	Text       ItemRow // the JSON of the item, where texts are read
	sent       int64   // word of what was sent, as the column has it
}

// itemData is what a record without a reply points to.
type itemData struct {
	item  verbatim.Item
	grade verbatim.Grade
	score float64
}

// replyData is a reply and what it points to.
type replyData struct {
	reply         verbatim.Reply
	tokens        [4]int64
	durations     [4]time.Duration
	cost, claimed verbatim.Money
	marks         verbatim.ReasoningMarks
	inline        [1]verbatim.Attempt
}

// NewScanner returns a scanner of the positions with the keys first to last.
func NewScanner(ctx context.Context, c *sqlite.Conn, run int64, what Read, first, last int64) *Scanner {
	s := &Scanner{ctx: ctx, c: c, Table: NewStringTable(c), run: run, read: what, last: last, before: SequenceOf(first) - 1}
	cursor := func(sql string) sideCursor { return sideCursor{ctx: ctx, c: c, last: last, Sql: sql} }
	s.Grades = cursor(`SELECT place, grader, measures FROM grade WHERE place BETWEEN ? AND ? ORDER BY place, grader`)
	s.failures = cursor(selectFailures)
	s.Attempts = cursor(selectAttempts)
	if what.Tables {
		s.replies, s.measured = &replyData{}, map[string]float64{}
		s.failures = cursor(`SELECT place, class FROM failure WHERE place BETWEEN ? AND ? ORDER BY place`)
		s.Attempts = cursor(`SELECT place, k, n, start, class, cost, upstream FROM attempt WHERE place BETWEEN ? AND ? ORDER BY place, k`)
	}
	return s
}

// What is in rows of its own, by position. Tables need fewer columns.
const (
	selectFailures = `SELECT place, class, status, after, who, hint, error FROM failure WHERE place BETWEEN ? AND ? ORDER BY place`
	selectAttempts = `SELECT place, k, n, start, class, cost, upstream, total, wait, status, bytes, request_id, error, partial
		FROM attempt WHERE place BETWEEN ? AND ? ORDER BY place, k`
)

// itemData returns room for the next record.
func (s *Scanner) itemData() *itemData {
	if len(s.items) == 0 {
		s.items = make([]itemData, 32)
	}
	data := &s.items[0]
	if !s.read.Tables { // whose records are good until the next one
		s.items = s.items[1:]
	}
	return data
}

// close closes r and the cursors next to it, whatever ended the scan: the conn is used
// again. It sets err unless an error is there.
func (s *Scanner) close(r *sqlite.Rows, err *error) {
	for _, e := range []error{r.Close(), s.failures.Close(), s.Attempts.Close(), s.Grades.Close()} {
		if *err == nil {
			*err = e
		}
	}
}

// A sideCursor walks along a table next to the replies, whose rows begin with the
// position, from the first position that is asked for. A search for every position
// would take several times as long as the rest of its record.
type sideCursor struct {
	ctx  context.Context
	c    *sqlite.Conn
	Sql  string
	last int64

	r        *sqlite.Rows
	position int64 // of the row that waits to be taken
	end      bool
}

// At returns the next row of a position, behind its first column; nil after the last.
// Positions are asked for in rising order.
func (a *sideCursor) At(position int64) (*sqlite.Rows, error) {
	if a.r == nil {
		var err error
		if a.r, err = a.c.Query(a.ctx, a.Sql, position, a.last); err != nil {
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
	a.position = -1 // it is taken: the next call goes on
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
