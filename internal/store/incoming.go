package store

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"verbatim/internal/scratch"

	"verbatim/internal/store/sqlite"
)

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
		// A run of this database with records without an answer is not finished.
		_, _, err := in.c.Exec(`UPDATE run SET ended = ? WHERE id = ? AND ended IS NULL AND NOT EXISTS
			(SELECT 1 FROM tally WHERE run = ? AND grader = 0 AND n > 0)`, ended, in.id, in.id)
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
	_, err := addNumberedRun(in.ctx, in.c, in.id, run, l.UID)
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
