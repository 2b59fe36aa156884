package store

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// errStop is the error by which a function ends a scan early.
var errStop = errors.New("stop")

// Each calls do for every record, in planned order. The row is valid until the next call. An
// error of do ends the scan.
func (s *scanner) Each(do func(*Row) error) error {
	if !s.read.Texts && !s.read.Columns {
		complete, err := s.byBriefs(do)
		if complete || err != nil {
			return err
		}
	}
	return s.byColumns(`r.place BETWEEN ? AND ?`, []any{positionKey(s.run, s.before+1), s.last}, do)
}

// byBriefs reads records up to the first one whose brief is missing. It reports whether it has read
// all of them.
func (s *scanner) byBriefs(do func(*Row) error) (complete bool, err error) {
	r, err := s.queryBriefs(positionKey(s.run, s.before+1), s.last)
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
		s.row = Row{}
		b := &s.row.Brief
		if !b.unpack(packed) || b.Seq <= s.before || b.Seq > sequenceOf(s.last) {
			return false, s.c.CorruptError("the brief after position %d of run %d cannot be read", s.before, s.run)
		}
		if err := cmp.Or(s.briefRow(r), s.Table.Err()); err != nil {
			return false, err
		}
		s.before = b.Seq
		if err := do(&s.row); err != nil {
			return false, err
		}
	}
	return true, nil
}

// queryBriefs selects the briefs of the keys first to last, and replyColumns.
func (s *scanner) queryBriefs(first, last int64) (*sqlite.Rows, error) {
	const from = `FROM reply r WHERE r.place BETWEEN ? AND ? ORDER BY r.place`
	if s.read.Scores { // the brief is the only column
		return s.c.Query(s.ctx, `SELECT r.brief `+from, first, last)
	}
	return s.c.QueryWide(s.ctx, `r.brief`+s.replyColumns(), from, first, last)
}

// briefRow completes the row of a brief with the other columns of r and the rows of other tables.
func (s *scanner) briefRow(r *sqlite.Rows) error {
	row := &s.row
	b, rec, position := &row.Brief, &row.Rec, positionKey(s.run, row.Brief.Seq)
	rec.Seq, rec.Trial, rec.Outcome = b.Seq, int(b.Trial), Decode(outcomes, b.outcome)
	data := s.itemData()
	rec.Item = s.item(data, s.id(s.Table.Lookup(b.Series), b), b.facts, b.itemGrader)
	if b.Graded {
		rec.Grade = &data.grade
		if err := s.briefGrade(data, b, position); err != nil {
			return err
		}
	}
	if s.read.Scores {
		return nil
	}
	if err := s.reply(r, row); err != nil {
		return err
	}
	return s.details(row, position)
}

// briefGrade makes the grade of a brief.
func (s *scanner) briefGrade(data *itemData, b *brief, position int64) (err error) {
	g := &data.grade
	*g = verbatim.Grade{Outcome: Decode(outcomes, b.outcome), Exact: b.Exact, Extracted: b.Extracted, Detail: string(b.Detail),
		Grader: s.Table.Lookup(b.grader), Label: s.Table.Lookup(b.label)}
	if b.Scored {
		data.score = b.Score
		g.Score = &data.score
	}
	switch {
	case s.read.Scores:
	case b.more && !s.read.Tables:
		err = s.gradeRest(g, position)
	default:
		g.Flags = s.Table.flags(b.Flags)
	}
	if err == nil && s.read.Measures {
		err = s.measures(g, position)
	}
	return err
}

// gradeRest reads the fields of a grade that a brief lacks.
func (s *scanner) gradeRest(g *verbatim.Grade, position int64) error {
	var repair, flags, rule int64
	found, err := s.c.QueryOne(s.ctx, func(r *sqlite.Rows) {
		repair, flags, g.Detail, rule, g.Span = r.Int(), r.Int(), r.Text(), r.Int(), unpackSpan(r.OptInt())
	}, `SELECT repair, flags, detail, rule, span FROM grade WHERE place = ?`, position)
	if err == nil && !found {
		err = s.ungraded(position)
	}
	g.Repair, g.Rule, g.Flags = s.Table.Lookup(repair), s.Table.Lookup(rule), s.Table.flags(flags)
	return err
}

// measures reads the measures of a grade.
func (s *scanner) measures(g *verbatim.Grade, position int64) error {
	r, err := s.grades.At(position)
	if err == nil && r == nil {
		err = s.ungraded(position)
	}
	if err != nil {
		return err
	}
	packed, _ := r.Raw().([]byte)
	clear(s.measured)
	g.Measures = s.Table.measures(s.measured, packed)
	return nil
}

// ungraded returns the error of an answer without a grade.
func (s *scanner) ungraded(position int64) error {
	return s.c.CorruptError("the grade of position %d of run %d is missing", sequenceOf(position), s.run)
}

// id returns the id of the item of a brief. Many ids share one allocation of memory.
func (s *scanner) id(series string, b *brief) string {
	const block = 4096 // bytes
	need := len(series) + max(len(b.Text), 20)
	if s.ids.Cap()-s.ids.Len() < need {
		s.ids = strings.Builder{}
		s.ids.Grow(max(need, block))
	}
	from := s.ids.Len()
	s.ids.WriteString(series)
	if b.Text != nil {
		s.ids.Write(b.Text)
	} else {
		var digits [20]byte
		s.ids.Write(strconv.AppendInt(digits[:0], b.Tail, 10))
	}
	return s.ids.String()[from:]
}

// ByColumns calls do for the records that the condition where selects, in planned order.
func (s *scanner) byColumns(where string, args []any, do func(*Row) error) (err error) {
	columns, joins := keyColumns+s.replyColumns()+`, `+gradeColumns, `LEFT JOIN grade g ON g.place = r.place`
	if s.read.Texts {
		columns += `, ` + textColumns
		joins += ` JOIN question q ON q.item = r.item LEFT JOIN answer a ON a.place = r.place`
	}
	// CROSS JOIN makes SQLite keep this order of the tables: one walk along the run.
	r, err := s.c.QueryWide(s.ctx, columns, `FROM reply r CROSS JOIN item i ON i.id = r.item `+joins+
		` WHERE `+where+` ORDER BY r.place`, args...)
	if err != nil {
		return err
	}
	defer s.close(r, &err) // also when do panics
	for n := 0; r.Next(); n++ {
		if n%1024 == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		s.row = Row{}
		if err := cmp.Or(s.columnRow(r), s.Table.Err()); err != nil {
			return err
		}
		rec := &s.row.Rec
		s.before = rec.Seq
		if rec.Grade == nil && rec.Outcome.Answered() {
			return s.ungraded(positionKey(s.run, rec.Seq))
		}
		if err := do(&s.row); err != nil {
			return err
		}
	}
	return nil
}
