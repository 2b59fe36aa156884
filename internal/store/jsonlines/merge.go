package jsonlines

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// batch keeps a batch that is new, and of one that is here already what the line
// knows of a later phase.
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
	here, err := rows.ReadBatch(in.ctx, in.c, b.Key)
	if err != nil {
		return err
	}
	if here.Run != b.Run || rows.FormatRanges(here.Positions) != l.Positions {
		return in.bad("batch %s is in the database already, with other requests", b.Key)
	}
	there, _ := rows.CodeOf(rows.Phases, b.Phase) // batch has made sure of it
	if ours, err := rows.CodeOf(rows.Phases, here.Phase); err != nil || there <= ours {
		return err
	}
	return b.Update(in.c)
}

// blob keeps the bytes of an image.
func (in *importer) blob(l *blobLine) error {
	b := rows.NewBlob(l.Data)
	if hex.EncodeToString(b.Sha256[:]) != l.SHA256 {
		return in.bad("the image does not have its hash")
	}
	return rows.InsertBlobs(in.c, []rows.Blob{b})
}

// item keeps an item, after making sure that it is what its hash says.
func (in *importer) item(l *itemLine) error {
	given := rows.ItemRow{Grader: l.Grader, Prompt: string(l.Messages), Want: string(l.Want), Source: string(l.Source), Others: string(l.Others)}
	given.Series, given.Tail = rows.SplitID(l.ID)
	it, err := rows.DecodeItem(given, rows.ImagesOf(in.c))
	if err != nil {
		return in.bad("%w", err)
	}
	it.Facts = l.Facts
	row, err := rows.EncodeItem(it)
	if err != nil {
		return in.bad("%w", err)
	}
	if hex16(row.Hash) != l.Hash {
		return in.bad("item %q does not have its hash", l.ID)
	}
	_, err = in.inserter.Item(&row)
	return err
}

// prompt remembers a prompt for the record that follows.
func (in *importer) prompt(l *promptLine) error {
	p, err := rows.DecodePrompt(string(l.Messages), rows.ImagesOf(in.c))
	if err != nil {
		return in.bad("%w", err)
	}
	row, err := rows.EncodePrompt(p, nil, "")
	if err != nil {
		return in.bad("%w", err)
	}
	if row.Body == "" || hex16(row.Hash) != l.Hash {
		return in.bad("the prompt does not have its hash")
	}
	in.prompts[row.Hash] = row
	return nil
}

// record keeps a record, or what it adds to the one that is there.
func (in *importer) record(l *recordLine) error {
	in.records++
	rec, others, err := l.record()
	if err == nil && (l.Seq < 0 || l.Seq > rows.MaxSeq) {
		err = fmt.Errorf("place %d does not exist", l.Seq)
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
	position := rows.PositionKey(in.id, l.Seq)
	var outcome verbatim.Outcome
	there, err := in.c.QueryOne(in.ctx, func(r *sqlite.Rows) { outcome = rows.Decode(rows.Outcomes, r.Int()) }, `SELECT outcome FROM reply WHERE place = ?`, position)
	if err != nil {
		return err
	}
	if there && (outcome.Answered() || !rec.Outcome.Answered()) {
		in.result.Known++
		return in.merge(position, outcome, &rec, others)
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
	for i := range others {
		if err := in.grade(position, &others[i], in.inserter.AddGrade); err != nil {
			return err
		}
	}
	return nil
}

// itemOf returns the item that a record is about.
func (in *importer) itemOf(l *recordLine) (it rows.SavedItem, err error) {
	row := rows.ItemRow{}
	row.Series, row.Tail = rows.SplitID(l.Item)
	if row.Hash, err = parseHex16(l.Hash); err != nil {
		return it, in.bad("%w", err)
	}
	if it, ok := in.inserter.Items[rows.ItemKey{Hash: row.Hash, Series: row.Series, Tail: row.Tail}]; ok {
		return it, nil
	}
	series, err := in.inserter.Words.Id(row.Series)
	if err != nil {
		return it, err
	}
	it, err = row.Find(in.c, series)
	if err == nil && it.ID == 0 {
		err = in.bad("item %q with hash %s is not in the lines before", l.Item, l.Hash)
	}
	return it, err
}

// sent returns what the column prompt of a record says.
func (in *importer) sent(l *recordLine, item int64) (any, error) {
	if l.Prompt == nil {
		return nil, nil
	}
	if *l.Prompt == "" {
		return in.inserter.Prompt(&rows.PromptRow{}, item)
	}
	hash, err := parseHex16(*l.Prompt)
	if err != nil {
		return nil, in.bad("%w", err)
	}
	if p := in.prompts[hash]; p != nil {
		clear(in.prompts) // they stand right before the record that needs them first
		return in.inserter.Prompt(p, item)
	}
	var id int64
	found, err := in.c.QueryOne(in.ctx, func(r *sqlite.Rows) { id = r.Int() }, `SELECT id FROM prompt WHERE item = ? AND hash = ?`, item, hash)
	if err == nil && !found {
		err = in.bad("prompt %s is not in the lines before", *l.Prompt)
	}
	return id, err
}

// merge adds to a record that is saved what the line has in addition: attempts of a
// position without an answer, grades of a position with one.
func (in *importer) merge(position int64, outcome verbatim.Outcome, rec *verbatim.Record, others []verbatim.Grade) error {
	if !outcome.Answered() {
		if err := in.dropSaved(position, rec); err != nil || rec.Failure == nil {
			return err
		}
		return in.inserter.Attempts(position, rec.Failure.Attempts, true)
	}
	if rec.Grade == nil {
		return nil // unanswered there, answered here
	}
	for i, g := range append(others, *rec.Grade) {
		keep := in.inserter.AddGrade
		if i == len(others) { // the record's own may be newer than ours
			keep = func(ctx context.Context, position int64, g *verbatim.Grade) (string, error) {
				return "", in.inserter.Regrade(ctx, position, g)
			}
		}
		if err := in.grade(position, &g, keep); err != nil {
			return err
		}
	}
	return nil
}

// attemptsOnly keeps attempts at a position without a record, which may have one here.
func (in *importer) attemptsOnly(l *attemptsLine) error {
	if l.Seq < 0 || l.Seq > rows.MaxSeq || len(l.Attempts) == 0 {
		return in.bad("attempts at place %d", l.Seq)
	}
	position := rows.PositionKey(in.id, l.Seq)
	rec := verbatim.Record{Failure: &verbatim.Failure{Attempts: attemptsOf(l.Attempts)}}
	if _, err := in.inserter.MoveInlineAttempt(position); err != nil {
		return err
	}
	if err := in.dropSaved(position, &rec); err != nil || len(rec.Failure.Attempts) == 0 {
		return err
	}
	if err := in.inserter.ChargeAttempts(position, rec.Failure.Attempts); err != nil {
		return in.bad("%w", err)
	}
	return nil
}

// dropSaved takes the attempts out of rec that are saved already.
func (in *importer) dropSaved(position int64, rec *verbatim.Record) error {
	type key struct{ n, start int64 }
	saved := map[key]bool{}
	err := in.c.QueryEach(in.ctx, func(r *sqlite.Rows) { saved[key{r.Int(), r.Int()}] = true }, `SELECT n, start FROM attempt WHERE place = ?`, position)
	if err != nil {
		return err
	}
	known := func(a verbatim.Attempt) bool {
		start, _ := rows.Instant(a.Start).(int64)
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

// grade keeps a grade, unless its version has judged the position already.
func (in *importer) grade(position int64, g *verbatim.Grade, keep func(context.Context, int64, *verbatim.Grade) (string, error)) error {
	if g.Grader == "" {
		return in.bad("a grade without a grader")
	}
	version, err := in.inserter.Words.Id(g.Grader)
	if err != nil {
		return err
	}
	had, err := in.c.QueryOne(in.ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM grade WHERE place = ? AND grader = ?`, position, version)
	if err == nil && !had {
		_, err = keep(in.ctx, position, g)
	}
	return err
}
