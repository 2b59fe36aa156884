package recordview

import (
	"encoding/base64"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/terminal"
)

// A View is all there is to say of one record, computed by Look. Its JSON form
// is the format "verbatim/show/2".
type View struct {
	Format     string            `json:"format"`
	Run        Run               `json:"run"`
	Seq        int64             `json:"seq"`
	Item       string            `json:"item"`
	Trial      int               `json:"trial"`
	Facts      map[string]string `json:"facts,omitempty"`
	Prompt     verbatim.Prompt   `json:"messages"` // what was sent; the bare prompt where that is not kept
	Want       verbatim.Answer   `json:"want"`
	Source     *verbatim.Answer  `json:"source,omitempty"`
	Outcome    verbatim.Outcome  `json:"outcome"`
	Verdict    *Verdict          `json:"verdict,omitempty"` // nil when there was no answer
	Reply      *Reply            `json:"reply,omitempty"`
	Failure    *Failure          `json:"failure,omitempty"`
	Attempts   []Attempt         `json:"attempts,omitempty"`
	Difference *Difference       `json:"difference,omitempty"` // nil on a pass
	// Departure is nil without log probabilities.
	Departure *Departure `json:"departure,omitempty"`
}

// A Run names the run of a record.
type Run struct {
	N     int64  `json:"n,omitempty"`
	Name  string `json:"name"`
	Model string `json:"model"`
}

// A Verdict is a Grade with its label explained.
type Verdict struct {
	verbatim.Grade
	Explanation string `json:"explanation,omitempty"`
}

// A Reply is a Reply. A text that is not valid UTF-8 is in the field whose
// name ends in _b64, as the bytes that were received.
type Reply struct {
	Text         *string           `json:"text,omitempty"`
	TextB64      string            `json:"text_b64,omitempty"`
	Reasoning    *string           `json:"reasoning,omitempty"`
	ReasoningB64 string            `json:"reasoning_b64,omitempty"`
	Bytes        int               `json:"bytes"`
	Finish       verbatim.Finish   `json:"finish_reason,omitempty"`
	FinishRaw    string            `json:"finish_reason_raw,omitempty"`
	Usage        verbatim.Usage    `json:"usage"`
	Cost         *verbatim.Money   `json:"cost_usd,omitempty"`    // absent: not known
	Claimed      *verbatim.Money   `json:"claimed_usd,omitempty"` // by the server, where that is another
	Seconds      *float64          `json:"seconds"`
	FirstToken   *float64          `json:"first_token_seconds"`
	FirstContent *float64          `json:"first_content_seconds"`
	Queued       *float64          `json:"queue_seconds"`
	Started      *time.Time        `json:"started,omitempty"`
	ServedModel  string            `json:"served_model,omitempty"`
	RequestID    string            `json:"request_id,omitempty"`
	Fingerprint  string            `json:"fingerprint,omitempty"`
	Limits       map[string]string `json:"limits,omitempty"`
	Tokens       []verbatim.Token  `json:"tokens,omitempty"` // with log probabilities, if they were requested

	text, reasoning string // as received
}

// A Failure says why there was no answer.
type Failure struct {
	Class   verbatim.Class `json:"class"`
	Status  int            `json:"status,omitempty"`
	Who     string         `json:"who,omitempty"`
	Message string         `json:"message"`
	Hint    string         `json:"hint,omitempty"`
}

// A Attempt is one try.
type Attempt struct {
	N       int            `json:"n"`
	Status  int            `json:"status,omitempty"`
	Class   verbatim.Class `json:"class,omitempty"` // empty when it succeeded
	Waited  float64        `json:"waited_seconds"`
	Seconds float64        `json:"seconds"`
	Bytes   int64          `json:"bytes"`
	Message string         `json:"message,omitempty"`
	Partial string         `json:"partial,omitempty"` // the start of what had arrived
	// Cost is the most that it may have cost, where that is not known.
	Cost *verbatim.Money `json:"cost_usd_at_most,omitempty"`
	// Upstream is the server behind a router that failed.
	Upstream string `json:"upstream,omitempty"`
}

// New computes what there is to say of a record of the run. Its work is bounded
// whatever the reply holds: a difference in a reply of 10 MB is looked for in
// full and described where it begins.
func New(run verbatim.Run, rec verbatim.Record) *View {
	s := &View{
		Format:  "verbatim/show/2",
		Run:     Run{run.N, run.Name, run.Model},
		Seq:     rec.Seq,
		Trial:   rec.Trial,
		Prompt:  rec.Prompt,
		Outcome: rec.Outcome,
	}
	item := rec.Item
	if item == nil {
		item = new(verbatim.Item)
	}
	s.Item, s.Facts, s.Want, s.Source = item.ID, item.Facts, item.Want, item.Source
	if len(s.Prompt) == 0 {
		s.Prompt = item.Prompt
	}
	if rec.Grade != nil {
		s.Verdict = &Verdict{Grade: *rec.Grade, Explanation: Explain(rec.Grade.Label)}
	}
	if rec.Reply != nil {
		s.Reply = newReply(rec.Reply)
		s.Attempts = newAttempts(rec.Reply.Attempts)
		if rec.Grade == nil || !rec.Grade.Exact {
			s.Difference = difference(item, rec.Reply.Text)
		}
		s.Departure = departure(item.Want, rec.Grade, rec.Reply)
	}
	if rec.Failure != nil {
		s.Failure = newFailure(rec.Failure)
		s.Attempts = newAttempts(rec.Failure.Attempts)
	}
	return s
}

func newReply(r *verbatim.Reply) *Reply {
	out := &Reply{
		Bytes:       len(r.Text),
		Finish:      r.Finish,
		FinishRaw:   r.FinishRaw,
		Usage:       r.Usage,
		Cost:        r.Cost,
		Claimed:     r.Claimed,
		ServedModel: r.ServedModel,
		RequestID:   r.RequestID,
		Fingerprint: r.Fingerprint,
		Limits:      r.Limits,
		Tokens:      r.Tokens,
		text:        r.Text,
		reasoning:   r.Reasoning,
	}
	out.Text, out.TextB64 = textOrBytes(r.Text)
	if r.Reasoning != "" {
		out.Reasoning, out.ReasoningB64 = textOrBytes(r.Reasoning)
	}
	if r.Times.Total > 0 {
		v := r.Times.Total.Seconds()
		out.Seconds = &v
	}
	out.FirstToken, out.FirstContent, out.Queued = seconds(r.Times.FirstToken()), seconds(r.Times.FirstContent), seconds(r.Times.Queued)
	if !r.Times.Start.IsZero() {
		out.Started = &r.Times.Start
	}
	return out
}

func textOrBytes(s string) (text *string, b64 string) {
	if utf8.ValidString(s) {
		return &s, ""
	}
	return nil, base64.StdEncoding.EncodeToString([]byte(s))
}

func newFailure(f *verbatim.Failure) *Failure {
	out := &Failure{Class: f.Class, Status: f.Status, Who: f.Who, Hint: f.Hint}
	if f.Err != nil {
		out.Message = f.Err.Error()
	}
	return out
}

func newAttempts(list []verbatim.Attempt) []Attempt {
	out := make([]Attempt, len(list))
	for i, a := range list {
		partial, _ := terminal.Excerpt(a.Partial, 400)
		out[i] = Attempt{a.N, a.Status, a.Class, a.Wait.Seconds(), a.Total.Seconds(), a.Bytes, a.Err, terminal.Visible(partial), a.Cost, a.Upstream}
	}
	return out
}

func seconds(d *time.Duration) *float64 {
	if d == nil {
		return nil
	}
	s := d.Seconds()
	return &s
}
