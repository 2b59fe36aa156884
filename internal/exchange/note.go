package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"unicode/utf8"

	"verbatim"

	"verbatim/internal/rawjson"
)

// noteKey is the key of a note in the metadata of a log and of a sample.
const noteKey = "verbatim"

// The formats of notes.
const (
	runNoteFormat    = "verbatim/run-note/1"
	recordNoteFormat = "verbatim/record-note/1"
)

// maxSeq is the last position that a plan can have.
const maxSeq = 1<<32 - 1

// A runNote is what another tool's format lacks of a run.
type runNote struct {
	Format string `json:"format"`
	verbatim.Run
}

// ours reports whether this program writes such a note.
func (n *runNote) ours() bool {
	return n != nil && n.Format == runNoteFormat && n.Plan.Hash != "" && n.Plan.Count >= 0 && n.Plan.Count <= maxSeq+1 && n.Plan.Trials >= 0 && n.Plan.Trials <= maxSeq
}

// run returns the run of the note with a model and an origin. It has no plan if the run was a test,
// which answers a part of its plan only.
func (n *runNote) run(model, origin string) verbatim.Run {
	r := n.Run
	r.Model, r.Origin = model, origin
	if r.Test != nil {
		r.Plan, r.Test = verbatim.Plan{}, nil
	}
	return r
}

// A recordNote is what another tool's format lacks of a record. The record consists of the note and
// of what the format has: the shownPrompt and the reply's text.
type recordNote struct {
	Format    string           `json:"format"`
	Seq       int64            `json:"seq"`
	Trial     int              `json:"trial"`
	Item      itemNote         `json:"item"`
	Unknown   bool             `json:"prompt_unknown,omitempty"` // the prompt that was sent is unknown
	Images    []string         `json:"image_paths,omitempty"`    // of the shownPrompt, then of the item's prompt, in order
	Sent      []inspectMessage `json:"messages,omitempty"`       // the shownPrompt, if the format has no messages
	MaxTokens int              `json:"max_tokens,omitempty"`
	Outcome   verbatim.Outcome `json:"outcome"`
	Reply     *replyNote       `json:"reply,omitempty"`
	Grade     *verbatim.Grade  `json:"grade,omitempty"`
	Failure   *failureNote     `json:"failure,omitempty"`
}

// An itemNote is an item. It has messages only if the item's prompt is not the shownPrompt.
type itemNote struct {
	verbatim.Item
	Messages []inspectMessage `json:"messages,omitempty"`
}

// A replyNote is a reply without its text, and without its reasoning if the format has a place for
// it. JSON cannot hold texts that are not UTF-8: they are in base64.
type replyNote struct {
	verbatim.Reply
	TextBytes      []byte        `json:"text_base64,omitempty"`
	ReasoningBytes []byte        `json:"reasoning_base64,omitempty"`
	Attempts       []attemptNote `json:"attempts,omitempty"`
}

// A failureNote is a failure.
type failureNote struct {
	verbatim.Failure
	Err      string        `json:"error,omitempty"`
	Attempts []attemptNote `json:"attempts,omitempty"`
}

// An attemptNote is an attempt. Its partial answer need not be UTF-8.
type attemptNote struct {
	verbatim.Attempt
	Partial []byte `json:"partial_base64,omitempty"`
}

// noteOfRecord returns the note of a record, and the messages of its shownPrompt.
func noteOfRecord(rec *verbatim.Record) (n recordNote, shown []inspectMessage) {
	n = recordNote{
		Format: recordNoteFormat, Seq: rec.Seq, Trial: rec.Trial, Item: itemNote{Item: *rec.Item}, Unknown: rec.Prompt == nil,
		MaxTokens: rec.MaxTokens, Outcome: rec.Outcome, Grade: rec.Grade,
	}
	var attempts []attemptNote
	for _, a := range rec.Attempts() {
		note := attemptNote{a, []byte(a.Partial)}
		note.Attempt.Partial = ""
		attempts = append(attempts, note)
	}
	if p := rec.Reply; p != nil {
		n.Reply = &replyNote{Reply: *p, Attempts: attempts}
		n.Reply.Text = ""
		if !utf8.ValidString(p.Text) {
			n.Reply.TextBytes = []byte(p.Text)
		}
		if !utf8.ValidString(p.Reasoning) {
			n.Reply.Reasoning, n.Reply.ReasoningBytes = "", []byte(p.Reasoning)
		}
	}
	if f := rec.Failure; f != nil {
		n.Failure = &failureNote{Failure: *f, Attempts: attempts}
		if f.Err != nil {
			n.Failure.Err = f.Err.Error()
		}
	}
	shown = messages(shownPrompt(rec), &n.Images)
	if !samePrompt(shownPrompt(rec), rec.Item.Prompt) {
		n.Item.Messages = messages(rec.Item.Prompt, &n.Images)
	}
	return n, shown
}

// record returns the record of the note. The format has the messages of its shownPrompt, whose texts
// r resolves, and the text of its reply.
func (n *recordNote) record(shown []inspectMessage, r resolver, text, reasoning string) (rec verbatim.Record, err error) {
	if err := n.check(); err != nil {
		return rec, err
	}
	paths := n.Images
	rec = verbatim.Record{Seq: n.Seq, Item: &n.Item.Item, Trial: n.Trial, MaxTokens: n.MaxTokens, Outcome: n.Outcome, Grade: n.Grade}
	if rec.Prompt, err = r.prompt(shown, &paths); err != nil {
		return rec, err
	}
	rec.Item.Prompt = rec.Prompt
	if n.Item.Messages != nil {
		if rec.Item.Prompt, err = r.prompt(n.Item.Messages, &paths); err != nil {
			return rec, err
		}
	}
	if n.Unknown {
		rec.Prompt = nil
	}
	if n.Reply != nil {
		rec.Reply = n.Reply.reply(text, reasoning)
	}
	if f := n.Failure; f != nil {
		rec.Failure = &f.Failure
		rec.Failure.Attempts = attempts(f.Attempts)
		if f.Err != "" {
			rec.Failure.Err = errors.New(f.Err)
		}
	}
	return rec, nil
}

// check returns an error if the note is not one of a valid record.
func (n *recordNote) check() error {
	answered := n.Outcome.Answered()
	switch {
	case n.Format != recordNoteFormat:
		return fmt.Errorf("metadata.%s has the format %.60q; this version reads %s", noteKey, n.Format, recordNoteFormat)
	case n.Item.ID == "" || !utf8.ValidString(n.Item.ID):
		return fmt.Errorf("metadata.%s.item has no id", noteKey)
	case n.Seq < 0 || n.Seq > maxSeq || n.Trial < 0 || n.Trial > maxSeq:
		return fmt.Errorf("metadata.%s: seq %d and trial %d are no position in a plan", noteKey, n.Seq, n.Trial)
	case !slices.Contains(verbatim.Outcomes(), n.Outcome):
		return fmt.Errorf("metadata.%s: %.60q is no outcome", noteKey, n.Outcome)
	case answered != (n.Grade != nil) || !answered && n.Reply != nil:
		return fmt.Errorf("the outcome %q does not go with the reply and the grade of the sample", n.Outcome)
	}
	return nil
}

// reply returns the reply with the texts of the file, unless the note has them.
func (n *replyNote) reply(text, reasoning string) *verbatim.Reply {
	p := n.Reply
	p.Text, p.Attempts = text, attempts(n.Attempts)
	if p.Reasoning == "" {
		p.Reasoning = reasoning
	}
	if n.TextBytes != nil {
		p.Text = string(n.TextBytes)
	}
	if n.ReasoningBytes != nil {
		p.Reasoning = string(n.ReasoningBytes)
	}
	return &p
}

func attempts(list []attemptNote) []verbatim.Attempt {
	var out []verbatim.Attempt
	for _, n := range list {
		n.Attempt.Partial = string(n.Partial)
		out = append(out, n.Attempt)
	}
	return out
}

// shownPrompt returns the prompt that a file shows: the one that was sent, or the item's own if that
// is unknown.
func shownPrompt(rec *verbatim.Record) verbatim.Prompt {
	if rec.Prompt != nil {
		return rec.Prompt
	}
	return rec.Item.Prompt
}

// samePrompt reports whether two prompts are equal; it is fast if they share memory.
func samePrompt(a, b verbatim.Prompt) bool {
	if len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] {
		return true
	}
	return reflect.DeepEqual(a, b)
}

// A planSummary is what the plan of a log without a note needs of its records.
type planSummary struct {
	items  *itemsHash
	trials int
	count  int64 // of the records
}

// summarize reads the records of the log at path, and adds errors to wrong. ok is false then.
func summarize(path string, records iter.Seq2[verbatim.Record, error], wrong *problems) (s planSummary, ok bool) {
	s = planSummary{items: newItemsHash(), trials: 1}
	items, positions := map[string]bool{}, map[int64]bool{}
	before := wrong.Count()
	for rec, err := range records {
		if err != nil {
			wrong.Add(err)
			continue
		}
		if positions[rec.Seq] {
			wrong.Add(fmt.Errorf("%s: two samples have the position %d of the plan", path, rec.Seq))
		}
		positions[rec.Seq] = true
		s.trials = max(s.trials, rec.Trial+1)
		if !items[rec.Item.ID] {
			items[rec.Item.ID] = true
			if err := s.items.Add(rec.Item); err != nil {
				wrong.Add(fmt.Errorf("%s: %w", path, err))
			}
		}
	}
	s.count = int64(len(positions))
	return s, wrong.Count() == before
}

// marshal is json.Marshal without the escapes for HTML, which make files harder to read, and with
// those of rawjson.Printable.
func marshal(v any) (json.RawMessage, error) {
	plain, err := marshalPlain(v)
	return rawjson.Printable(plain), err
}

// marshalTexts is marshal for a value of texts, which JSON can always hold.
func marshalTexts(v any) json.RawMessage {
	raw, err := marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// marshalPlain returns JSON in one line, as Python writes it without ensure_ascii.
func marshalPlain(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
