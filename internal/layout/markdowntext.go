package layout

import (
	"strings"
	"unicode"

	"verbatim/internal/terminal"
)

// escaped makes text from outside harmless inside Markdown.
func escaped(s string) string { return MarkdownText(terminal.Visible(s)) }

// marked is escaped for text that has passed through Visible.
func marked(s string) string { return MarkdownText(s) }

// MarkdownText escapes one line of text for Markdown, so that GitHub and others show
// it as it is: no markup, no HTML, no column of a table, no formula, no link or image,
// not of a bare address either, and no mention of a person. The text must not begin a
// line of its own, where it could become a heading or a list, and must have passed
// through Visible. Underscores and at signs inside words are no markup and stay.
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
			b.WriteString(entity(r)) // an address would become a link
		case r == '@' && !word:
			b.WriteString("`@`") // the name after it would be mentioned
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

// entity writes a character as HTML may name it.
func entity(r rune) string { return map[rune]string{':': "&#58;", '.': "&#46;"}[r] }
