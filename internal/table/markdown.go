package table

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"verbatim/internal/terminal"
)

// markdown writes a document in the dialect that GitHub reads, with an empty line between blocks.
// All texts are escaped, so that none becomes a link, markup or another column.
func markdown(w io.Writer, d *Document, _ terminal.Style) error {
	var blocks []string
	for _, block := range d.Body(0) {
		if text := markdownBlock(block); text != "" {
			blocks = append(blocks, text)
		}
	}
	_, err := io.WriteString(w, strings.Join(blocks, "\n"))
	return err
}

func markdownBlock(block Block) string {
	switch block := block.(type) {
	case Heading:
		return "## " + MarkdownText(block.Text) + "\n"
	case Paragraph:
		switch text := MarkdownText(block.Text); {
		case text == "":
			return ""
		case block.Paint == terminal.Alert:
			return "> " + text + "\n"
		case block.Paint == terminal.Bold:
			return "**" + text + "**\n"
		default:
			return text + "\n"
		}
	case Facts:
		var b strings.Builder
		for _, f := range block {
			b.WriteString("- **" + f.Name + "** " + MarkdownText(strings.Join(f.Parts, " · ")) + "\n")
		}
		return b.String()
	case List:
		return markdownList(block)
	case Command:
		return "    " + string(block) + "\n"
	case *Table:
		var b strings.Builder
		markdownTable(&b, block)
		return b.String()
	}
	return ""
}

func markdownList(list List) string {
	var b strings.Builder
	for _, item := range list.Items {
		mark := "- "
		if list.Kind == Warnings {
			mark = "- ⚠ "
		}
		b.WriteString(mark + MarkdownText(item.Text))
		if item.Command != "" {
			b.WriteString(" " + codeSpan(item.Command))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func markdownTable(b *strings.Builder, t *Table) {
	if t.Caption != "" {
		b.WriteString("**" + MarkdownText(t.Caption) + "**\n\n")
	}
	columns := t.filled()
	head, rule := "|", "|"
	for _, i := range columns {
		head += " " + MarkdownText(terminal.SafeLine(t.Columns[i].Head)) + " |"
		if t.Columns[i].Right {
			rule += "--:|"
		} else {
			rule += ":--|"
		}
	}
	b.WriteString(head + "\n" + rule + "\n")
	for r := range t.Rows {
		b.WriteString("|")
		for n, i := range columns {
			text := MarkdownText(strings.TrimSpace(terminal.SafeLine(t.Rows[r].Cell(i))))
			if n == 0 && t.Rows[r].Bold {
				text = "**" + text + "**"
			}
			b.WriteString(" " + text + " |")
		}
		b.WriteString("\n")
	}
	for _, note := range t.Notes {
		b.WriteString("\n" + MarkdownText(terminal.SafeLine(note)) + "\n")
	}
}

// codeSpan returns a command as code. A command with a backtick, which would end it, is text.
func codeSpan(s string) string {
	if strings.Contains(s, "`") {
		return MarkdownText(s)
	}
	return "`" + s + "`"
}

// MarkdownText escapes one line of text for Markdown, so that GitHub and others show it as it is:
// without markup, HTML, columns of a table, formulas, links (of bare addresses too), images and
// mentions of a person. The text must have passed through Visible. It must not begin a line, where
// it could become a heading or a list. Underscores and at signs inside words are no markup.
func MarkdownText(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	word := false // the character before is a letter or a digit
	for i, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == ':' && strings.HasPrefix(s[i:], "://"), r == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"):
			fmt.Fprintf(&b, "&#%d;", r) // an address would become a link
		case r == '@' && (!word || isDomain(s[i+1:])):
			b.WriteString("`@`") // a name would be mentioned, an address of e-mail become a link
		case r == '_' && word:
			b.WriteRune(r)
		case strings.ContainsRune("\\`*_[]|~$", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		word = unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' && word
	}
	return b.String()
}

// isDomain reports whether s begins with a name that GitHub takes for the domain of an address:
// letters, digits, hyphens and underscores, with a dot between two letters or digits.
func isDomain(s string) bool {
	name := s[:len(s)-len(strings.TrimLeft(s, domainCharacters+"."))]
	before, after, found := strings.Cut(name, ".")
	return found && before != "" && strings.ContainsAny(after[:min(len(after), 1)], domainCharacters)
}

const domainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
