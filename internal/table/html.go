package table

import (
	htmlpkg "html"
	"io"
	"strings"

	"verbatim/internal/terminal"
)

const htmlHead = `<!DOCTYPE html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<style>
body { font: 1rem/1.4 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem }
table { display: block; overflow-x: auto; border-collapse: collapse; margin: 1rem 0 } td:first-child { white-space: nowrap } caption { text-align: left; font-weight: bold }
th, td { padding: .15rem .6rem; border-bottom: 1px solid #ccc; text-align: left } .r { text-align: right }
dt { font-weight: bold } dd { margin: 0 0 .3rem 1rem } pre { overflow-x: auto }
p, dd { overflow-wrap: anywhere }
</style>
`

// html writes a document as one page that needs no other file.
func html(w io.Writer, d *Document, _ terminal.Style) error {
	var b strings.Builder
	b.WriteString(htmlHead + "<title>" + htmlText(d.Title) + "</title>\n")
	for _, block := range d.Body(0) {
		htmlBlock(&b, block)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func htmlText(s string) string { return htmlpkg.EscapeString(terminal.SafeLine(s)) }

func htmlBlock(b *strings.Builder, block Block) {
	switch block := block.(type) {
	case Heading:
		b.WriteString("<h2>" + htmlText(block.Text) + "</h2>\n")
	case Paragraph:
		if block.Text != "" {
			b.WriteString("<p>" + htmlText(block.Text) + "</p>\n")
		}
	case Facts:
		if len(block) == 0 {
			return
		}
		b.WriteString("<dl>\n")
		for _, f := range block {
			b.WriteString("<dt>" + htmlText(f.Name) + "</dt><dd>" + htmlText(strings.Join(f.Parts, " · ")) + "</dd>\n")
		}
		b.WriteString("</dl>\n")
	case List:
		if len(block.Items) == 0 {
			return
		}
		b.WriteString("<ul>\n")
		for _, item := range block.Items {
			b.WriteString("<li>" + htmlText(item.Text))
			if item.Command != "" {
				b.WriteString(" <code>" + htmlText(item.Command) + "</code>")
			}
			b.WriteString("</li>\n")
		}
		b.WriteString("</ul>\n")
	case Command:
		b.WriteString("<pre>" + htmlText(string(block)) + "</pre>\n")
	case *Table:
		htmlTable(b, block)
	}
}

func htmlTable(b *strings.Builder, t *Table) {
	columns := t.filled()
	b.WriteString("<table>\n")
	if t.Caption != "" {
		b.WriteString("<caption>" + htmlText(t.Caption) + "</caption>\n")
	}
	row := func(tag string, cell func(i int) string) {
		b.WriteString("<tr>")
		for _, i := range columns {
			class := ""
			if t.Columns[i].Right {
				class = ` class="r"`
			}
			b.WriteString("<" + tag + class + ">" + htmlText(cell(i)) + "</" + tag + ">")
		}
		b.WriteString("</tr>\n")
	}
	row("th", func(i int) string { return t.Columns[i].Head })
	for r := range t.Rows {
		row("td", t.Rows[r].Cell)
	}
	b.WriteString("</table>\n")
	for _, note := range t.Notes {
		b.WriteString("<p>" + htmlText(note) + "</p>\n")
	}
}
