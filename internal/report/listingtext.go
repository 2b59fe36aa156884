package report

import (
	"io"
	"strings"

	"verbatim"
)

// ListingText writes the Listing for a terminal: of each kind how many there are, what
// it means, and the first ones, with the command that lists the others.
func ListingText(w io.Writer, l *Listing, s Style) error {
	var b strings.Builder
	b.WriteString(runTitle(l.Run.Model, l.Run.N, l.Run.Name, l.Note, strong, s))
	kinds := l.Kinds()
	missed := l.Records - l.Passed
	b.WriteString(count(missed) + " of " + plural(l.Records, "record", "records") + " did not pass\n")
	if l.Unrecorded > 0 {
		b.WriteString(plural(l.Unrecorded, "request", "requests") + " without a record may have cost up to " + l.MayHave.String() + ": in flight now, or when the program ended\n")
	}
	widest := 0
	for _, k := range kinds {
		widest = max(widest, wide(k.name()))
	}
	for _, k := range kinds {
		b.WriteString("\n")
		l.kindText(&b, k, min(widest, s.width()/2), s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (l *Listing) kindText(b *strings.Builder, k *Misses, names int, s Style) {
	p := bad
	if !k.Outcome.Answered() {
		p = alarm
	}
	head := left(cut(k.name(), names), names)
	b.WriteString(s.paint(strong, head) + "  " + s.paint(p, left(string(k.Outcome), len(verbatim.Wrapped))) + "  " + count(k.N) + "\n")
	if text := Explain(k.Label); text != "" {
		for _, line := range wrapped(text, s.width()-2) {
			b.WriteString("  " + s.paint(faint, line) + "\n")
		}
	}
	for _, m := range k.First {
		b.WriteString(missText(m, s))
	}
	if k.N > int64(len(k.First)) {
		flags := []string{"--label", k.Label}
		if k.Label == "" || k.Label == others {
			flags = []string{"--outcome", string(k.Outcome)}
		}
		command := s.Command("show", []string{l.Ref}, flags...)
		b.WriteString("    " + s.paint(faint, "all of them: "+command) + "\n")
	}
}

// missText is the item with the detail next to it, or below it where that is too long.
func missText(m Miss, s Style) string {
	const indent = "    "
	lines := broken(m.name(), s.width()-len(indent))
	detail := Visible(m.Detail)
	if n := len(lines) - 1; detail != "" && wide(lines[n])+2+wide(detail) <= s.width()-len(indent) {
		return indent + strings.Join(lines, "\n"+indent) + "  " + s.paint(faint, detail) + "\n"
	}
	out := indent + strings.Join(lines, "\n"+indent) + "\n"
	if detail == "" {
		return out
	}
	rows := wrapped(detail, s.width()-len(indent)-2)
	if len(rows) > 2 {
		rows = append(rows[:1], cut(rows[1]+" …", s.width()-len(indent)-2))
	}
	for _, row := range rows {
		out += indent + "  " + s.paint(faint, row) + "\n"
	}
	return out
}
