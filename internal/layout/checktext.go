package layout

import (
	"io"
	"strings"

	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/earlystop"
)

// CheckJSON writes the Check as it is, one indented document.
func CheckJSON(w io.Writer, c *report.Check) error { return terminal.WriteJSON(w, c) }

// CheckText writes the Check for a terminal: the verdict, then what it rests on.
func CheckText(w io.Writer, c *report.Check, s terminal.Style) error {
	var b strings.Builder
	colour := terminal.Alert
	switch {
	case c.Word == verdict.Worse:
		colour = terminal.Bad
	case c.Word.Settled():
		colour = terminal.Good
	}
	lines := terminal.Wrap(strings.ToUpper(checkTitle(c))+"  "+CheckSentence(c), s.Columns())
	for _, line := range lines {
		b.WriteString(s.Paint(colour, line) + "\n")
	}
	if c.Ended != "" {
		b.WriteString(strings.Join(terminal.Wrap("The asking ended early: "+terminal.Visible(c.Ended), s.Columns()), "\n") + "\n")
	}
	b.WriteString("\n" + facts(checkFacts(c), s))
	for _, ch := range shownChanges(c) { // the commands in one piece, to be copied
		b.WriteString("  " + terminal.PadRight(became(ch), 24) + "  " + s.Paint(terminal.Faint, s.ShowCommand(changedRun(c, ch), ch.Item)) + "\n")
	}
	if len(c.Notes)+len(c.Advice) > 0 {
		b.WriteString("\n" + warnings(c.Notes, s))
	}
	for _, a := range c.Advice {
		b.WriteString(strings.Join(terminal.Wrap(terminal.Visible(a.Text), s.Columns()), "\n") + "\n")
		if a.Command != "" { // in one piece, to be copied
			b.WriteString("  " + terminal.Visible(a.Command) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// mostShown is how many changes of each kind are laid out for people.
const mostShown = 5

// became says what became of an item.
func became(ch earlystop.Change) string {
	return terminal.Visible(ch.Before) + " → " + terminal.Visible(ch.Now)
}

// changedRun names the run whose answer is not right.
func changedRun(c *report.Check, ch earlystop.Change) string {
	if ch.Right {
		return c.Against.Ref
	}
	return c.Run.Ref
}

// shownChanges returns the first changes, those for the worse before the others.
func shownChanges(c *report.Check) []earlystop.Change {
	var lost, gained []earlystop.Change
	for _, ch := range c.Changes.First {
		if ch.Right {
			gained = append(gained, ch)
		} else {
			lost = append(lost, ch)
		}
	}
	return append(lost[:min(len(lost), mostShown)], gained[:min(len(gained), mostShown)]...)
}
