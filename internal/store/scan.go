package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// A scanner reads the records of one run on one conn, in planned order. It decodes each
// row once, into its row; Read says which parts. There are two ways to the same record:
// byBriefs decodes the briefs, and byColumns the columns that briefs repeat.
type scanner struct {
	ctx    context.Context
	c      *sqlite.Conn
	table  *stringTable
	run    int64
	read   Read
	last   int64 // key of the last position
	before int64 // the last position that was read

	row row
	// Records and ids are made many at a time: each by itself would cost more to make
	// than to read.
	items    []itemData
	ids      strings.Builder
	replies  *replyData         // Tables: of all records in turn
	list     []verbatim.Attempt // the same
	measured map[string]float64 // the same

	failures, attempts, grades sideCursor
}

// newScanner returns a scanner of the positions with the keys first to last.
func newScanner(ctx context.Context, c *sqlite.Conn, run int64, what Read, first, last int64) *scanner {
	s := &scanner{ctx: ctx, c: c, table: newStringTable(c), run: run, read: what, last: last, before: sequenceOf(first) - 1}
	cursor := func(sql string) sideCursor { return sideCursor{ctx: ctx, c: c, last: last, sql: sql} }
	s.grades = cursor(`SELECT place, grader, measures FROM grade WHERE place BETWEEN ? AND ? ORDER BY place, grader`)
	s.failures = cursor(selectFailures)
	s.attempts = cursor(selectAttempts)
	if what.Tables {
		s.replies, s.measured = &replyData{}, map[string]float64{}
		s.failures = cursor(`SELECT place, class FROM failure WHERE place BETWEEN ? AND ? ORDER BY place`)
		s.attempts = cursor(`SELECT place, k, n, start, class, cost FROM attempt WHERE place BETWEEN ? AND ? ORDER BY place, k`)
	}
	return s
}

// errStop ends a scan that has seen enough.
var errStop = errors.New("stop")

// each calls do for every record. The row is good until the next call.
func (s *scanner) each(do func(*row) error) error {
	if !s.read.Texts && !s.read.columns {
		complete, err := s.byBriefs(do)
		if complete || err != nil {
			return err
		}
	}
	return s.byColumns(`r.place BETWEEN ? AND ?`, []any{positionKey(s.run, s.before+1), s.last}, do)
}

// close closes r and the cursors next to it, whatever ended the scan: the conn is used
// again. It sets err unless an error is there.
func (s *scanner) close(r *sqlite.Rows, err *error) {
	for _, e := range []error{r.Close(), s.failures.close(), s.attempts.close(), s.grades.close()} {
		if *err == nil {
			*err = e
		}
	}
}

// replyColumns are those of a reply that the Read needs, in the order in which reply
// takes them.
func (s *scanner) replyColumns() string {
	switch {
	case s.read.Scores:
		return ``
	case s.read.Tables:
		return `, ` + tableColumns
	}
	return `, ` + tableColumns + `, r.max_tokens, ` + otherColumns
}

// byBriefs reads records up to the first whose brief is missing or is by another grader
// than is wanted. It reports whether it has come to the end.
func (s *scanner) byBriefs(do func(*row) error) (complete bool, err error) {
	wanted, err := wordIDs(s.ctx, s.c, s.read.Graders)
	if err != nil {
		return false, err
	}
	r, err := s.c.Query(s.ctx, `SELECT r.brief`+s.replyColumns()+` FROM reply r WHERE r.place BETWEEN ? AND ? ORDER BY r.place`,
		positionKey(s.run, s.before+1), s.last)
	if err != nil {
		return false, err
	}
	defer s.close(r, &err) // also when do panics
	for n := 0; r.Next(); n++ {
		if n%1024 == 0 && s.ctx.Err() != nil {
			return false, s.ctx.Err()
		}
		packed, ok := r.Raw().([]byte)
		if !ok {
			return false, nil
		}
		s.row = row{}
		b := &s.row.brief
		if !b.unpack(packed) || b.seq <= s.before || b.seq > sequenceOf(s.last) {
			return false, s.c.CorruptError("what run %d says after place %d cannot be read", s.run, s.before)
		}
		if b.graded && len(s.read.Graders) > 0 && !slices.Contains(wanted, b.grader) {
			return false, nil
		}
		if err := s.briefRow(r); err != nil {
			return false, err
		}
		s.before = b.seq
		if err := do(&s.row); err != nil {
			return false, err
		}
	}
	return true, nil
}

// briefRow completes the row of a brief with the columns and the rows next to it.
func (s *scanner) briefRow(r *sqlite.Rows) error {
	row := &s.row
	b, rec, place := &row.brief, &row.rec, positionKey(s.run, row.brief.seq)
	rec.Seq, rec.Trial, rec.Outcome = b.seq, int(b.trial), decode(outcomes, b.outcome)
	data := s.itemData()
	series, err := s.table.of(b.series)
	if err != nil {
		return err
	}
	if rec.Item, err = s.item(data, s.id(series, b), b.facts, b.itemGrader); err != nil {
		return err
	}
	if b.graded {
		rec.Grade = &data.grade
		if err := s.briefGrade(data, b, place); err != nil {
			return err
		}
	}
	if s.read.Scores {
		return nil
	}
	if err := s.reply(r, row); err != nil {
		return err
	}
	return s.details(row, place)
}

// briefGrade makes the grade of a brief.
func (s *scanner) briefGrade(data *itemData, b *brief, place int64) (err error) {
	g := &data.grade
	*g = verbatim.Grade{Outcome: decode(outcomes, b.outcome), Exact: b.exact, Extracted: b.extracted, Detail: string(b.detail)}
	if g.Grader, err = s.table.of(b.grader); err != nil {
		return err
	}
	if g.Label, err = s.table.of(b.label); err != nil {
		return err
	}
	if b.scored {
		data.score = b.score
		g.Score = &data.score
	}
	switch {
	case s.read.Scores:
	case b.more && !(s.read.Tables && b.flagsKnown):
		err = s.gradeRest(g, place, b.grader)
	default:
		g.Flags, err = s.table.flags(b.flags)
	}
	if err == nil && s.read.Measures {
		err = s.measures(g, place, b.grader)
	}
	return err
}

// gradeRest reads what a brief leaves out of a grade.
func (s *scanner) gradeRest(g *verbatim.Grade, place, grader int64) error {
	var repair, flags int64
	found, err := s.c.QueryOne(s.ctx, func(r *sqlite.Rows) { repair, flags, g.Detail = r.Int(), r.Int(), r.Text() },
		`SELECT repair, flags, detail FROM grade WHERE place = ? AND grader = ?`, place, grader)
	if err == nil && !found {
		err = ungraded(s.ctx, s.c, s.run, sequenceOf(place), nil)
	}
	if err == nil {
		g.Repair, err = s.table.of(repair)
	}
	if err == nil {
		g.Flags, err = s.table.flags(flags)
	}
	return err
}

// measures reads the measures of a grade.
func (s *scanner) measures(g *verbatim.Grade, place, grader int64) error {
	for {
		r, err := s.grades.at(place)
		if err == nil && r == nil {
			err = ungraded(s.ctx, s.c, s.run, sequenceOf(place), nil)
		}
		if err != nil {
			return err
		}
		if r.Int() == grader { // not another version's
			packed, _ := r.Raw().([]byte)
			clear(s.measured)
			g.Measures, err = s.table.measures(s.measured, packed)
			return err
		}
	}
}

// id is joinID of what b says. Ids are parts of longer texts.
func (s *scanner) id(series string, b *brief) string {
	const many = 4096
	need := len(series) + max(len(b.text), 20)
	if s.ids.Cap()-s.ids.Len() < need {
		s.ids = strings.Builder{}
		s.ids.Grow(max(need, many))
	}
	from := s.ids.Len()
	s.ids.WriteString(series)
	if b.text != nil {
		s.ids.Write(b.text)
	} else {
		var digits [20]byte
		s.ids.Write(strconv.AppendInt(digits[:0], b.tail, 10))
	}
	return s.ids.String()[from:]
}

// byColumns reads the records for which where holds.
func (s *scanner) byColumns(where string, args []any, do func(*row) error) (err error) {
	columns, joins := keyColumns+s.replyColumns()+`, `+gradeColumns, `LEFT JOIN grade g ON g.place = r.place AND g.grader = r.grader`
	if s.read.ungraded { // a join that nothing fits would look through the whole table for every row
		columns, joins = keyColumns+s.replyColumns()+strings.Repeat(`, NULL`, gradeCount), ``
	}
	if len(s.read.Graders) > 0 {
		ids, err := wordIDs(s.ctx, s.c, s.read.Graders)
		if err != nil {
			return err
		}
		joins = `LEFT JOIN grade g ON g.place = r.place AND g.grader IN (-1`
		for _, id := range ids {
			joins += fmt.Sprint(`, `, id)
		}
		joins += `)`
	}
	if s.read.Texts {
		columns += `, ` + textColumns
		joins += ` JOIN question q ON q.item = r.item LEFT JOIN answer a ON a.place = r.place`
	}
	// CROSS JOIN holds SQLite to this order of the tables: one walk along the run.
	r, err := s.c.Query(s.ctx, `SELECT `+columns+` FROM reply r CROSS JOIN item i ON i.id = r.item `+joins+
		` WHERE `+where+` ORDER BY r.place`, args...)
	if err != nil {
		return err
	}
	defer s.close(r, &err) // also when do panics
	for n := 0; r.Next(); n++ {
		if n%1024 == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		s.row = row{}
		if err := s.columnRow(r); err != nil {
			return err
		}
		rec := &s.row.rec
		if rec.Seq == s.before {
			continue // two of the graders that were asked for have graded it
		}
		s.before = rec.Seq
		if rec.Grade == nil && rec.Outcome.Answered() && !s.read.ungraded {
			return ungraded(s.ctx, s.c, s.run, rec.Seq, s.read.Graders)
		}
		if err := do(&s.row); err != nil {
			return err
		}
	}
	return nil
}

// wordIDs returns the numbers of texts, without those that the file does not know:
// nothing refers to them.
func wordIDs(ctx context.Context, c *sqlite.Conn, texts []string) (ids []int64, err error) {
	for _, text := range texts {
		if _, err := c.QueryOne(ctx, func(r *sqlite.Rows) { ids = append(ids, r.Int()) }, `SELECT id FROM word WHERE text = ?`, text); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// A sideCursor walks along a table next to the replies, whose rows begin with the
// position, from the first position that is asked for. A search for every position
// would take several times as long as the rest of its record.
type sideCursor struct {
	ctx  context.Context
	c    *sqlite.Conn
	sql  string
	last int64

	r     *sqlite.Rows
	place int64 // of the row that waits to be taken
	end   bool
}

// at returns the next row of a position, behind its first column; nil after the last.
// Positions are asked for in rising order.
func (a *sideCursor) at(place int64) (*sqlite.Rows, error) {
	if a.r == nil {
		var err error
		if a.r, err = a.c.Query(a.ctx, a.sql, place, a.last); err != nil {
			return nil, err
		}
		a.step()
	}
	for !a.end && a.place < place {
		a.step()
	}
	if a.end {
		return nil, a.r.Err
	}
	if a.place > place {
		return nil, nil
	}
	a.place = -1 // it is taken: the next call goes on
	return a.r, nil
}

func (a *sideCursor) step() {
	if a.end = !a.r.Next(); !a.end {
		a.place = a.r.Int()
	}
}

func (a *sideCursor) close() error {
	if a.r == nil {
		return nil
	}
	r := a.r
	a.r = nil
	return r.Close()
}
