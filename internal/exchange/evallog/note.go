package evallog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/rawjson"
)

// noteKey is the key of a note in the metadata of a log and of a sample.
const noteKey = "verbatim"

// The formats of notes.
const (
	runNoteFormat    = "verbatim/exchanged-run/1"
	recordNoteFormat = "verbatim/exchanged-record/1"
)

// A runNote is what another tool's format lacks of a run.
type runNote struct {
	Format  string          `json:"format"`
	Name    string          `json:"name"`
	Plan    verbatim.Plan   `json:"plan"`
	Params  verbatim.Params `json:"params"`
	Price   *verbatim.Price `json:"price,omitempty"`
	Started time.Time       `json:"started,omitzero"`
	Ended   time.Time       `json:"ended,omitzero"`
	Tool    string          `json:"tool,omitempty"`
	Origin  string          `json:"origin,omitempty"`
	Test    *verbatim.Test  `json:"test,omitempty"`
	Load    *verbatim.Load  `json:"load,omitempty"`
}

func noteOfRun(r *verbatim.Run) runNote {
	return runNote{Format: runNoteFormat, Name: r.Name, Plan: r.Plan, Params: r.Params, Price: r.Price,
		Started: r.Started, Ended: r.Ended, Tool: r.Tool, Origin: r.Origin, Test: r.Test, Load: r.Load}
}

// ours reports whether this program writes such a note.
func (n *runNote) ours() bool {
	return n.Format == runNoteFormat && n.Plan.Hash != "" && n.Plan.Count >= 0 && n.Plan.Count <= maxSeq+1 && n.Plan.Trials >= 0 && n.Plan.Trials <= maxSeq
}

// run returns the run of the note with a model and an origin. It has no plan if the run was a test,
// which answers a part of its plan only.
func (n *runNote) run(model, origin string) verbatim.Run {
	r := verbatim.Run{Name: n.Name, Plan: n.Plan, Model: model, Params: n.Params, Price: n.Price,
		Started: n.Started, Ended: n.Ended, Tool: n.Tool, Origin: origin, Load: n.Load}
	if n.Test != nil {
		r.Plan = verbatim.Plan{}
	}
	return r
}

// A recordNote is what another tool's format lacks of a record. The record consists of the note and
// of what the format has: the shownPrompt, the reply and the grade.
type recordNote struct {
	Format    string           `json:"format"`
	Seq       int64            `json:"seq"`
	Trial     int              `json:"trial"`
	Item      itemNote         `json:"item"`
	Unknown   bool             `json:"prompt_unknown,omitempty"` // the prompt that was sent is unknown
	Images    []string         `json:"image_paths,omitempty"`    // of the shownPrompt, then of the item's prompt, in order
	Sent      []inspectMessage `json:"messages,omitempty"`       // the shownPrompt, if the format has no messages
	Thought   string           `json:"reasoning,omitempty"`      // of the reply, if the format has no place for it
	MaxTokens int              `json:"max_tokens,omitempty"`
	Outcome   verbatim.Outcome `json:"outcome"`
	Label     string           `json:"label,omitempty"`
	Reply     *replyNote       `json:"reply,omitempty"`
	Failure   *failureNote     `json:"failure,omitempty"`
}

// record returns the record of the note without its reply and grade. shown is its shownPrompt, and
// paths those of the images of the item's prompt, whose texts r resolves.
func (n *recordNote) record(shown verbatim.Prompt, r resolver, paths []string) (verbatim.Record, error) {
	it := n.Item.item(shown)
	if n.Item.Messages != nil {
		var err error
		if it.Prompt, err = r.prompt(n.Item.Messages, &paths); err != nil {
			return verbatim.Record{}, err
		}
	}
	rec := verbatim.Record{Seq: n.Seq, Item: it, Trial: n.Trial, Prompt: shown, MaxTokens: n.MaxTokens, Outcome: n.Outcome}
	if n.Unknown {
		rec.Prompt = nil
	}
	return rec, nil
}

// An itemNote is an item. It has messages only if the item's prompt is not the shownPrompt.
type itemNote struct {
	ID       string             `json:"id"`
	Messages []inspectMessage   `json:"messages,omitempty"`
	Want     verbatim.Answer    `json:"want"`
	Accept   []verbatim.Answer  `json:"accept,omitempty"`
	Mistakes []verbatim.Mistake `json:"mistakes,omitempty"`
	Source   *verbatim.Answer   `json:"source,omitempty"`
	Facts    map[string]string  `json:"facts,omitempty"`
	Grader   string             `json:"grader,omitempty"`
}

// noteOf returns the note of an item, without its messages.
func noteOf(it *verbatim.Item) itemNote {
	return itemNote{ID: it.ID, Want: it.Want, Accept: it.Accept, Mistakes: it.Mistakes, Source: it.Source, Facts: it.Facts, Grader: it.Grader}
}

// item returns the item of the note with a prompt.
func (n itemNote) item(prompt verbatim.Prompt) *verbatim.Item {
	return &verbatim.Item{ID: n.ID, Prompt: prompt, Want: n.Want, Accept: n.Accept, Mistakes: n.Mistakes, Source: n.Source, Facts: n.Facts, Grader: n.Grader}
}

// A replyNote is a reply without its texts. Durations are in nanoseconds. Texts that are not UTF-8
// are in base64.
type replyNote struct {
	Text           []byte            `json:"text_base64,omitempty"` // only if the text is not UTF-8
	Reasoning      []byte            `json:"reasoning_base64,omitempty"`
	ReasoningField string            `json:"reasoning_field,omitempty"`
	Finish         verbatim.Finish   `json:"finish,omitempty"`
	FinishRaw      string            `json:"finish_raw,omitempty"`
	Usage          verbatim.Usage    `json:"usage"`
	Start          time.Time         `json:"start,omitzero"`
	FirstByte      *time.Duration    `json:"first_byte_ns,omitempty"`
	FirstReasoning *time.Duration    `json:"first_reasoning_ns,omitempty"`
	FirstContent   *time.Duration    `json:"first_content_ns,omitempty"`
	Queued         *time.Duration    `json:"queued_ns,omitempty"`
	Total          time.Duration     `json:"total_ns,omitempty"`
	ServedModel    string            `json:"served_model,omitempty"`
	RequestID      string            `json:"request_id,omitempty"`
	Fingerprint    string            `json:"fingerprint,omitempty"`
	Sent           string            `json:"sent,omitempty"`
	Applied        string            `json:"applied,omitempty"`
	Cost           *verbatim.Money   `json:"cost_usd,omitempty"`
	Claimed        *verbatim.Money   `json:"claimed_usd,omitempty"`
	Batch          string            `json:"batch,omitempty"`
	Limits         map[string]string `json:"limits,omitempty"`
	Attempts       []attemptNote     `json:"attempts,omitempty"`
}

// A failureNote is a failure.
type failureNote struct {
	Class    verbatim.Class `json:"class"`
	Status   int            `json:"status,omitempty"`
	After    time.Duration  `json:"after_ns,omitempty"`
	Who      string         `json:"who,omitempty"`
	Hint     string         `json:"hint,omitempty"`
	Err      string         `json:"error,omitempty"`
	Attempts []attemptNote  `json:"attempts,omitempty"`
}

// An attemptNote is an attempt.
type attemptNote struct {
	N         int             `json:"n"`
	Start     time.Time       `json:"start,omitzero"`
	Total     time.Duration   `json:"total_ns,omitempty"`
	Wait      time.Duration   `json:"wait_ns,omitempty"`
	Status    int             `json:"status,omitempty"`
	Class     verbatim.Class  `json:"class,omitempty"`
	Bytes     int64           `json:"bytes,omitempty"`
	RequestID string          `json:"request_id,omitempty"`
	Err       string          `json:"error,omitempty"`
	Partial   []byte          `json:"partial_base64,omitempty"`
	Cost      *verbatim.Money `json:"cost_usd,omitempty"`
	Upstream  string          `json:"upstream,omitempty"`
}

func noteOfReply(p *verbatim.Reply) *replyNote {
	return &replyNote{
		Text: notText(p.Text), Reasoning: notText(p.Reasoning), ReasoningField: p.ReasoningField, Finish: p.Finish, FinishRaw: p.FinishRaw,
		Usage: p.Usage, Start: p.Times.Start, FirstByte: p.Times.FirstByte, FirstReasoning: p.Times.FirstReasoning,
		FirstContent: p.Times.FirstContent, Queued: p.Times.Queued, Total: p.Times.Total, ServedModel: p.ServedModel, RequestID: p.RequestID,
		Fingerprint: p.Fingerprint, Sent: p.Sent, Applied: p.Applied, Cost: p.Cost, Claimed: p.Claimed, Batch: p.Batch, Limits: p.Limits,
		Attempts: noteAttempts(p.Attempts),
	}
}

// reply returns the reply with the texts of the file, unless the note has them.
func (n *replyNote) reply(text, reasoning string) *verbatim.Reply {
	p := &verbatim.Reply{
		Text: text, Reasoning: reasoning, ReasoningField: n.ReasoningField, Finish: n.Finish, FinishRaw: n.FinishRaw,
		Usage:       n.Usage,
		Times:       verbatim.Times{Start: n.Start, FirstByte: n.FirstByte, FirstReasoning: n.FirstReasoning, FirstContent: n.FirstContent, Queued: n.Queued, Total: n.Total},
		ServedModel: n.ServedModel, RequestID: n.RequestID, Fingerprint: n.Fingerprint, Sent: n.Sent, Applied: n.Applied,
		Cost: n.Cost, Claimed: n.Claimed, Batch: n.Batch, Limits: n.Limits, Attempts: attempts(n.Attempts),
	}
	if n.Text != nil {
		p.Text = string(n.Text)
	}
	if n.Reasoning != nil {
		p.Reasoning = string(n.Reasoning)
	}
	return p
}

func noteOfFailure(f *verbatim.Failure) *failureNote {
	n := &failureNote{Class: f.Class, Status: f.Status, After: f.After, Who: f.Who, Hint: f.Hint, Attempts: noteAttempts(f.Attempts)}
	if f.Err != nil {
		n.Err = f.Err.Error()
	}
	return n
}

func (n *failureNote) failure() *verbatim.Failure {
	f := &verbatim.Failure{Class: n.Class, Status: n.Status, After: n.After, Who: n.Who, Hint: n.Hint, Attempts: attempts(n.Attempts)}
	if n.Err != "" {
		f.Err = errors.New(n.Err)
	}
	return f
}

func noteAttempts(list []verbatim.Attempt) []attemptNote {
	var out []attemptNote
	for _, a := range list {
		n := attemptNote{a.N, a.Start, a.Total, a.Wait, a.Status, a.Class, a.Bytes, a.RequestID, a.Err, nil, a.Cost, a.Upstream}
		if a.Partial != "" {
			n.Partial = []byte(a.Partial)
		}
		out = append(out, n)
	}
	return out
}

func attempts(list []attemptNote) []verbatim.Attempt {
	var out []verbatim.Attempt
	for _, n := range list {
		out = append(out, verbatim.Attempt{N: n.N, Start: n.Start, Total: n.Total, Wait: n.Wait, Status: n.Status, Class: n.Class,
			Bytes: n.Bytes, RequestID: n.RequestID, Err: n.Err, Partial: string(n.Partial), Cost: n.Cost, Upstream: n.Upstream})
	}
	return out
}

// notText returns the bytes of a text that is not UTF-8, which JSON cannot hold; nil for any other.
func notText(s string) []byte {
	if utf8.ValidString(s) {
		return nil
	}
	return []byte(s)
}

// check returns an error if the note is not one of a valid record.
func (n *recordNote) check() error {
	switch {
	case n.Format != recordNoteFormat:
		return fmt.Errorf("metadata.%s has the format %.60q; this version reads %s", noteKey, n.Format, recordNoteFormat)
	case n.Item.ID == "" || !utf8.ValidString(n.Item.ID):
		return fmt.Errorf("metadata.%s.item has no id", noteKey)
	case n.Seq < 0 || n.Seq > maxSeq || n.Trial < 0 || n.Trial > maxSeq:
		return fmt.Errorf("metadata.%s: seq %d and trial %d are no position in a plan", noteKey, n.Seq, n.Trial)
	case !slices.Contains(verbatim.Outcomes(), n.Outcome):
		return fmt.Errorf("metadata.%s: %.60q is no outcome", noteKey, n.Outcome)
	}
	return nil
}

// maxSeq is the last position that a plan can have.
const maxSeq = 1<<32 - 1

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
