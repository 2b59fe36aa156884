package recordview

import (
	"math"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/terminal"
)

// A Departure is the token at which a reply departs from the expected answer, and what else
// the model might have written there.
type Departure struct {
	At           int           `json:"at"` // in bytes of the reply, from 0
	Token        Alternative   `json:"token"`
	Alternatives []Alternative `json:"alternatives"` // in the server's order
}

// An Alternative is a token and its probability.
type Alternative struct {
	Text        string  `json:"text"` // as Visible writes it
	Probability float64 `json:"probability"`
	Right       bool    `json:"right"` // it would have gone on with the expected answer
}

// departure returns the token at which a reply departs from the expected answer; nil if it is
// exact, if there are no log probabilities, or if the reply ends too early: servers list no
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
	if g.Span != nil && !g.Extracted && g.Span.Start <= len(r.Text) {
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

// offset returns where the first token begins in the text of a reply: before it if the tokens
// include reasoning. ok is false if the tokens do not spell the text.
func offset(r *verbatim.Reply) (int, bool) {
	var b strings.Builder
	for _, t := range r.Tokens {
		b.WriteString(t.Text)
	}
	if i := strings.LastIndex(b.String(), r.Text); i >= 0 {
		return -i, true
	}
	return 0, strings.HasPrefix(r.Text, b.String())
}

// depart returns how many bytes of a reply are as in the expected answer, and the rest of the
// expected answer. A list counts in either kind of quotation marks.
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

// alternative describes a token where right should have come.
func alternative(t verbatim.Token, right string) Alternative {
	return Alternative{
		Text:        terminal.Visible(t.Text),
		Probability: math.Exp(min(t.Logprob, 0)),
		Right:       t.Text != "" && (strings.HasPrefix(right, t.Text) || right != "" && strings.HasPrefix(t.Text, right) && strings.TrimSpace(t.Text[len(right):]) == ""),
	}
}

// maxAlternatives is how many alternatives are shown in text.
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
	return hanging(s.Paint(terminal.Bold, terminal.PadRight("tokens", label)), lines)
}
