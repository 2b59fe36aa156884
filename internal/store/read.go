package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync"
	"time"

	"verbatim"
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

// Records streams the records of a run in planned order, in one pass over one unchanging view of
// the file. A run that is read to its end and has fewer or more records than are counted is a
// Corrupt *sqlite.Error. After an error the stream ends.
//
// The caller may keep a record, except with Read.Tables, and must not change it: records share
// memory, so a record that is kept may keep a few kilobytes of others.
//
// Several streams may be read at the same time, of the same run too: each has its own connection
// and view.
func (s *Store) Records(ctx context.Context, run int64, what Read) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		err := s.file.View(func(c *sqlite.Conn) error {
			first, last, err := what.Span(run)
			if err != nil {
				return err
			}
			switch {
			case what.Scores && (what.Texts || what.Attempts || what.Tables):
				return errors.New("Read.Scores excludes Texts, Attempts and Tables")
			case what.Tables && what.Texts:
				return errors.New("Read.Tables excludes Texts")
			}
			var n int64
			err = NewScanner(ctx, c, run, what, first, last).Each(func(row *Row) error {
				if n++; !yield(row.Rec, nil) {
					return errStop
				}
				return nil
			})
			if err == nil && what.Read != nil {
				return what.Read(ctx, c, n)
			}
			if err == nil {
				err = checkCompleteRange(ctx, c, run, first, last, n)
			}
			return err
		})
		if err != nil && err != errStop {
			yield(verbatim.Record{}, err)
		}
	}
}

// Record returns the whole record of a trial of an item. A missing record is an error.
func (s *Store) Record(ctx context.Context, run int64, item string, trial int) (verbatim.Record, error) {
	var found *verbatim.Record
	err := s.file.View(func(c *sqlite.Conn) error {
		first, last := span(run)
		series, tail := splitID(item)
		what := Read{Texts: true, Measures: true, Attempts: true}
		where := `r.place BETWEEN ? AND ? AND r.trial = ? AND r.item IN
			(SELECT i.id FROM item i JOIN word w ON w.id = i.series WHERE i.tail = ? AND w.text = ?)`
		s := NewScanner(ctx, c, run, what, first, last)
		err := s.byColumns(where, []any{first, last, trial, tail, series}, func(row *Row) error {
			found = &row.Rec
			return errStop
		})
		if err == errStop {
			err = nil
		}
		return err
	})
	if err != nil {
		return verbatim.Record{}, err
	}
	if found == nil {
		return verbatim.Record{}, fmt.Errorf("run %d has no record of item %q, trial %d", run, item, trial)
	}
	return *found, nil
}

// Pieces divides the records of a run with a number of planned positions into at most n streams of
// about the same length, which may be read at the same time. In their order, they are the stream
// of Records. Each has its own view of the file: if the run is being written, a later piece may
// have records that were saved after the end of an earlier one. If all streams together have
// fewer or more records than are counted, the one that ends last ends in a Corrupt *sqlite.Error.
// what.From and what.Positions are ignored.
func (s *Store) Pieces(ctx context.Context, run int64, what Read, positions int64, n int) []iter.Seq2[verbatim.Record, error] {
	count := max(min(int64(n), positions), 1)
	all := &pieceCounts{s: s, run: run, read: make([]int64, count), left: count}
	var pieces []iter.Seq2[verbatim.Record, error]
	for i := range count {
		what.From = positions / count * i
		what.Positions = positions / count
		if i == count-1 {
			what.Positions = 0 // includes records beyond the plan
		}
		all.read[i] = -1
		what.Read = func(ctx context.Context, c *sqlite.Conn, n int64) error { return all.add(ctx, c, i, n) }
		piece := s.Records(ctx, run, what)
		pieces = append(pieces, func(yield func(verbatim.Record, error) bool) {
			if err := all.begin(ctx); err != nil {
				yield(verbatim.Record{}, err)
				return
			}
			piece(yield)
		})
	}
	return pieces
}

// pieceCounts checks that the pieces of a run are complete. A run may grow while they are read, and
// its records are never removed. So the pieces have at least as many records as were counted
// before the first one was read, and at most as many as are counted after the last one.
type pieceCounts struct {
	s    *Store
	run  int64
	once sync.Once
	err  error // of once
	low  int64 // the count before the first piece was read

	mu   sync.Mutex
	read []int64 // the number of records by piece; -1 until it was read to its end
	left int64   // the number of pieces that were not read to their ends
}

// begin counts the records before the first piece is read.
func (p *pieceCounts) begin(ctx context.Context) error {
	p.once.Do(func() { p.low, p.err = p.now(ctx) })
	return p.err
}

// now counts the records in a new view: the view of a piece may be older than those of others.
func (p *pieceCounts) now(ctx context.Context) (n int64, err error) {
	err = p.s.file.With(func(c *sqlite.Conn) error {
		n, err = savedCount(ctx, c, p.run)
		return err
	})
	return n, err
}

// add takes n, the number of records of a piece that was read to its end. After the last piece it
// returns an error unless all are complete.
func (p *pieceCounts) add(ctx context.Context, c *sqlite.Conn, piece, n int64) error {
	p.mu.Lock()
	if p.read[piece] < 0 {
		p.left--
	}
	p.read[piece] = n
	var sum int64
	for _, n := range p.read {
		sum += n
	}
	whole := p.left == 0
	p.mu.Unlock()
	if !whole || sum == p.low {
		return nil
	}
	high, err := p.now(ctx)
	if err == nil && (sum < p.low || sum > high) {
		err = incompleteError(ctx, c, p.run, high, sum)
	}
	return err
}

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

// savedCount returns the number of records of a run by the table tally, which every commit
// updates.
func savedCount(ctx context.Context, c *sqlite.Conn, run int64) (n int64, err error) {
	_, err = c.QueryOne(ctx, func(r *sqlite.Rows) { n = r.Int() }, `SELECT sum(n) FROM tally WHERE run = ?`, run)
	return n, err
}

// checkCompleteRange compares n, the number of records that were read from the keys first to
// last, with savedCount. It does so only if no record of the run is outside of these keys.
func checkCompleteRange(ctx context.Context, c *sqlite.Conn, run, first, last, n int64) error {
	begin, end := span(run)
	if first > begin {
		return nil
	}
	if last < end {
		more, err := c.QueryOne(ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM reply WHERE place > ? AND place <= ? LIMIT 1`, last, end)
		if more || err != nil {
			return err
		}
	}
	return checkComplete(ctx, c, run, n)
}

// checkComplete returns a Corrupt error unless n, the number of records that were read of a
// run, is savedCount.
func checkComplete(ctx context.Context, c *sqlite.Conn, run, n int64) error {
	want, err := savedCount(ctx, c, run)
	if err == nil && want != n {
		err = incompleteError(ctx, c, run, want, n)
	}
	return err
}

// incompleteError returns the Corrupt error of a run with want saved records, of which n can be
// read.
func incompleteError(ctx context.Context, c *sqlite.Conn, run, want, n int64) error {
	name := fmt.Sprintf("run %d", run)
	if known, err := readRun(ctx, c, run); err == nil {
		name += " (" + known.Name + ")"
	}
	return c.CorruptError("%s has %d records, and %d can be read", name, want, n)
}

// The columns of a row in the order in which columnRow reads them: keyColumns, replyColumns,
// gradeColumns, textColumns.
const (
	keyColumns = `r.place, r.item, i.hash, r.trial, r.prompt, r.grader, r.outcome, i.tail, i.series, i.facts, i.grader, r.brief`

	gradeColumns = `g.grader, g.outcome, g.label, g.exact, g.extracted, g.score, g.repair, g.flags, g.detail, g.measures, g.rule, g.span`
	gradeCount   = 12

	textColumns = `q.prompt, q.want, q.source, q.others, a.place, a.text, a.reasoning, a.request_id, a.limits, a.tokens`
)

// columnRow decodes the current row of r into s.row.
func (s *scanner) columnRow(r *sqlite.Rows) error {
	row := &s.row
	rec, position := &row.Rec, r.Int()
	rec.Seq = sequenceOf(position)
	row.Item, row.Hash = r.Int(), r.Int()
	rec.Trial = int(r.Int())
	row.Prompt, row.grader = r.OptInt(), r.Int()
	outcome := r.Int()
	rec.Outcome = Decode(outcomes, outcome)
	it := savedItem{ID: row.Item, Tail: r.Raw(), Series: r.Int(), facts: r.Int(), grader: r.Int()}
	rec.Item = s.item(s.itemData(), joinID(s.Table.Lookup(it.Series), it.Tail), it.facts, it.grader)
	packed := r.Bytes()
	if !s.read.Scores {
		if err := s.reply(r, row); err != nil {
			return err
		}
	}
	if rec.Grade = s.grade(r); s.Table.Err() != nil {
		return s.Table.Err()
	}
	if packed != nil && (!row.Brief.unpack(packed) || !row.Brief.matches(row, it, outcome) || !s.matchesGrade(&row.Brief, rec.Grade)) {
		return s.c.CorruptError("the brief of position %d of run %d differs from its columns", rec.Seq, s.run)
	}
	if rec.Grade != nil {
		rec.Outcome = rec.Grade.Outcome
	}
	if s.read.Scores {
		if g := rec.Grade; g != nil {
			g.Repair, g.Flags, g.Rule, g.Span = "", nil, "", nil
			if g.Outcome != verbatim.Truncated {
				g.Detail = ""
			}
		}
		return nil
	}
	if s.read.Texts {
		if err := s.texts(r, row); err != nil {
			return err
		}
	}
	return s.details(row, position)
}

// item makes an item without its texts in data. facts and grader are words.
func (s *scanner) item(data *itemData, id string, facts, grader int64) *verbatim.Item {
	data.item = verbatim.Item{ID: id, Facts: s.Table.Facts(facts), Grader: s.Table.Lookup(grader)}
	return &data.item
}

// matches reports whether a brief has the values of the columns of its reply and its item.
func (b *brief) matches(row *Row, it savedItem, outcome int64) bool {
	return b.Seq == row.Rec.Seq && b.Trial == int64(row.Rec.Trial) && b.outcome == outcome && b.grader == row.grader &&
		b.Series == it.Series && b.facts == it.facts && b.itemGrader == it.grader && b.matchesTail(it.Tail)
}

func (b *brief) matchesTail(tail any) bool {
	switch tail := tail.(type) {
	case int64:
		if b.Text == nil {
			return b.Tail == tail
		}
		return string(b.Text) == strconv.FormatInt(tail, 10)
	case string:
		return b.Text != nil && string(b.Text) == tail
	}
	return true
}

// matchesGrade reports whether a brief has the values of a grade, if there is one.
func (s *scanner) matchesGrade(b *brief, g *verbatim.Grade) bool {
	if g == nil {
		return true
	}
	return s.Table.Lookup(b.grader) == g.Grader && s.Table.Lookup(b.label) == g.Label && b.Exact == g.Exact && b.Extracted == g.Extracted &&
		b.Scored == (g.Score != nil) && (g.Score == nil || *g.Score == b.Score) && Decode(outcomes, b.outcome) == g.Outcome
}

// grade decodes the next columns of r, which are gradeColumns; nil if they are NULL.
func (s *scanner) grade(r *sqlite.Rows) *verbatim.Grade {
	id := r.OptInt()
	if id == nil {
		r.Skip(gradeCount - 1)
		return nil
	}
	g := &verbatim.Grade{Grader: s.Table.Lookup(*id), Outcome: Decode(outcomes, r.Int()), Label: s.Table.Lookup(r.Int())}
	g.Exact, g.Extracted, g.Score = r.Int() != 0, r.Int() != 0, r.OptFloat()
	g.Repair, g.Flags, g.Detail = s.Table.Lookup(r.Int()), s.Table.flags(r.Int()), r.Text()
	packed := r.Bytes()
	if s.read.Measures {
		g.Measures = s.Table.measures(nil, packed)
	}
	g.Rule, g.Span = s.Table.Lookup(r.Int()), unpackSpan(r.OptInt())
	return g
}

// texts decodes the next columns of r, which are textColumns, into a row that has the other
// columns already.
func (s *scanner) texts(r *sqlite.Rows, row *Row) error {
	rec := &row.Rec
	row.Text = itemRow{Prompt: r.Text(), Want: r.Text(), Source: r.Text(), Others: r.Text()}
	it, err := decodeItem(row.Text, imagesOf(s.c))
	if err != nil {
		return s.Table.corrupt("an item", err)
	}
	it.ID, it.Facts, it.Grader = rec.Item.ID, rec.Item.Facts, rec.Item.Grader
	if again, err := encodeItem(it); err != nil || again.Hash != row.Hash {
		return s.c.CorruptError("item %q of position %d does not have its hash", it.ID, rec.Seq)
	}
	rec.Item = it
	switch {
	case row.Prompt == nil:
		rec.Prompt = it.Prompt
	case *row.Prompt != 0:
		_, body, err := readPrompt(s.ctx, s.c, *row.Prompt)
		if err != nil {
			return err
		}
		if rec.Prompt, err = decodePrompt(body, imagesOf(s.c)); err != nil {
			return s.Table.corrupt("a prompt", err)
		}
	}
	if rec.Reply == nil {
		return nil
	}
	rec.Reply.Sent = s.Table.Lookup(max(row.sent, -row.sent))
	if row.sent < 0 {
		rec.Reply.Sent = unmaskTokenLimit(rec.Reply.Sent, rec.MaxTokens)
	}
	if r.Raw() == nil {
		return s.c.CorruptError("the text of position %d of run %d is missing", rec.Seq, s.run)
	}
	rec.Reply.Text, rec.Reply.Reasoning, rec.Reply.RequestID = r.Text(), r.Text(), r.Text()
	limits, tokens := r.Bytes(), r.Bytes()
	if limits != nil {
		err = s.Table.corrupt("the rate limits of a reply", json.Unmarshal(limits, &rec.Reply.Limits))
	}
	if tokens != nil && err == nil {
		err = s.Table.corrupt("the log probabilities of a reply", json.Unmarshal(tokens, &rec.Reply.Tokens))
	}
	return err
}

// readPrompt returns the hash and the JSON of the prompt with a row number.
func readPrompt(ctx context.Context, c *sqlite.Conn, id int64) (hash int64, body string, err error) {
	found, err := c.QueryOne(ctx, func(r *sqlite.Rows) { hash, body = r.Int(), r.Text() }, `SELECT hash, body FROM prompt WHERE id = ?`, id)
	switch {
	case err != nil:
	case !found:
		err = c.CorruptError("a prompt is missing")
	case hashOf(body) != hash:
		err = c.CorruptError("a prompt does not have its hash")
	}
	return hash, body, err
}

// details reads the failure and the attempts of a record from their tables.
func (s *scanner) details(row *Row, position int64) error {
	rec := &row.Rec
	if !rec.Outcome.Answered() {
		r, err := s.failures.At(position)
		if err != nil {
			return err
		}
		if r != nil {
			rec.Failure = &verbatim.Failure{Class: Decode(classes, r.Int())}
			if f := rec.Failure; !s.read.Tables {
				f.Status, f.After, f.Who, f.Hint = int(r.Int()), time.Duration(r.Int()), r.Text(), r.Text()
				if text := r.Text(); text != "" {
					f.Err = errors.New(text)
				}
			}
		}
	}
	if !s.read.Attempts && !s.read.Tables || rec.Reply == nil && rec.Failure == nil {
		return nil
	}
	s.List = s.List[:0]
	if !s.read.Tables {
		s.List = nil
	}
	var err error
	switch {
	case row.inline == nil:
		err = s.attemptsAt(position)
	case s.read.Tables && row.inline.N <= 1: // the first attempt succeeded: Read.Tables leaves it out
	default:
		row.inline.RequestID = rec.Reply.RequestID
		s.List = append(s.List, *row.inline)
	}
	if rec.Reply != nil {
		rec.Reply.Attempts = s.List
	} else {
		rec.Failure.Attempts = s.List
	}
	return err
}

// AttemptsAt appends the rows of the table attempt for a position to s.List.
func (s *scanner) attemptsAt(position int64) error {
	for {
		r, err := s.Attempts.At(position)
		if r == nil || err != nil {
			return err
		}
		if r.Int() != int64(len(s.List)) {
			return s.c.CorruptError("an attempt of position %d of run %d is missing", sequenceOf(position), s.run)
		}
		a := verbatim.Attempt{N: int(r.Int()), Start: moment(r.OptInt()), Class: Decode(classes, r.Int()), Cost: sqlite.Optional(r, new(verbatim.Money))}
		a.Upstream = s.Table.Lookup(r.Int())
		if !s.read.Tables {
			a.Total, a.Wait, a.Status, a.Bytes = time.Duration(r.Int()), time.Duration(r.Int()), int(r.Int()), r.Int()
			a.RequestID, a.Err, a.Partial = r.Text(), r.Text(), r.Text()
		}
		s.List = append(s.List, a)
	}
}
