package recordview

import (
	"math"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/terminal"
)

// A Departure is the token at which a reply departs from the expected answer, with the
// alternatives that the server lists for it.
type Departure struct {
	At           int           `json:"at"` // in bytes of the reply, from 0
	Token        Alternative   `json:"token"`
	Alternatives []Alternative `json:"alternatives"` // in the server's order
}

// An Alternative is a token and its probability.
type Alternative struct {
	Text        string  `json:"text"` // as Visible writes it
	Probability float64 `json:"probability"`
	Right       bool    `json:"right"` // it continues the expected answer
}

// departure returns the token at which a reply departs from the expected answer. It is nil if the
// answer is exact, without log probabilities, and if the reply ends too early: servers list no
// token for the end.
func departure(want verbatim.Answer, g *verbatim.Grade, r *verbatim.Reply) *Departure {
	if len(r.Tokens) == 0 || g == nil || g.Exact {
		return nil
	}
	start, ok := offset(r)
	if !ok {
		return nil
	}
	from := 0
	if g.Span != nil && !g.Extracted && g.Span.Start >= 0 && g.Span.Start <= len(r.Text) {
		from = g.Span.Start
	}
	at, rest := depart(want, r.Text[from:])
	if at += from; at >= len(r.Text) {
		return nil
	}
	for _, t := range r.Tokens {
		if end := start + len(t.Text); end <= at {
			start = end
			continue
		}
		// The token may begin before the departure, with text that is right.
		right := r.Text[max(start, 0):at] + rest
		d := &Departure{At: at, Token: alternative(t, right)}
		for _, other := range t.Top {
			d.Alternatives = append(d.Alternatives, alternative(other, right))
		}
		return d
	}
	return nil
}

// offset returns the byte of the reply's text at which the first token begins; it is negative if
// the tokens include reasoning. ok is false if the tokens do not spell the text.
func offset(r *verbatim.Reply) (start int, ok bool) {
	var b strings.Builder
	for _, t := range r.Tokens {
		b.WriteString(t.Text)
	}
	if i := strings.LastIndex(b.String(), r.Text); i >= 0 {
		return -i, true
	}
	return 0, strings.HasPrefix(r.Text, b.String())
}

// depart returns the number of bytes that a reply has in common with the start of the expected
// answer, and the rest of the expected answer. A list may have either kind of quotation marks.
func depart(want verbatim.Answer, reply string) (at int, rest string) {
	forms := []string{AnswerText(want)}
	if want.IsList() {
		forms = append(forms, strings.ReplaceAll(forms[0], "'", `"`))
	}
	for _, form := range forms {
		n := 0
		for n < len(form) && n < len(reply) && form[n] == reply[n] {
			n++
		}
		if n >= at {
			at, rest = n, form[n:]
		}
	}
	return at, rest
}

// alternative describes a token at a place where right is expected.
func alternative(t verbatim.Token, right string) Alternative {
	// The token may end after the answer, with white space.
	rest, whole := strings.CutPrefix(t.Text, right)
	ends := whole && right != "" && strings.TrimSpace(rest) == ""
	return Alternative{
		Text:        terminal.Visible(t.Text),
		Probability: math.Exp(min(t.Logprob, 0)),
		Right:       t.Text != "" && (strings.HasPrefix(right, t.Text) || ends),
	}
}

// maxAlternatives is the number of tokens that the text shows, the chosen one included.
const maxAlternatives = 5

// showDeparture shows the probabilities of the tokens at the departure.
func showDeparture(d *Departure, s terminal.Style) string {
	lines := []string{s.Paint(terminal.Faint, "at byte "+strconv.Itoa(d.At)+" (from 0), where the reply first differs")}
	line := func(a Alternative, chosen bool) {
		text := terminal.PadLeft(strconv.FormatFloat(100*a.Probability, 'f', 1, 64)+" %", 7) + "  " +
			terminal.PadRight(terminal.Truncate(strconv.Quote(a.Text), 24), 24)
		switch {
		case chosen:
			text += "  chosen"
		case a.Right:
			text += s.Paint(terminal.Good, "  right")
		}
		lines = append(lines, strings.TrimRight(text, " "))
	}
	line(d.Token, true)
	shown := 1
	for _, a := range d.Alternatives {
		if a == d.Token || shown == maxAlternatives {
			continue
		}
		line(a, false)
		shown++
	}
	return hanging(heading("tokens", s), lines)
}
