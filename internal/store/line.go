package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
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
	UID     string          `json:"uid"`
	Name    string          `json:"name"`
	Plan    string          `json:"plan"` // hash
	Model   string          `json:"model"`
	Params  verbatim.Params `json:"params"`
	Price   *verbatim.Price `json:"price,omitempty"`
	Started *time.Time      `json:"started,omitempty"`
	Ended   *time.Time      `json:"ended,omitempty"`
	Tool    string          `json:"tool"`
	Origin  string          `json:"origin,omitempty"`
	Test    *verbatim.Test  `json:"test,omitempty"`
	Load    *verbatim.Load  `json:"load,omitempty"`
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

type replyLine struct {
	Text           *string           `json:"text,omitempty"`
	TextB64        []byte            `json:"text_b64,omitempty"`
	Reasoning      string            `json:"reasoning,omitempty"`
	ReasoningB64   []byte            `json:"reasoning_b64,omitempty"`
	ReasoningField string            `json:"reasoning_field,omitempty"`
	Finish         verbatim.Finish   `json:"finish,omitempty"`
	FinishRaw      string            `json:"finish_raw,omitempty"`
	Usage          verbatim.Usage    `json:"usage,omitzero"`
	Start          *time.Time        `json:"start,omitempty"`
	FirstByte      *time.Duration    `json:"first_byte_ns,omitempty"`
	FirstReasoning *time.Duration    `json:"first_reasoning_ns,omitempty"`
	FirstContent   *time.Duration    `json:"first_content_ns,omitempty"`
	Queued         *time.Duration    `json:"queued_ns,omitempty"`
	Total          time.Duration     `json:"total_ns,omitempty"`
	ServedModel    string            `json:"served_model,omitempty"`
	RequestID      string            `json:"request_id,omitempty"`
	Fingerprint    string            `json:"fingerprint,omitempty"`
	Limits         map[string]string `json:"limits,omitempty"`
	Sent           string            `json:"sent,omitempty"`
	Applied        string            `json:"applied,omitempty"`
	Cost           *verbatim.Money   `json:"cost_usd,omitempty"`
	Claimed        *verbatim.Money   `json:"claimed_usd,omitempty"`
	Batch          string            `json:"batch,omitempty"`
	Tokens         []verbatim.Token  `json:"tokens,omitempty"`
}

type failureLine struct {
	Class  verbatim.Class `json:"class"`
	Status int            `json:"status,omitempty"`
	After  time.Duration  `json:"after_ns,omitempty"`
	Who    string         `json:"who,omitempty"`
	Hint   string         `json:"hint,omitempty"`
	Error  string         `json:"error,omitempty"`
}

type attemptLine struct {
	N          int             `json:"n"`
	Start      *time.Time      `json:"start,omitempty"`
	Total      time.Duration   `json:"total_ns,omitempty"`
	Wait       time.Duration   `json:"wait_ns,omitempty"`
	Status     int             `json:"status,omitempty"`
	Class      verbatim.Class  `json:"class,omitempty"`
	Bytes      int64           `json:"bytes,omitempty"`
	RequestID  string          `json:"request_id,omitempty"`
	Error      string          `json:"error,omitempty"`
	Partial    string          `json:"partial,omitempty"`
	PartialB64 []byte          `json:"partial_b64,omitempty"`
	Cost       *verbatim.Money `json:"cost_usd,omitempty"`
	Upstream   string          `json:"upstream,omitempty"`
}

type batchLine struct {
	Key       string     `json:"key"`
	ID        string     `json:"id,omitempty"` // the provider's
	Phase     Phase      `json:"state"`
	Positions string     `json:"positions"` // "0-99,105"
	Raw       string     `json:"raw,omitempty"`
	Intended  *time.Time `json:"intended,omitempty"`
	Submitted *time.Time `json:"submitted,omitempty"`
	Ended     *time.Time `json:"ended,omitempty"`
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

// stamp returns a time as lines have it; nil for the zero time.
func stamp(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC())
}

// unstamp is the reverse of stamp.
func unstamp(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
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
		l.Reply = &replyLine{
			ReasoningField: r.ReasoningField, Finish: r.Finish, FinishRaw: r.FinishRaw, Usage: r.Usage,
			Start: stamp(r.Times.Start), FirstByte: r.Times.FirstByte, FirstReasoning: r.Times.FirstReasoning,
			FirstContent: r.Times.FirstContent, Queued: r.Times.Queued, Total: r.Times.Total,
			ServedModel: r.ServedModel, RequestID: r.RequestID, Fingerprint: r.Fingerprint, Limits: r.Limits,
			Sent: r.Sent, Applied: r.Applied, Cost: r.Cost, Claimed: r.Claimed, Batch: r.Batch, Tokens: r.Tokens,
		}
		text, b64 := eitherText(r.Text)
		if l.Reply.TextB64 = b64; b64 == nil {
			l.Reply.Text = &text
		}
		l.Reply.Reasoning, l.Reply.ReasoningB64 = eitherText(r.Reasoning)
	}
	if f := rec.Failure; f != nil {
		attempts = f.Attempts
		l.Failure = &failureLine{Class: f.Class, Status: f.Status, After: f.After, Who: f.Who, Hint: f.Hint}
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
		out := attemptLine{N: a.N, Start: stamp(a.Start), Total: a.Total, Wait: a.Wait, Status: a.Status, Class: a.Class,
			Bytes: a.Bytes, RequestID: a.RequestID, Error: a.Err, Cost: a.Cost, Upstream: a.Upstream}
		out.Partial, out.PartialB64 = eitherText(a.Partial)
		lines = append(lines, out)
	}
	return lines
}

// attemptsOf is the reverse of attemptLines.
func attemptsOf(lines []attemptLine) (attempts []verbatim.Attempt) {
	for _, a := range lines {
		attempts = append(attempts, verbatim.Attempt{N: a.N, Start: unstamp(a.Start), Total: a.Total, Wait: a.Wait, Status: a.Status,
			Class: a.Class, Bytes: a.Bytes, RequestID: a.RequestID, Err: a.Error, Partial: wholeText(a.Partial, a.PartialB64), Cost: a.Cost, Upstream: a.Upstream})
	}
	return attempts
}

// record returns the record of a line without its item and prompt.
func (l *recordLine) record() (rec verbatim.Record, err error) {
	rec = verbatim.Record{Seq: l.Seq, Trial: l.Trial, MaxTokens: l.MaxTokens, Outcome: l.Outcome}
	attempts := attemptsOf(l.Attempts)
	if r := l.Reply; r != nil {
		rec.Reply = &verbatim.Reply{
			ReasoningField: r.ReasoningField, Finish: r.Finish, FinishRaw: r.FinishRaw, Usage: r.Usage,
			Reasoning: wholeText(r.Reasoning, r.ReasoningB64), ServedModel: r.ServedModel, RequestID: r.RequestID,
			Fingerprint: r.Fingerprint, Limits: r.Limits, Attempts: attempts,
			Sent: r.Sent, Applied: r.Applied, Cost: r.Cost, Claimed: r.Claimed, Batch: r.Batch, Tokens: r.Tokens,
			Times: verbatim.Times{Start: unstamp(r.Start), FirstByte: r.FirstByte, FirstReasoning: r.FirstReasoning,
				FirstContent: r.FirstContent, Queued: r.Queued, Total: r.Total},
		}
		if r.Text != nil {
			rec.Reply.Text = *r.Text
		}
		rec.Reply.Text = wholeText(rec.Reply.Text, r.TextB64)
	}
	if f := l.Failure; f != nil {
		rec.Failure = &verbatim.Failure{Class: f.Class, Status: f.Status, After: f.After, Who: f.Who, Hint: f.Hint, Attempts: attempts}
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

func batchLineOf(b *Batch) *batchLine {
	return &batchLine{Key: b.Key, ID: b.ID, Phase: b.Phase, Positions: formatRanges(b.Positions), Raw: b.Raw,
		Intended: stamp(b.Intended), Submitted: stamp(b.Submitted), Ended: stamp(b.Ended)}
}

// batch is the reverse of batchLineOf.
func (l *batchLine) batch(run int64) (Batch, error) {
	b := Batch{Run: run, Key: l.Key, ID: l.ID, Phase: l.Phase, Raw: l.Raw,
		Intended: unstamp(l.Intended), Submitted: unstamp(l.Submitted), Ended: unstamp(l.Ended)}
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
