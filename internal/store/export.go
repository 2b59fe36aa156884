package store

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// Export writes whole runs as JSON lines, in the given order. After Import into another database,
// Export writes the same bytes.
func (s *Store) Export(ctx context.Context, w io.Writer, runs ...int64) error {
	return s.file.View(func(c *sqlite.Conn) error { return exportRuns(ctx, c, w, runs...) })
}

// exportRuns writes runs as JSON lines, within a transaction of c.
func exportRuns(ctx context.Context, c *sqlite.Conn, w io.Writer, runs ...int64) error {
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

// exportFormat is the format of the lines of Export and Import, which docs/format-runs.md describes.
const exportFormat = "verbatim/store/1"

// A line is one line of an export. It has exactly one of these members.
type line struct {
	Format string         `json:"format,omitempty"`
	Plan   *verbatim.Plan `json:"plan,omitempty"`
	Run    *runLine       `json:"run,omitempty"`
	Batch  *batchLine     `json:"batch,omitempty"`
	Blob   *blobLine      `json:"blob,omitempty"`
	Item   *itemLine      `json:"item,omitempty"`
	Prompt *promptLine    `json:"prompt,omitempty"`
	Record *recordLine    `json:"record,omitempty"`
	Tried  *attemptsLine  `json:"attempts,omitempty"`
	End    *endLine       `json:"end,omitempty"`
}

type runLine struct {
	UID string `json:"uid"`
	verbatim.Run
	Plan string `json:"plan"` // hash
}

type blobLine struct {
	SHA256 string `json:"sha256"`
	Data   []byte `json:"data"` // base64
}

type itemLine struct {
	ID       string            `json:"id"`
	Hash     string            `json:"hash"`
	Messages json.RawMessage   `json:"messages"`
	Want     json.RawMessage   `json:"want"`
	Source   json.RawMessage   `json:"source,omitempty"`
	Others   json.RawMessage   `json:"others,omitempty"`
	Facts    map[string]string `json:"facts,omitempty"`
	Grader   string            `json:"grader,omitempty"`
}

type promptLine struct {
	Hash     string          `json:"hash"`
	Messages json.RawMessage `json:"messages"`
}

type endLine struct {
	Run     string `json:"run"` // uid
	Records int64  `json:"records"`
}

type recordLine struct {
	Seq       int64            `json:"seq"`
	Item      string           `json:"item"` // id
	Hash      string           `json:"hash"` // of the item
	Trial     int              `json:"trial"`
	Prompt    *string          `json:"prompt,omitempty"` // hash; absent: the item's own; "": unknown
	MaxTokens int              `json:"max_tokens,omitempty"`
	Outcome   verbatim.Outcome `json:"outcome"`
	Reply     *replyLine       `json:"reply,omitempty"`
	Failure   *failureLine     `json:"failure,omitempty"`
	Attempts  []attemptLine    `json:"attempts,omitempty"`
	Grade     *gradeLine       `json:"grade,omitempty"`
}

// An attemptsLine is the attempts at a position without a record.
type attemptsLine struct {
	Seq      int64         `json:"seq"`
	Attempts []attemptLine `json:"attempts"`
}

// A replyLine is a reply and its times. Its attempts are in the recordLine.
type replyLine struct {
	Text    *string `json:"text,omitempty"`
	TextB64 []byte  `json:"text_b64,omitempty"`
	verbatim.Reply
	ReasoningB64 []byte         `json:"reasoning_b64,omitempty"`
	Usage        verbatim.Usage `json:"usage,omitzero"`
	verbatim.Times
}

type failureLine struct {
	verbatim.Failure
	Error string `json:"error,omitempty"`
}

type attemptLine struct {
	verbatim.Attempt
	PartialB64 []byte `json:"partial_b64,omitempty"`
}

type batchLine struct {
	Batch
	Positions string `json:"positions"` // "0-99,105"
}

type gradeLine struct {
	verbatim.Grade
	DetailB64 []byte `json:"detail_b64,omitempty"`
}

// eitherText returns a text for a JSON string, or its bytes for a base64 string if it is not valid
// UTF-8.
func eitherText(s string) (text string, b64 []byte) {
	if utf8.ValidString(s) {
		return s, nil
	}
	return "", []byte(s)
}

// wholeText is the reverse of eitherText.
func wholeText(text string, b64 []byte) string {
	if len(b64) > 0 {
		return string(b64)
	}
	return text
}

// hex16 returns a hash as lines have it; parseHex16 is the reverse.
func hex16(hash int64) string { return fmt.Sprintf("%016x", uint64(hash)) }

func parseHex16(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 16, 64)
	if err != nil || len(s) != 16 {
		return 0, fmt.Errorf("%q is not a hash of 16 hex digits", s)
	}
	return int64(n), nil
}

// lineOf returns the line of a record, without its hash and prompt.
func lineOf(rec *verbatim.Record) *recordLine {
	l := &recordLine{Seq: rec.Seq, Item: rec.Item.ID, Trial: rec.Trial, MaxTokens: rec.MaxTokens, Outcome: rec.Outcome}
	var attempts []verbatim.Attempt
	if r := rec.Reply; r != nil {
		attempts = r.Attempts
		l.Reply = &replyLine{Reply: *r, Usage: r.Usage, Times: r.Times}
		l.Reply.Reply.Times, l.Reply.Attempts, l.Reply.Marks = verbatim.Times{}, nil, nil
		text, b64 := eitherText(r.Text)
		if l.Reply.TextB64 = b64; b64 == nil {
			l.Reply.Text = &text
		}
		l.Reply.Reasoning, l.Reply.ReasoningB64 = eitherText(r.Reasoning)
	}
	if f := rec.Failure; f != nil {
		attempts = f.Attempts
		l.Failure = &failureLine{Failure: *f}
		l.Failure.Attempts = nil
		if f.Err != nil {
			l.Failure.Error = f.Err.Error()
		}
	}
	l.Attempts = attemptLines(attempts)
	if rec.Grade != nil {
		l.Grade = &gradeLine{Grade: *rec.Grade}
		l.Grade.Detail, l.Grade.DetailB64 = eitherText(rec.Grade.Detail)
	}
	return l
}

func attemptLines(attempts []verbatim.Attempt) (lines []attemptLine) {
	for _, a := range attempts {
		out := attemptLine{Attempt: a}
		out.Partial, out.PartialB64 = eitherText(a.Partial)
		lines = append(lines, out)
	}
	return lines
}

// attemptsOf is the reverse of attemptLines.
func attemptsOf(lines []attemptLine) (attempts []verbatim.Attempt) {
	for _, a := range lines {
		a.Partial = wholeText(a.Partial, a.PartialB64)
		attempts = append(attempts, a.Attempt)
	}
	return attempts
}

// record returns the record of a line without its item and prompt.
func (l *recordLine) record() (rec verbatim.Record, err error) {
	rec = verbatim.Record{Seq: l.Seq, Trial: l.Trial, MaxTokens: l.MaxTokens, Outcome: l.Outcome}
	attempts := attemptsOf(l.Attempts)
	if r := l.Reply; r != nil {
		rec.Reply = new(r.Reply)
		rec.Reply.Reasoning = wholeText(r.Reasoning, r.ReasoningB64)
		rec.Reply.Usage, rec.Reply.Times, rec.Reply.Attempts, rec.Reply.Marks = r.Usage, r.Times, attempts, nil
		if r.Text != nil {
			rec.Reply.Text = *r.Text
		}
		rec.Reply.Text = wholeText(rec.Reply.Text, r.TextB64)
	}
	if f := l.Failure; f != nil {
		rec.Failure = new(f.Failure)
		rec.Failure.Attempts = attempts
		if f.Error != "" {
			rec.Failure.Err = errors.New(f.Error)
		}
	}
	if l.Grade != nil {
		rec.Grade = new(l.Grade.Grade)
		rec.Grade.Detail = wholeText(l.Grade.Detail, l.Grade.DetailB64)
	}
	switch {
	case rec.Reply != nil && rec.Failure != nil:
		err = fmt.Errorf("the record has a reply and a failure; want one of them")
	case len(attempts) > 0 && rec.Reply == nil && rec.Failure == nil:
		err = fmt.Errorf("the record has attempts without a reply or a failure")
	case l.Outcome.Answered() && (rec.Grade == nil || rec.Grade.Outcome != l.Outcome):
		err = fmt.Errorf("the record has no grade with the outcome %q", l.Outcome)
	case rec.Grade != nil && rec.Grade.Grader == "":
		err = fmt.Errorf("the grade has no grader")
	case !l.Outcome.Answered() && (rec.Grade != nil || rec.Reply != nil):
		err = fmt.Errorf("a record with the outcome %q has neither reply nor grade", l.Outcome)
	}
	return rec, err
}

// batch returns the batch of a line.
func (l *batchLine) batch(run int64) (Batch, error) {
	b := l.Batch
	b.Run = run
	if l.Key == "" {
		return b, fmt.Errorf("the batch has no key")
	}
	if _, err := codeOf(phases, l.Phase); err != nil {
		return b, fmt.Errorf("batch %s: %w", l.Key, err)
	}
	if l.ID == "" && (l.Phase == Submitted || l.Phase == collected) {
		return b, fmt.Errorf("batch %s is %s and has no id", l.Key, l.Phase)
	}
	var err error
	if b.Positions, err = parseRanges(l.Positions); err != nil {
		return b, fmt.Errorf("batch %s: %w", l.Key, err)
	}
	return b, nil
}
