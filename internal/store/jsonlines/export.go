package jsonlines

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/bitset"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// Export writes runs as JSON lines, within a transaction of c.
func Export(ctx context.Context, c *sqlite.Conn, w io.Writer, runs ...int64) error {
	b := bufio.NewWriterSize(w, 1<<16)
	e := &exporter{ctx: ctx, c: c, enc: json.NewEncoder(b), plans: map[string]bool{}}
	e.enc.SetEscapeHTML(false)
	if err := e.enc.Encode(line{Format: Format}); err != nil {
		return err
	}
	for _, run := range runs {
		if err := e.run(run); err != nil {
			return err
		}
	}
	return b.Flush()
}

// An exporter writes lines. It remembers what it has written in a bit for each row, so that its
// memory hardly grows with the runs.
type exporter struct {
	ctx   context.Context
	c     *sqlite.Conn
	enc   *json.Encoder
	plans map[string]bool // by hash: those that are written

	// Of the current run:
	scan                  *rows.Scanner
	items, prompts, blobs bitset.Set       // row numbers that are written
	graded                map[string]int64 // the number of grades by grader version
}

func (e *exporter) run(id int64) error {
	saved, err := rows.ReadSavedRun(e.ctx, e.c, id)
	if err != nil {
		return err
	}
	run, uid := saved.Run, saved.UID
	if !e.plans[run.Plan.Hash] {
		e.plans[run.Plan.Hash] = true
		if err := e.enc.Encode(line{Plan: &run.Plan}); err != nil {
			return err
		}
	}
	e.items, e.prompts, e.blobs, e.graded = bitset.Set{}, bitset.Set{}, bitset.Set{}, map[string]int64{}
	err = e.enc.Encode(line{Run: &runLine{UID: uid, Name: run.Name, Plan: run.Plan.Hash, Model: run.Model, Params: run.Params, Price: run.Price,
		Started: stamp(run.Started), Ended: stamp(run.Ended), Tool: run.Tool, Origin: run.Origin, Test: run.Test, Load: run.Load}})
	if err != nil {
		return err
	}
	batches, err := rows.ReadBatches(e.ctx, e.c, id)
	if err != nil {
		return err
	}
	for i := range batches {
		if err := e.enc.Encode(line{Batch: batchLineOf(&batches[i])}); err != nil {
			return err
		}
	}
	var n int64
	first, last := rows.Span(id)
	e.scan = rows.NewScanner(e.ctx, e.c, id, rows.Read{Texts: true, Measures: true, Attempts: true, Ungraded: true}, first, last)
	e.scan.Grades.Sql = `SELECT g.place, ` + rows.GradeColumns + ` FROM grade g WHERE g.place BETWEEN ? AND ? ORDER BY g.place, g.grader`
	err = e.scan.Each(func(row *rows.Row) error {
		n++
		return e.record(id, row)
	})
	if err == nil {
		err = rows.CheckComplete(e.ctx, e.c, id, n)
	}
	if err == nil {
		err = rows.CheckCompleteGrades(e.ctx, e.c, id, e.graded)
	}
	if err == nil {
		err = e.attemptsOnly(id)
	}
	if err != nil {
		return err
	}
	return e.enc.Encode(line{End: &endLine{Run: uid, Records: n}})
}

// record writes a record, after the item, the prompt and the images that it refers to and that are
// not written yet.
func (e *exporter) record(run int64, row *rows.Row) error {
	l := lineOf(&row.Rec)
	l.Hash = hex16(row.Hash)
	if e.items.Add(row.Item) {
		if err := e.item(row); err != nil {
			return err
		}
	}
	if row.Prompt != nil {
		hash, err := e.prompt(*row.Prompt)
		if err != nil {
			return err
		}
		l.Prompt = &hash
	}
	if row.Grader != 0 {
		var err error
		l.Grader = e.scan.Table.Lookup(row.Grader)
		if l.Grades, err = e.grades(rows.PositionKey(run, row.Rec.Seq)); err != nil {
			return err
		}
		for i := range l.Grades {
			e.graded[l.Grades[i].Grader]++
			if row.Brief.Graded && !e.scan.MatchesGrade(&row.Brief, &l.Grades[i].Grade) {
				return e.c.CorruptError("the brief of position %d of run %d differs from its grade", row.Rec.Seq, run)
			}
		}
	}
	return e.enc.Encode(line{Record: l})
}

// attemptsOnly writes the attempts at positions without a record, and the reservations as the
// attempts that they become.
func (e *exporter) attemptsOnly(run int64) error {
	reservations, err := rows.ReadReservations(e.ctx, e.c, run)
	if err != nil {
		return err
	}
	open := map[int64][]verbatim.Attempt{} // by position: the attempts of its reservations
	for _, r := range reservations {
		open[r.Position] = append(open[r.Position], r.Attempt)
	}
	saved := map[int64]bool{} // positions with attempts and without a record
	first, last := rows.Span(run)
	if err := e.c.QueryEach(e.ctx, func(r *sqlite.Rows) { saved[r.Int()] = true }, rows.SelectAttemptsOnly, first, last); err != nil {
		return err
	}
	positions := slices.AppendSeq(slices.Collect(maps.Keys(saved)), maps.Keys(open))
	slices.Sort(positions)
	s := rows.NewScanner(e.ctx, e.c, run, rows.Read{}, first, last)
	defer s.Attempts.Close()
	for _, position := range slices.Compact(positions) {
		s.List = nil
		if saved[position] {
			if err := s.AttemptsAt(position); err != nil {
				return err
			}
		}
		if err := e.enc.Encode(line{Tried: &attemptsLine{rows.SequenceOf(position), attemptLines(append(s.List, open[position]...))}}); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) item(row *rows.Row) error {
	if err := e.images(row.Text.Prompt); err != nil {
		return err
	}
	it := row.Rec.Item
	return e.enc.Encode(line{Item: &itemLine{ID: it.ID, Hash: hex16(row.Hash), Messages: json.RawMessage(row.Text.Prompt),
		Want: json.RawMessage(row.Text.Want), Source: json.RawMessage(row.Text.Source), Others: json.RawMessage(row.Text.Others), Facts: it.Facts, Grader: it.Grader}})
}

// prompt writes the prompt with a row number, unless it is written already, and returns its hash;
// "" for 0.
func (e *exporter) prompt(id int64) (string, error) {
	if id == 0 {
		return "", nil
	}
	hash, body, err := rows.ReadPrompt(e.ctx, e.c, id)
	if err == nil && e.prompts.Add(id) {
		if err = e.images(body); err == nil {
			err = e.enc.Encode(line{Prompt: &promptLine{Hash: hex16(hash), Messages: json.RawMessage(body)}})
		}
	}
	return hex16(hash), err
}

// images writes the images of a prompt, given in JSON, that are not written yet.
func (e *exporter) images(prompt string) error {
	if !strings.Contains(prompt, `"sha256":"`) {
		return nil
	}
	_, err := rows.DecodePrompt(prompt, func(hash string) ([]byte, error) {
		id, b, err := rows.ReadImage(e.c, hash)
		if err == nil && e.blobs.Add(id) {
			err = e.enc.Encode(line{Blob: &blobLine{SHA256: hash, Data: b}})
		}
		return b, err
	})
	return err
}

// grades returns all grades of a position, in the order of their graders.
func (e *exporter) grades(position int64) (list []gradeLine, err error) {
	for {
		r, err := e.scan.Grades.At(position)
		if err != nil {
			return nil, err
		}
		if r == nil {
			slices.SortStableFunc(list, func(a, b gradeLine) int { return strings.Compare(a.Grader, b.Grader) })
			return list, e.scan.Table.Err()
		}
		g := e.scan.Grade(r)
		out := gradeLine{Grade: *g}
		out.Detail, out.DetailB64 = eitherText(g.Detail)
		list = append(list, out)
	}
}
