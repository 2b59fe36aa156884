package paper

import (
	"cmp"
	"slices"
	"strings"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// document returns the document in the form that package table writes.
func (d *Document) document() *table.Document {
	return &table.Document{Title: d.Title, Value: d.value(), Data: d.numbers, Body: d.body, Raw: d.Raw}
}

// body returns what people read: the tables, the captions of the figures, and the differences
// from the published numbers. columns is the width of the terminal; 0 is no terminal, and then
// figures have their alternative text too.
func (d *Document) body(columns int) (blocks []table.Block) {
	section := func(list ...table.Block) {
		if len(blocks) > 0 {
			blocks = append(blocks, table.Blank{})
		}
		blocks = append(blocks, list...)
	}
	if d.Title != "" {
		blocks = append(blocks, table.Heading{Text: terminal.Visible(d.Title), Wrap: true})
	}
	blocks = append(blocks, paragraphs(d.Lead)...)
	for i := range d.Tables {
		section(d.Tables[i].plain())
	}
	for i := range d.Figures {
		f := &d.Figures[i]
		text := f.Caption
		if columns == 0 && f.Text != "" {
			text += " " + f.Text
		}
		section(paragraphs([]string{captioned(cmp.Or(f.title(), f.Name), text)})...)
	}
	if d.Differences != nil {
		section(d.Differences.body()...)
	}
	if d.Command != "" {
		section(table.Paragraph{Text: "Made by:"}, table.Command(terminal.Visible(d.Command)))
	}
	return blocks
}

// paragraphs makes each text a paragraph, whose lines are broken at spaces.
func paragraphs(texts []string) (blocks []table.Block) {
	for _, s := range texts {
		blocks = append(blocks, table.Paragraph{Text: strings.Join(strings.Fields(terminal.Visible(s)), " ")})
	}
	return blocks
}

func (d *Differences) body() []table.Block {
	blocks := []table.Block{table.Heading{Text: "Differences from what is published"}}
	blocks = append(blocks, paragraphs(append([]string{d.Sentence()}, d.Notes...))...)
	if len(d.List) == 0 {
		return blocks
	}
	list := d.Table()
	// Reasons are sentences, and would make the table as wide as the longest.
	list.Columns = list.Columns[:3]
	blocks = append(blocks, table.Blank{}, list.plain())
	return append(blocks, paragraphs(d.reasons())...)
}

// reasons lists the reasons of the differences other than Monte Carlo error, each once. A number
// without a known reason is listed with its place.
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
