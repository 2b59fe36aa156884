package store

import (
	"encoding/hex"
	"fmt"
	"slices"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

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
