package store

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// Export writes runs as JSON lines, within a transaction of c.
func Export(ctx context.Context, c *sqlite.Conn, w io.Writer, runs ...int64) error {
	b := bufio.NewWriterSize(w, 1<<16)
	e := &exporter{ctx: ctx, c: c, enc: json.NewEncoder(b), plans: map[string]bool{}}
	e.enc.SetEscapeHTML(false)
	if err := e.enc.Encode(line{Format: exportFormat}); err != nil {
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
	scan                  *scanner
	items, prompts, blobs BitSet // row numbers that are written
}

func (e *exporter) run(id int64) error {
	saved, err := readSavedRun(e.ctx, e.c, id)
	if err != nil {
		return err
	}
	run := saved.Run
	if !e.plans[run.Plan.Hash] {
		e.plans[run.Plan.Hash] = true
		if err := e.enc.Encode(line{Plan: &run.Plan}); err != nil {
			return err
		}
	}
	e.items, e.prompts, e.blobs = BitSet{}, BitSet{}, BitSet{}
	err = e.enc.Encode(line{Run: &runLine{UID: saved.UID, Run: run, Plan: run.Plan.Hash}})
	if err != nil {
		return err
	}
	batches, err := readBatches(e.ctx, e.c, id)
	if err != nil {
		return err
	}
	for i := range batches {
		if err := e.enc.Encode(line{Batch: &batchLine{batches[i], formatRanges(batches[i].Positions)}}); err != nil {
			return err
		}
	}
	var n int64
	first, last := span(id)
	e.scan = NewScanner(e.ctx, e.c, id, Read{Texts: true, Measures: true, Attempts: true}, first, last)
	err = e.scan.Each(func(row *Row) error {
		n++
		return e.record(row)
	})
	if err == nil {
		err = checkComplete(e.ctx, e.c, id, n)
	}
	if err == nil {
		err = e.attemptsOnly(id)
	}
	if err != nil {
		return err
	}
	return e.enc.Encode(line{End: &endLine{Run: saved.UID, Records: n}})
}

// record writes a record, after the item, the prompt and the images that it refers to and that are
// not written yet.
func (e *exporter) record(row *Row) error {
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
	return e.enc.Encode(line{Record: l})
}

// attemptsOnly writes the attempts at positions without a record, and the reservations as the
// attempts that they become.
func (e *exporter) attemptsOnly(run int64) error {
	reservations, err := readReservations(e.ctx, e.c, run)
	if err != nil {
		return err
	}
	open := map[int64][]verbatim.Attempt{} // by position: the attempts of its reservations
	for _, r := range reservations {
		open[r.Position] = append(open[r.Position], r.Attempt)
	}
	saved := map[int64]bool{} // positions with attempts and without a record
	first, last := span(run)
	if err := e.c.QueryEach(e.ctx, func(r *sqlite.Rows) { saved[r.Int()] = true }, selectAttemptsOnly, first, last); err != nil {
		return err
	}
	positions := slices.AppendSeq(slices.Collect(maps.Keys(saved)), maps.Keys(open))
	slices.Sort(positions)
	s := NewScanner(e.ctx, e.c, run, Read{}, first, last)
	defer s.Attempts.Close()
	for _, position := range slices.Compact(positions) {
		s.List = nil
		if saved[position] {
			if err := s.attemptsAt(position); err != nil {
				return err
			}
		}
		if err := e.enc.Encode(line{Tried: &attemptsLine{sequenceOf(position), attemptLines(append(s.List, open[position]...))}}); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) item(row *Row) error {
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
	hash, body, err := readPrompt(e.ctx, e.c, id)
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
	_, err := decodePrompt(prompt, func(hash string) ([]byte, error) {
		id, b, err := readImage(e.c, hash)
		if err == nil && e.blobs.Add(id) {
			err = e.enc.Encode(line{Blob: &blobLine{SHA256: hash, Data: b}})
		}
		return b, err
	})
	return err
}
