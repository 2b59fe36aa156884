package recordview

import (
	"encoding/base64"
	"strings"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/number"
	"verbatim/internal/pylit"
	"verbatim/internal/terminal"
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

// AnswerText returns an answer as a reply should have it.
func AnswerText(a verbatim.Answer) string {
	if a.IsList() {
		return pylit.Format(a.List)
	}
	return a.Text
}

// body lays out the first chars characters of a text behind a margin. Long lines of prose are broken
// between words, other ones anywhere. Spaces at the ends of lines, and line feeds at the end of the
// text, are symbols.
func body(text string, chars int, s terminal.Style, prose bool) string {
	const margin = "  │ "
	head, rest := terminal.Excerpt(text, chars)
	tail := head[len(strings.TrimRight(head, "\n")):]
	head = head[:len(head)-len(tail)]
	var b strings.Builder
	for line := range strings.SplitSeq(head, "\n") {
		b.WriteString(bodyLine(line, s, prose, margin))
	}
	out := strings.TrimSuffix(b.String(), "\n") + terminal.Visible(tail) + "\n"
	if rest > 0 {
		out += s.Paint(terminal.Faint, margin) + s.Paint(terminal.Alert, "… "+number.Count(int64(rest))+" more bytes (--json has them)") + "\n"
	}
	return out
}

func bodyLine(line string, s terminal.Style, prose bool, margin string) string {
	inner := strings.TrimRight(line, " ")
	line = terminal.Visible(inner) + strings.Repeat("␠", len(line)-len(inner))
	width := s.Columns() - terminal.Width(margin)
	var lines []string
	if prose {
		lines = terminal.Wrap(line, width)
	} else {
		lines = terminal.WrapAnywhere(line, width)
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(s.Paint(terminal.Faint, margin) + l + "\n")
	}
	return b.String()
}

// Reason says why an answer was graded as it was, the label first. It is Visible, and empty without
// an answer.
func Reason(v *View) string {
	g := v.Verdict
	if g == nil {
		return ""
	}
	var parts []string
	if g.Label != string(v.Outcome) {
		parts = append(parts, terminal.Visible(g.Label))
	}
	if g.Detail != "" {
		parts = append(parts, "("+terminal.Visible(g.Detail)+")")
	}
	text := strings.Join(parts, " ")
	switch meaning := detailMeaning(g.Detail); {
	case v.Outcome == verbatim.Truncated && g.Explanation != "" && meaning != "":
		return text + ": " + g.Explanation + " " + meaning
	case g.Explanation == "":
		return text
	case text == "":
		return g.Explanation
	}
	return text + ": " + g.Explanation
}

// FlagMeaning says in a few words what a flag of a reply means; "" for an unknown flag. The glossary
// has more.
func FlagMeaning(flag string) string {
	switch flag {
	case "critical":
		return "over 120 % of the expected length"
	case "foreign_script":
		return "letters of a script that the expected answer does not have"
	case "invalid_utf8":
		return "bytes that are not UTF-8"
	case "loop":
		return "the reply ends in a loop"
	case "open_reasoning":
		return "<think> without its end"
	case "replacement_char":
		return "U+FFFD in the reply"
	case "secret_removed":
		return "a secret was removed from the reply"
	case "truncated":
		return "stopped by the token limit"
	}
	return ""
}

// measureMeaning says in words what a measure with a short name is; "" for other measures.
func measureMeaning(measure string) string {
	switch measure {
	case "ned":
		return "normalized edit distance: 0 is equal, 1 entirely different"
	case "lcp":
		return "longest common prefix"
	}
	return ""
}

// detailMeaning says what the detail of a truncated reply means; "" for other details.
func detailMeaning(detail string) string {
	switch detail {
	case "prefix":
		return "What it wrote was right so far."
	case "diverged":
		return "What it wrote was wrong before that."
	}
	return ""
}

// DetailTerms explains the terms in the details of failures, each once, in the order of their
// first use.
func DetailTerms(details []string) (terms []string) {
	seen := map[string]bool{}
	for _, detail := range details {
		meaning := detailMeaning(detail)
		term, _, _ := strings.Cut(detail, " ")
		if meaning == "" {
			meaning = measureMeaning(term)
		}
		if meaning != "" && !seen[term] {
			seen[term] = true
			terms = append(terms, term+": "+strings.TrimSuffix(strings.ToLower(meaning[:1])+meaning[1:], "."))
		}
	}
	return terms
}

// Explain says in one sentence what a label of a grade means. It is empty for an unknown label, such
// as that of a newer grader in an imported file.
func Explain(label string) string { return grade.Meaning(label) }
