package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"verbatim"
)

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
