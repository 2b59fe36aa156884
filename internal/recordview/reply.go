package recordview

import (
	"encoding/base64"
	"time"
	"unicode/utf8"

	"verbatim"
)

// A Reply is a verbatim.Reply for JSON. A text that is not valid UTF-8 is in the field whose name
// ends in _b64, as the bytes that were received.
type Reply struct {
	Text         *string           `json:"text,omitempty"`
	TextB64      string            `json:"text_b64,omitempty"`
	Reasoning    *string           `json:"reasoning,omitempty"`
	ReasoningB64 string            `json:"reasoning_b64,omitempty"`
	Bytes        int               `json:"bytes"`
	Finish       verbatim.Finish   `json:"finish_reason,omitempty"`
	FinishRaw    string            `json:"finish_reason_raw,omitempty"`
	Usage        verbatim.Usage    `json:"usage"`
	Cost         *verbatim.Money   `json:"cost_usd,omitempty"`    // absent: unknown
	Claimed      *verbatim.Money   `json:"claimed_usd,omitempty"` // by the server, if that differs from Cost
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

// Received returns the text and the reasoning as received: any bytes, to be shown through Lines.
func (r *Reply) Received() (text, reasoning string) { return r.text, r.reasoning }

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

// textOrBytes returns a text as it is, or in base64 if it is not valid UTF-8.
func textOrBytes(s string) (text *string, b64 string) {
	if utf8.ValidString(s) {
		return &s, ""
	}
	return nil, base64.StdEncoding.EncodeToString([]byte(s))
}

func seconds(d *time.Duration) *float64 {
	if d == nil {
		return nil
	}
	s := d.Seconds()
	return &s
}
