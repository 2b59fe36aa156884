package store

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"verbatim"
	"verbatim/internal/scratch"
	"verbatim/internal/store/sqlite"
)

// Import reads what Export has written. A run is identified by its uid: if the database has the
// run already, Import adds what it lacks, and replaces no answer. A run is imported completely or,
// after an error, not at all; the runs before it stay. An error in a line is a
// *lineError.
//
// An import commits in slices, so that other processes can write in between. A new run is hidden
// until it is complete: after a kill, the next writer removes its records. The lines of a run that
// the database has already are read to their end before the first of them is saved. After a kill,
// the records that were saved stay, and another import of the same lines completes them.
func (s *Store) Import(ctx context.Context, r io.Reader) ([]importResult, error) {
	in := &importer{file: s.file, ctx: ctx, r: bufio.NewReaderSize(r, 1<<16), plans: map[string]*verbatim.Plan{}}
	if err := removeLeftovers(ctx, s.file); err != nil {
		return nil, err
	}
	if err := in.begin(); err != nil {
		return nil, err
	}
	var done []importResult
	for {
		l, err := in.next()
		if err == io.EOF {
			return done, nil
		}
		if err != nil {
			return done, err
		}
		switch {
		case l.Format != "":
		case l.Plan != nil:
			in.plans[l.Plan.Hash] = l.Plan
		case l.Run != nil:
			if err := in.run(l.Run); err != nil {
				return done, err
			}
			done = append(done, in.result)
		default:
			return done, in.bad("this line belongs to a run, but there is no run line before it")
		}
	}
}

// An importResult is the result of an import for one run.
type importResult struct {
	Run   verbatim.Run
	New   bool  // the database did not have the run before
	Saved int64 // the number of saved records: new ones, and answers that replace failures
	Known int64 // the number of records that the database had already
}

// A lineError is an error in a line of a file.
type lineError struct {
	Line int64 // from 1
	Err  error
}

// Error names the line.
func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error.
func (e *lineError) Unwrap() error { return e.Err }

// An importer reads lines and saves them.
type importer struct {
	file  *sqlite.File
	ctx   context.Context
	r     *bufio.Reader
	n     int64 // the number of the current line
	plans map[string]*verbatim.Plan

	// Of the current run:
	spool    *bufio.Writer // gets a copy of the lines; nil: none is necessary
	slices   *slicedTx     // nil: one transaction
	c        *sqlite.Conn
	inserter *inserter
	id       int64
	result   importResult
	records  int64
	prompts  map[int64]*promptRow // by hash: prompts of lines before the record that uses them
}

// bad returns a lineError of the current line.
func (in *importer) bad(format string, args ...any) error {
	return &lineError{in.n, fmt.Errorf(format, args...)}
}

// begin reads the first line.
func (in *importer) begin() error {
	l, err := in.next()
	if err == io.EOF {
		return fmt.Errorf("the file is empty")
	}
	if err == nil && l.Format == "" {
		err = in.bad("the first line is not {\"format\":%q}", exportFormat)
	}
	return err
}

// next returns the next line that is not blank; io.EOF after the last one.
func (in *importer) next() (*line, error) {
	for {
		if err := in.ctx.Err(); err != nil {
			return nil, err
		}
		text, err := readLine(in.r)
		if errors.Is(err, errLongLine) {
			in.n++
			return nil, in.bad("%w", err)
		}
		if err != nil && (err != io.EOF || len(text) == 0) {
			return nil, err
		}
		in.n++
		if in.spool != nil {
			in.spool.Write(text) // Flush returns its error
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		return in.parse(text)
	}
}

// parse decodes a line, and checks that it has one member.
func (in *importer) parse(text []byte) (*line, error) {
	var l line
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return nil, in.bad("not a line of an exported run: %w", err)
	}
	if len(bytes.TrimSpace(text[dec.InputOffset():])) > 0 {
		return nil, in.bad("the line has more than one JSON value")
	}
	if l.Format != "" && l.Format != exportFormat {
		return nil, in.bad("the format is %q, and this program reads only %q: import the file with the verbatim that wrote it", l.Format, exportFormat)
	}
	n := 0
	for _, there := range []bool{l.Format != "", l.Plan != nil, l.Run != nil, l.Batch != nil, l.Blob != nil, l.Item != nil, l.Prompt != nil, l.Record != nil, l.Tried != nil, l.End != nil} {
		if there {
			n++
		}
	}
	if n != 1 {
		return nil, in.bad("the line has %d members; want one, such as \"record\"", n)
	}
	return &l, nil
}

// exists reports whether the database has the run of a line already, and sets in.id then. A run
// with the same uid and another plan, model or test is an error.
func (in *importer) exists(l *runLine) (bool, error) {
	if l.Test != nil && l.Test.Verdict == "" && !l.Test.Closed.IsZero() {
		return false, in.bad("the test is closed and has no verdict")
	}
	var hash, model string
	var same bool
	found, err := in.c.QueryOne(in.ctx, func(r *sqlite.Rows) {
		in.id, hash, model, same = r.Int(), r.Text(), r.Text(), sameTest(r.Bytes(), l.Test)
	}, `SELECT run.id, plan.hash, model, test FROM run JOIN plan ON plan.id = run.plan WHERE uid = ?`, l.UID)
	if err != nil || !found {
		return false, err
	}
	if hash != l.Plan || model != l.Model || !same {
		return false, in.bad("run %s is in the database already, with another plan, model or test", l.UID)
	}
	return true, nil
}

// longestLine is the most bytes of a line: enough for an image or a long reply, and far less than
// the memory of a machine.
const longestLine = 256 << 20

var errLongLine = errors.New("the line is longer than 256 MiB")

// readLine is r.ReadBytes('\n') for lines of at most longestLine bytes; a longer one is
// errLongLine.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > longestLine {
			return nil, errLongLine
		}
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// run imports the run of a run line, with the lines up to its end line.
func (in *importer) run(l *runLine) error {
	if in.plans[l.Plan] == nil {
		return in.bad("the plan %q is not in the lines before", l.Plan)
	}
	if l.UID == "" || l.Model == "" {
		return in.bad("the run has no uid or no model")
	}
	var found bool
	err := in.file.View(func(c *sqlite.Conn) (err error) {
		in.c = c
		found, err = in.exists(l)
		return err
	})
	if err != nil {
		return err
	}
	if found {
		restore, err := in.dryRun(l)
		if err != nil {
			return err
		}
		defer restore()
	}
	return in.file.With(func(c *sqlite.Conn) error { return in.save(c, l) })
}

// save saves a run in slices. After an error nothing of a new run stays.
func (in *importer) save(c *sqlite.Conn, l *runLine) error {
	if err := in.file.CheckWritable(); err != nil {
		return err
	}
	in.c, in.inserter = c, newInserter(c)
	in.slices = newSlicedTx(in.ctx, in.file, c, nil)
	defer func() { in.slices = nil }()
	err := claimRuns(in.ctx, in.file, func(dead deadHolders) error {
		if err := in.slices.Begin(); err != nil {
			return err
		}
		err := in.claim(l, dead)
		if err != nil {
			c.Rollback()
		}
		return err
	})
	if err != nil {
		return err
	}
	held := in.slices.Lease
	if err = in.lines(l); err == nil {
		err = held.Release(c)
	}
	if err == nil {
		if err = in.slices.End(); err == nil {
			return nil
		}
	}
	c.Rollback()
	// If this fails, the next writer removes the records, which are hidden.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(in.ctx), lockGrace)
	defer cancel()
	if in.result.New {
		discard(ctx, in.file, in.id, held)
	} else {
		in.file.Update(ctx, held.Release)
	}
	return err
}

// claim finds the run of a run line or reserves a number for it, and takes its lease. The lease
// keeps processes away that would send requests for the positions that the lines fill.
func (in *importer) claim(l *runLine, dead deadHolders) error {
	found, err := in.exists(l)
	if err == nil && !found {
		in.id, err = reserveRunID(in.ctx, in.c, l.UID)
	}
	if err != nil {
		return err
	}
	in.result = importResult{New: !found}
	if in.slices.Lease, err = claim(in.ctx, in.c, in.id, time.Now(), dead); err != nil {
		return err
	}
	return in.inserter.loadAttempted(in.ctx, in.id)
}

// lines saves the lines of a run up to its end line.
func (in *importer) lines(l *runLine) error {
	in.records, in.prompts = 0, map[int64]*promptRow{}
	for {
		next, err := in.next()
		if err == io.EOF {
			return in.bad("the file ends within run %s", l.Name)
		}
		if err != nil {
			return err
		}
		switch {
		case next.Batch != nil:
			err = in.batch(next.Batch)
		case next.Blob != nil:
			err = in.blob(next.Blob)
		case next.Item != nil:
			err = in.item(next.Item)
		case next.Prompt != nil:
			err = in.prompt(next.Prompt)
		case next.Record != nil:
			err = in.record(next.Record)
		case next.Tried != nil:
			err = in.attemptsOnly(next.Tried)
		case next.End != nil:
			return in.end(l, next.End)
		default:
			err = in.bad("run %s has no end line", l.Name)
		}
		if err == nil {
			err = in.slices.pause(in.inserter.flushCounts)
		}
		if err != nil {
			return err
		}
	}
}

// end checks that the lines of the run are complete, and makes an incoming run visible. A test that
// is open in the database and closed in the lines is closed with their verdict.
func (in *importer) end(l *runLine, e *endLine) error {
	if e.Run != l.UID || e.Records != in.records {
		return in.bad("run %s ends after %d records, and its end line says %d of run %s", l.UID, in.records, e.Records, e.Run)
	}
	if err := in.inserter.flushCounts(); err != nil {
		return err
	}
	if in.result.New {
		if err := in.publish(l); err != nil {
			return err
		}
	} else if l.Test != nil && l.Test.Verdict != "" {
		known, err := readRun(in.ctx, in.c, in.id)
		if err == nil && checkTestOpen(known) == nil {
			err = saveVerdict(in.c, in.id, *l.Test)
		}
		if err != nil {
			return err
		}
	}
	if ended := instant(l.Ended); ended != nil {
		// A run that this database had before is not finished with a record without an answer or a pending batch.
		_, _, err := in.c.Exec(`UPDATE run SET ended = ?1 WHERE id = ?2 AND ended IS NULL AND (?3 OR
			NOT EXISTS (SELECT 1 FROM tally WHERE run = ?2 AND grader = 0 AND n > 0) AND NOT EXISTS (SELECT 1 FROM batch WHERE run = ?2 AND state < ?4))`,
			ended, in.id, in.result.New, phaseOver)
		if err != nil {
			return err
		}
	}
	var err error
	in.result.Run, err = readRun(in.ctx, in.c, in.id)
	return err
}

// reserveRunID returns the number of an incoming run. The number is new, unless another import of
// the run has begun: then the lease decides which process may write it.
func reserveRunID(ctx context.Context, c *sqlite.Conn, uid string) (id int64, err error) {
	found, err := c.QueryOne(ctx, func(r *sqlite.Rows) { id = r.Int() }, `SELECT run FROM incoming WHERE uid = ?`, uid)
	if err != nil || found {
		return id, err
	}
	// As with AUTOINCREMENT, the number is never given again.
	n, _, err := c.Exec(`UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'run'`)
	if err == nil && n == 0 {
		_, _, err = c.Exec(`INSERT INTO sqlite_sequence (name, seq) VALUES ('run', 1)`)
	}
	if err == nil {
		_, err = c.QueryOne(ctx, func(r *sqlite.Rows) { id = r.Int() }, `SELECT seq FROM sqlite_sequence WHERE name = 'run'`)
	}
	if err == nil {
		_, _, err = c.Exec(`INSERT INTO incoming (run, uid) VALUES (?, ?)`, id, uid)
	}
	return id, err
}

// publish makes an incoming run visible.
func (in *importer) publish(l *runLine) error {
	run := l.Run
	run.Plan, run.Ended = *in.plans[l.Plan], time.Time{}
	_, err := addRun(in.ctx, in.c, in.id, run, l.UID)
	if err != nil {
		return in.bad("%w", err)
	}
	_, _, err = in.c.Exec(`DELETE FROM incoming WHERE run = ?`, in.id)
	return err
}

// dryRun saves the lines of a run to a temporary database, for a run that the database has already:
// if one of the lines is bad, none must be added to it. After dryRun, in.next reads the same lines
// again. restore makes it go on behind them.
func (in *importer) dryRun(l *runLine) (restore func(), err error) {
	folder, err := scratch.NewFolder("", "verbatim-import-")
	if err != nil {
		return nil, err
	}
	first, rest := in.n, in.r
	spool, err := os.Create(filepath.Join(folder.Path, "lines"))
	if err == nil {
		err = in.saveTemporarily(l, folder.Path, spool)
	}
	last := in.n
	remove := func() {
		spool.Close()
		folder.Remove()
	}
	if err != nil {
		remove()
		return nil, err
	}
	in.n, in.r = first, bufio.NewReaderSize(spool, 1<<16)
	return func() {
		remove()
		in.n, in.r = last, rest
	}, nil
}

// saveTemporarily saves the lines of a run to a database in a folder, and copies them to spool.
func (in *importer) saveTemporarily(l *runLine, folder string, spool *os.File) error {
	c, err := sqlite.Dial(in.file.Path(), filepath.Join(folder, "scratch.db"), "rwc")
	if err != nil {
		return err
	}
	defer c.Close()
	if _, _, err := c.ExecOnce("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; " + layout.Tables); err != nil {
		return err
	}
	in.c, in.inserter, in.spool = c, newInserter(c), bufio.NewWriterSize(spool, 1<<16)
	err = c.Write(in.ctx, func() error {
		in.id, in.result = 1, importResult{New: true}
		return in.lines(l)
	})
	err = cmp.Or(err, in.spool.Flush())
	in.spool = nil
	if err == nil {
		_, err = spool.Seek(0, io.SeekStart)
	}
	return err
}

// removeLeftovers removes the incoming runs of imports that were killed.
func removeLeftovers(ctx context.Context, f *sqlite.File) error {
	if f.CheckWritable() != nil {
		return nil
	}
	var left []int64
	err := f.With(func(c *sqlite.Conn) error {
		return c.QueryEach(ctx, func(r *sqlite.Rows) { left = append(left, r.Int()) }, `SELECT run FROM incoming`)
	})
	for _, run := range left {
		if err == nil {
			err = removeLeftover(ctx, f, run)
		}
	}
	return err
}

func removeLeftover(ctx context.Context, f *sqlite.File, run int64) error {
	var l *lease
	err := claimRuns(ctx, f, func(dead deadHolders) error {
		return f.Update(ctx, func(c *sqlite.Conn) (err error) {
			l = nil
			there, err := c.QueryOne(ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM incoming WHERE run = ?`, run)
			if err == nil && there {
				l, err = claim(ctx, c, run, time.Now(), dead)
			}
			return err
		})
	})
	if _, held := errors.AsType[*Held](err); held {
		return nil // its import goes on
	}
	if err != nil || l == nil {
		return err
	}
	return discard(ctx, f, run, l)
}

// discard removes an incoming run in slices, and releases its lease. Items and words stay: other
// runs may use them by now.
func discard(ctx context.Context, f *sqlite.File, run int64, l *lease) error {
	return f.With(func(c *sqlite.Conn) error {
		t := newSlicedTx(ctx, f, c, l)
		err := t.Begin()
		if err == nil {
			err = deleteIncoming(ctx, c, t, run)
		}
		if err == nil {
			err = l.Release(c)
		}
		if err == nil {
			err = t.End()
		}
		if err != nil {
			c.Rollback()
		}
		return err
	})
}

func deleteIncoming(ctx context.Context, c *sqlite.Conn, t *slicedTx, run int64) error {
	const slice = 2000 // rows
	first, last := span(run)
	for _, table := range []string{"answer", "failure", "attempt", "grade", "reply"} {
		for more := true; more; {
			end := last // of the slice
			_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { end = r.Int() },
				`SELECT place FROM `+table+` WHERE place BETWEEN ? AND ? ORDER BY place LIMIT 1 OFFSET ?`, first, last, slice)
			if err != nil {
				return err
			}
			if _, _, err := c.Exec(`DELETE FROM `+table+` WHERE place BETWEEN ? AND ?`, first, end); err != nil {
				return err
			}
			if err := t.pause(func() error { return nil }); err != nil {
				return err
			}
			more = end < last
		}
	}
	for _, sql := range []string{`DELETE FROM tally WHERE run = ?`, `DELETE FROM batch WHERE run = ?`, `DELETE FROM incoming WHERE run = ?`} {
		if _, _, err := c.Exec(sql, run); err != nil {
			return err
		}
	}
	return nil
}

// batch saves a new batch. A batch that the database has already is updated if the line has a later
// phase.
func (in *importer) batch(l *batchLine) error {
	b, err := l.batch(in.id)
	if err != nil {
		return in.bad("%w", err)
	}
	known, err := in.c.QueryOne(in.ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM batch WHERE key = ?`, b.Key)
	if err != nil {
		return err
	}
	if !known {
		return b.Insert(in.c)
	}
	saved, err := readBatch(in.ctx, in.c, b.Key)
	if err != nil {
		return err
	}
	if saved.Run != b.Run || formatRanges(saved.Positions) != l.Positions {
		return in.bad("batch %s is in the database already, with other requests", b.Key)
	}
	before, err := codeOf(phases, saved.Phase)
	if err != nil {
		return err
	}
	if int64(slices.Index(phases, b.Phase)) <= before {
		return nil
	}
	return b.Update(in.c)
}

// blob saves an image.
func (in *importer) blob(l *blobLine) error {
	b := newBlob(l.Data)
	if hex.EncodeToString(b.Sha256[:]) != l.SHA256 {
		return in.bad("the image does not have the hash of the line")
	}
	return insertBlobs(in.c, []blob{b})
}

// item saves an item whose hash is that of the line.
func (in *importer) item(l *itemLine) error {
	given := itemRow{Grader: l.Grader, Prompt: string(l.Messages), Want: string(l.Want), Source: string(l.Source), Others: string(l.Others)}
	given.Series, given.Tail = splitID(l.ID)
	it, err := decodeItem(given, imagesOf(in.c))
	if err != nil {
		return in.bad("%w", err)
	}
	it.Facts = l.Facts
	row, err := encodeItem(it)
	if err != nil {
		return in.bad("%w", err)
	}
	if hex16(row.Hash) != l.Hash {
		return in.bad("the item %q does not have the hash of the line", l.ID)
	}
	_, err = in.inserter.Item(&row)
	return err
}

// prompt remembers a prompt for the record that follows it.
func (in *importer) prompt(l *promptLine) error {
	p, err := decodePrompt(string(l.Messages), imagesOf(in.c))
	if err != nil {
		return in.bad("%w", err)
	}
	row, err := encodePrompt(p, nil, "")
	if err != nil {
		return in.bad("%w", err)
	}
	if row.Body == "" || hex16(row.Hash) != l.Hash {
		return in.bad("the prompt does not have the hash of the line")
	}
	in.prompts[row.Hash] = row
	return nil
}

// record saves a record, or merges it with the saved record of its position.
func (in *importer) record(l *recordLine) error {
	in.records++
	rec, err := l.record()
	if err == nil && (l.Seq < 0 || l.Seq > MaxSeq) {
		err = fmt.Errorf("position %d does not exist", l.Seq)
	}
	if err != nil {
		return in.bad("%w", err)
	}
	item, err := in.itemOf(l)
	if err != nil {
		return err
	}
	prompt, err := in.sent(l, item.ID)
	if err != nil {
		return err
	}
	position := positionKey(in.id, l.Seq)
	var outcome verbatim.Outcome
	there, err := in.c.QueryOne(in.ctx, func(r *sqlite.Rows) { outcome = Decode(outcomes, r.Int()) }, `SELECT outcome FROM reply WHERE place = ?`, position)
	if err != nil {
		return err
	}
	if there && (outcome.Answered() || !rec.Outcome.Answered()) {
		in.result.Known++
		return in.merge(position, outcome, &rec)
	}
	if there {
		if err := in.dropSaved(position, &rec); err != nil {
			return err
		}
	}
	in.result.Saved++
	if _, err := in.inserter.Record(in.id, item, prompt, &rec); err != nil {
		return in.bad("%w", err)
	}
	return nil
}

// itemOf returns the saved item of a record.
func (in *importer) itemOf(l *recordLine) (it savedItem, err error) {
	row := itemRow{}
	row.Series, row.Tail = splitID(l.Item)
	if row.Hash, err = parseHex16(l.Hash); err != nil {
		return it, in.bad("%w", err)
	}
	if it, ok := in.inserter.Items[itemKey{Hash: row.Hash, Series: row.Series, Tail: row.Tail}]; ok {
		return it, nil
	}
	series := in.inserter.Words.Id(row.Series)
	if err := in.inserter.Words.Err; err != nil {
		return it, err
	}
	it, err = row.Find(in.c, series)
	if err == nil && it.ID == 0 {
		err = in.bad("the item %q with the hash %s is not in the lines before", l.Item, l.Hash)
	}
	return it, err
}

// sent returns the value of the column prompt for a record, and saves the prompt if necessary.
func (in *importer) sent(l *recordLine, item int64) (any, error) {
	if l.Prompt == nil {
		return nil, nil
	}
	if *l.Prompt == "" {
		return in.inserter.Prompt(&promptRow{}, item)
	}
	hash, err := parseHex16(*l.Prompt)
	if err != nil {
		return nil, in.bad("%w", err)
	}
	if p := in.prompts[hash]; p != nil {
		clear(in.prompts) // a prompt is right before the first record that uses it
		return in.inserter.Prompt(p, item)
	}
	var id int64
	found, err := in.c.QueryOne(in.ctx, func(r *sqlite.Rows) { id = r.Int() }, `SELECT id FROM prompt WHERE item = ? AND hash = ?`, item, hash)
	if err == nil && !found {
		err = in.bad("the prompt %s is not in the lines before", *l.Prompt)
	}
	return id, err
}

// merge adds to a saved record without an answer the attempts that it lacks. An answer stays as it is,
// with its grade.
func (in *importer) merge(position int64, outcome verbatim.Outcome, rec *verbatim.Record) error {
	if outcome.Answered() {
		return nil
	}
	if err := in.dropSaved(position, rec); err != nil || rec.Failure == nil {
		return err
	}
	return in.inserter.Attempts(position, rec.Failure.Attempts, true)
}

// attemptsOnly saves attempts at a position that has no record in the lines.
func (in *importer) attemptsOnly(l *attemptsLine) error {
	if l.Seq < 0 || l.Seq > MaxSeq || len(l.Attempts) == 0 {
		return in.bad("position %d does not exist, or there are no attempts", l.Seq)
	}
	position := positionKey(in.id, l.Seq)
	rec := verbatim.Record{Failure: &verbatim.Failure{Attempts: attemptsOf(l.Attempts)}}
	if _, err := in.inserter.moveInlineAttempt(position); err != nil {
		return err
	}
	if err := in.dropSaved(position, &rec); err != nil || len(rec.Failure.Attempts) == 0 {
		return err
	}
	if err := in.inserter.chargeAttempts(position, rec.Failure.Attempts); err != nil {
		return in.bad("%w", err)
	}
	return nil
}

// dropSaved removes the attempts from rec that are saved already.
func (in *importer) dropSaved(position int64, rec *verbatim.Record) error {
	type key struct{ n, start int64 }
	saved := map[key]bool{}
	err := in.c.QueryEach(in.ctx, func(r *sqlite.Rows) { saved[key{r.Int(), r.Int()}] = true }, `SELECT n, start FROM attempt WHERE place = ?`, position)
	if err != nil {
		return err
	}
	known := func(a verbatim.Attempt) bool {
		start, _ := instant(a.Start).(int64)
		return saved[key{int64(a.N), start}]
	}
	if rec.Reply != nil {
		rec.Reply.Attempts = slices.DeleteFunc(rec.Reply.Attempts, known)
	}
	if rec.Failure != nil {
		rec.Failure.Attempts = slices.DeleteFunc(rec.Failure.Attempts, known)
	}
	return nil
}

// A process that writes for long commits every sliceTime, and then does not lock the file for
// yieldTime.
const (
	sliceTime = 100 * time.Millisecond
	yieldTime = 5 * time.Millisecond
)

// lockGrace is how long a writer still waits for a lock after the context of its caller is done.
const lockGrace = 2 * time.Second

// A slicedTx is a sequence of write transactions, so that other processes can write in between.
// Pause of a nil *slicedTx does nothing.
type slicedTx struct {
	ctx   context.Context
	file  *sqlite.File
	c     *sqlite.Conn
	Lease *lease    // each slice checks that it is ours; nil: not claimed yet
	begun time.Time // the slice
	beat  time.Time // when the lease was renewed last
}

// newSlicedTx returns a slicedTx that has not begun. Its slices check and renew a lease, unless it
// is nil.
func newSlicedTx(ctx context.Context, file *sqlite.File, c *sqlite.Conn, l *lease) *slicedTx {
	return &slicedTx{ctx: ctx, file: file, c: c, Lease: l, beat: time.Now()}
}

// Begin begins a slice.
func (t *slicedTx) Begin() error {
	if err := t.c.Begin(t.ctx); err != nil {
		return err
	}
	t.begun = time.Now()
	if t.Lease == nil {
		return nil
	}
	err := t.Lease.Check(t.ctx, t.c)
	if err == nil && t.begun.Sub(t.beat) >= beatEvery {
		t.beat = t.begun
		err = t.Lease.renew(t.ctx, t.c, t.begun)
	}
	return err
}

// Pause ends the slice after sliceTime, and begins another one. It calls settle before the commit.
func (t *slicedTx) pause(settle func() error) error {
	if t == nil || time.Since(t.begun) < sliceTime {
		return nil
	}
	if err := settle(); err != nil {
		return err
	}
	if err := t.End(); err != nil {
		return err
	}
	time.Sleep(yieldTime)
	return t.Begin()
}

// End commits the slice.
func (t *slicedTx) End() error {
	if err := t.file.CheckMoved(); err != nil {
		return err
	}
	return t.c.Commit()
}
