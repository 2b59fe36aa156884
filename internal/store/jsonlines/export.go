package jsonlines

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/bitset"
	"verbatim/internal/listsort"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// Export writes runs as JSON lines, from a view.
func Export(ctx context.Context, c *sqlite.Conn, w io.Writer, runs ...int64) error {
	b := bufio.NewWriterSize(w, 1<<16)
	e := &exporter{ctx: ctx, c: c, w: b, enc: json.NewEncoder(b), plans: map[string]bool{}}
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

// An exporter writes lines. What was written is remembered in a bit for each
// row, so that memory hardly grows with the runs.
type exporter struct {
	ctx   context.Context
	c     *sqlite.Conn
	w     io.Writer
	enc   *json.Encoder
	plans map[string]bool

	// since the last run line:
	scan                  *rows.Scanner
	items, prompts, blobs bitset.Set
	graded                map[string]int64 // grades, by grader version
}

func (e *exporter) run(id int64) error {
	run, uid, err := rows.ReadRunUID(e.ctx, e.c, id)
	if err != nil {
		return err
	}
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

// record writes a record, and before it what it refers to and was not there yet.
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
		if l.Grader, err = e.scan.Table.Lookup(row.Grader); err != nil {
			return err
		}
		if l.Grades, err = e.grades(rows.PositionKey(run, row.Rec.Seq)); err != nil {
			return err
		}
		for i := range l.Grades {
			e.graded[l.Grades[i].Grader]++
			if row.Brief.Graded && !e.scan.MatchesGrade(&row.Brief, &l.Grades[i].Grade) {
				return e.c.CorruptError("the brief of place %d of run %d says something else than its grade", row.Rec.Seq, run)
			}
		}
	}
	return e.enc.Encode(line{Record: l})
}

// attemptsOnly writes the attempts at positions without a record, and the open reservations as
// the attempts that they become.
func (e *exporter) attemptsOnly(run int64) error {
	open, err := rows.ReadReservations(e.ctx, e.c, run)
	if err != nil {
		return err
	}
	list := map[int64][]verbatim.Attempt{}
	first, last := rows.Span(run)
	if err := e.c.QueryEach(e.ctx, func(r *sqlite.Rows) { list[r.Int()] = nil }, rows.SelectAttemptsOnly, first, last); err != nil {
		return err
	}
	s := rows.NewScanner(e.ctx, e.c, run, rows.Read{}, first, last)
	defer s.Attempts.Close()
	for _, position := range slices.Sorted(maps.Keys(list)) {
		s.List = nil
		if err := s.AttemptsAt(position); err != nil {
			return err
		}
		list[position] = s.List
	}
	for _, o := range open {
		list[o.Position] = append(list[o.Position], o.Attempt)
	}
	for _, position := range slices.Sorted(maps.Keys(list)) {
		if err := e.enc.Encode(line{Tried: &attemptsLine{rows.SequenceOf(position), attemptLines(list[position])}}); err != nil {
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

// prompt writes the prompt with the number id and returns its hash.
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

// images writes the images that a prompt's JSON names.
func (e *exporter) images(prompt string) error {
	if !bytes.Contains([]byte(prompt), []byte(`"sha256":"`)) {
		return nil
	}
	_, err := rows.DecodePrompt(prompt, func(hash string) ([]byte, error) {
		b, err := rows.ReadImage(e.c, hash)
		if err != nil {
			return nil, err
		}
		var id int64
		sum, _ := hex.DecodeString(hash) // image has found it by this hash
		if _, err := e.c.QueryOne(e.ctx, func(r *sqlite.Rows) { id = r.Int() }, `SELECT id FROM blob WHERE sha256 = ?`, sum); err != nil {
			return nil, err
		}
		if e.blobs.Add(id) {
			err = e.enc.Encode(line{Blob: &blobLine{SHA256: hash, Data: b}})
		}
		return b, err
	})
	return err
}

// grades returns all grades of a position, in the order of their graders' names.
func (e *exporter) grades(position int64) (list []gradeLine, err error) {
	for {
		r, err := e.scan.Grades.At(position)
		if err != nil {
			return nil, err
		}
		if r == nil {
			listsort.Stable(list, func(a, b gradeLine) int { return strings.Compare(a.Grader, b.Grader) })
			return list, nil
		}
		g, err := e.scan.Grade(r)
		if err != nil {
			return nil, err
		}
		out := gradeLine{Grade: *g}
		out.Detail, out.DetailB64 = eitherText(g.Detail)
		list = append(list, out)
	}
}
