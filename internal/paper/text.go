package paper

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// Text writes the tables for a terminal, the captions of the figures, and what differs
// from the published numbers.
func Text(w io.Writer, d *Document, s terminal.Style) error {
	out := bufio.NewWriter(w)
	t := textWriter{out, s}
	if d.Title != "" {
		t.line(t.style.Bold(terminal.Visible(d.Title)))
	}
	for _, p := range d.Lead {
		t.paragraph(p)
	}
	for i := range d.Tables {
		if i > 0 || d.Title != "" {
			t.line("")
		}
		t.blocks(d.Tables[i].plain())
	}
	for i := range d.Figures {
		t.line("")
		f := &d.Figures[i]
		t.paragraph(captioned(cmp.Or(f.title(), f.Name), f.Caption))
	}
	if d.Differences != nil {
		t.line("")
		t.differences(d.Differences)
	}
	if d.Command != "" {
		t.line("")
		t.line("made by: " + terminal.Visible(d.Command))
	}
	return out.Flush()
}

// A textWriter leaves write errors to the Flush of its buffer.
type textWriter struct {
	out   *bufio.Writer
	style terminal.Style
}

func (t *textWriter) line(s string) { t.out.WriteString(s + "\n") }

// paragraph breaks lines at spaces.
func (t *textWriter) paragraph(s string) {
	t.blocks(table.Paragraph{Text: strings.Join(strings.Fields(terminal.Visible(s)), " ")})
}

func (t *textWriter) blocks(blocks ...table.Block) {
	var b strings.Builder
	table.WriteText(&b, blocks, t.style)
	t.out.WriteString(b.String())
}

func (t *textWriter) differences(d *Differences) {
	t.line(t.style.Bold("Differences from what is published"))
	t.paragraph(d.Sentence())
	for _, n := range d.Notes {
		t.paragraph(n)
	}
	if len(d.List) > 0 {
		t.line("")
		list := d.Table()
		// Reasons are sentences, and would make the table as wide as the longest.
		list.Columns = list.Columns[:3]
		t.blocks(list.plain())
		for _, why := range d.reasons() {
			t.paragraph(why)
		}
	}
}

// reasons lists why numbers differ, each once, with the places of those that are
// not explained.
func (d *Differences) reasons() []string {
	var list []string
	for _, x := range d.List {
		why := x.Why
		if !x.Explained {
			why = x.Place + ": " + x.Why
		}
		if !strings.HasPrefix(why, "Monte Carlo error") && !slices.Contains(list, why) {
			list = append(list, why)
		}
	}
	return list
}
