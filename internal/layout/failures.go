package layout

import (
	"io"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// ListingText writes a Listing for a terminal: the number of each kind of failure, its meaning, and
// the first ones, with the command that lists all of them.
func ListingText(w io.Writer, l *report.Listing, o Options, s terminal.Style) error {
	var b strings.Builder
	table.WriteText(&b, runTitle(l.Run.Model, l.Run.N, l.Run.Name, l.Note), s)
	kinds := l.Kinds()
	missed := l.Records - l.Passed
	b.WriteString(number.Count(missed) + " of " + number.Plural(l.Records, "record", "records") + " did not pass\n")
	if l.Unrecorded > 0 {
		b.WriteString(number.Plural(l.Unrecorded, "request", "requests") + " without a record may have cost up to " + l.MayHave.String() + ": in flight now, or when the program ended\n")
	}
	widest := 0
	for _, k := range kinds {
		widest = max(widest, terminal.Width(missLabel(k)))
	}
	for _, k := range kinds {
		b.WriteString("\n")
		kindText(l, &b, k, o, min(widest, s.Columns()/2), s)
	}
	b.WriteString(termsText(kinds, s))
	_, err := io.WriteString(w, b.String())
	return err
}

// termsText explains the terms in the details of the listed failures; empty without any.
func termsText(kinds []*report.Misses, s terminal.Style) string {
	var details []string
	for _, k := range kinds {
		for _, m := range k.First {
			details = append(details, m.Detail)
		}
	}
	terms := recordview.DetailTerms(details)
	if len(terms) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, term := range terms {
		for _, line := range terminal.Wrap(term, s.Columns()) {
			b.WriteString(s.Paint(terminal.Faint, line) + "\n")
		}
	}
	return b.String()
}

// missText prints the item with the detail next to it, or below it if they do not fit one line.
func missText(m report.Miss, s terminal.Style) string {
	const indent = "    "
	lines := terminal.WrapAnywhere(missItem(m), s.Columns()-len(indent))
	detail := terminal.Visible(m.Detail)
	if n := len(lines) - 1; detail != "" && terminal.Width(lines[n])+2+terminal.Width(detail) <= s.Columns()-len(indent) {
		return indent + strings.Join(lines, "\n"+indent) + "  " + s.Paint(terminal.Faint, detail) + "\n"
	}
	out := indent + strings.Join(lines, "\n"+indent) + "\n"
	if detail == "" {
		return out
	}
	rows := terminal.Wrap(detail, s.Columns()-len(indent)-2)
	if len(rows) > 2 {
		rows = append(rows[:1], terminal.Truncate(rows[1]+" …", s.Columns()-len(indent)-2))
	}
	for _, row := range rows {
		out += indent + "  " + s.Paint(terminal.Faint, row) + "\n"
	}
	return out
}

// kindText writes one kind of failure. names is the width of the names of kinds.
func kindText(l *report.Listing, b *strings.Builder, k *report.Misses, o Options, names int, s terminal.Style) {
	p := terminal.Bad
	if !k.Outcome.Answered() {
		p = terminal.Alert
	}
	head := terminal.PadRight(terminal.Truncate(missLabel(k), names), names)
	b.WriteString(s.Paint(terminal.Bold, head) + "  " + s.Paint(p, terminal.PadRight(string(k.Outcome), len(verbatim.Wrapped))) + "  " + number.Count(k.N) + "\n")
	if text := recordview.Explain(k.Label); text != "" {
		for _, line := range terminal.Wrap(text, s.Columns()-2) {
			b.WriteString("  " + s.Paint(terminal.Faint, line) + "\n")
		}
	}
	for _, m := range k.First {
		b.WriteString(missText(m, s))
	}
	if k.N > int64(len(k.First)) {
		flags := []string{"--label", k.Label}
		if k.Label == "" || k.Label == report.Others {
			flags = []string{"--outcome", string(k.Outcome)}
		}
		command := o.Program.Command("show", []string{l.Ref}, flags...)
		b.WriteString("    " + s.Paint(terminal.Faint, "all of them: "+command) + "\n")
	}
}

// missLabel names a kind by its label, or by its outcome if it has no label.
func missLabel(m *report.Misses) string {
	if m.Label == "" {
		return string(m.Outcome)
	}
	return terminal.Visible(m.Label)
}

// missItem names the item of a failure, with its trial.
func missItem(m report.Miss) string {
	if m.Trial > 0 {
		return terminal.Visible(m.Item) + " · trial " + strconv.Itoa(m.Trial)
	}
	return terminal.Visible(m.Item)
}
