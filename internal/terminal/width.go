package terminal

import (
	"fmt"
	"iter"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Width returns the number of columns that s takes on a terminal. s must not hold SGR sequences.
func Width(s string) int { return uniseg.StringWidth(s) }

// PadRight appends spaces up to a width. A longer text stays as it is.
func PadRight(s string, width int) string {
	return s + strings.Repeat(" ", max(width-Width(s), 0))
}

// PadLeft puts spaces before s up to a width. A longer text stays as it is.
func PadLeft(s string, width int) string {
	return strings.Repeat(" ", max(width-Width(s), 0)) + s
}

// Fits reports whether s takes at most so many columns. It reads no more of s than needed: a name
// may be megabytes long.
func Fits(s string, columns int) bool {
	if columns < 0 {
		return false
	}
	if isPrintableASCII(s[:min(len(s), columns+1)]) {
		return len(s) <= columns
	}
	g, used := uniseg.NewGraphemes(s), 0
	for g.Next() {
		if used += g.Width(); used > columns {
			return false
		}
	}
	return true
}

// Truncate shortens s to a width. A shortened text ends with ….
func Truncate(s string, width int) string {
	if Fits(s, width) {
		return s
	}
	var b strings.Builder
	used := 0
	g := uniseg.NewGraphemes(s)
	for g.Next() {
		if used+g.Width() > width-1 {
			break
		}
		used += g.Width()
		b.WriteString(g.Str())
	}
	return b.String() + "…"
}

// TruncateMiddle shortens s to a width. A shortened text has … in its middle.
func TruncateMiddle(s string, width int) string {
	if Fits(s, width) {
		return s
	}
	tail := suffix(s, (width-1)/2)
	return strings.TrimSuffix(Truncate(s, width-Width(tail)), "…") + "…" + tail
}

// TruncateStart shortens s to a width. A shortened text begins with ….
func TruncateStart(s string, width int) string {
	if Fits(s, width) {
		return s
	}
	return "…" + suffix(s, width-1)
}

// suffix returns the longest end of s that fits the width.
func suffix(s string, width int) string {
	var starts, widths []int
	for g := uniseg.NewGraphemes(s); g.Next(); {
		from, _ := g.Positions()
		starts, widths = append(starts, from), append(widths, g.Width())
	}
	start := len(s)
	for i := len(starts) - 1; i >= 0; i-- {
		if width -= widths[i]; width < 0 {
			break
		}
		start = starts[i]
	}
	return s[start:]
}

// Wrap breaks s at spaces into lines of at most width columns, and at least 8. It does not break
// between a number and its percent sign. A word that is longer than a line is broken at its end.
func Wrap(s string, width int) []string {
	width = max(width, 8)
	var lines []string
	line, used := "", 0
	for word := range words(s) {
		for {
			switch {
			case used > 0 && Fits(word, width-used-1):
				line, used = line+" "+word, used+1+Width(word)
			case used > 0:
				lines = append(lines, line)
				line, used = "", 0
				continue
			case Fits(word, width):
				line, used = word, Width(word)
			default:
				head := Prefix(word, width)
				lines, word = append(lines, head), word[len(head):]
				continue
			}
			break
		}
	}
	return append(lines, line)
}

// words yields the parts of s between spaces. The space before a percent sign separates nothing.
func words(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := range len(s) {
			if s[i] == ' ' && (i+1 == len(s) || s[i+1] != '%') {
				if !yield(s[start:i]) {
					return
				}
				start = i + 1
			}
		}
		yield(s[start:])
	}
}

// Prefix returns the longest start of s that fits the width, at least one character.
func Prefix(s string, width int) string {
	if width > 0 && len(s) > width && isPrintableASCII(s[:width+1]) {
		return s[:width]
	}
	used, end := 0, 0
	g := uniseg.NewGraphemes(s)
	for g.Next() {
		if used += g.Width(); used > width && end > 0 {
			break
		}
		_, end = g.Positions()
	}
	return s[:end]
}

// WrapAnywhere breaks a line at any character into lines of at most width columns.
func WrapAnywhere(line string, width int) []string {
	var lines []string
	for !Fits(line, width) {
		head := Prefix(line, width)
		if head == line {
			break
		}
		lines, line = append(lines, head), line[len(head):]
	}
	return append(lines, line)
}

// JoinParts joins parts with dots into lines of at most width columns. It breaks lines between parts,
// and inside a part only if that is longer than a line.
func JoinParts(parts []string, width int) []string {
	const dot = " · "
	var lines []string
	line := ""
	for _, part := range parts {
		switch {
		case line != "" && Fits(line+dot+part, width):
			line += dot + part
			continue
		case line != "":
			lines = append(lines, line)
		}
		pieces := Wrap(part, width)
		lines = append(lines, pieces[:len(pieces)-1]...)
		line = pieces[len(pieces)-1]
	}
	return append(lines, line)
}

// Excerpt returns the first characters of s, and the number of bytes that follow them.
func Excerpt(s string, chars int) (head string, rest int) {
	size := 0
	for ; chars > 0 && size < len(s); chars-- {
		_, n := DecodeRune(s[size:])
		size += n
	}
	return s[:size], len(s) - size
}

// firstColumn matches the indentation of a line, with a first column before a wide gap.
var firstColumn = regexp.MustCompile(`^ *(\S+ {2,})?`)

// WrapLines breaks the lines of a text that are too long. It indents the further lines as far as
// the text of the first one, behind its indentation and its first column. With a width of 0, which
// is no terminal, the text is unchanged.
func WrapLines(text string, width int) string {
	if width == 0 {
		return text
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if Fits(line, width) {
			lines = append(lines, line)
			continue
		}
		indent := firstColumn.FindString(line)
		room := Width(indent)
		for _, part := range Wrap(line[len(indent):], width-room) {
			lines = append(lines, indent+part)
			indent = strings.Repeat(" ", room)
		}
	}
	return strings.Join(lines, "\n")
}

// ShellWord quotes a word if a shell needs that. A word with characters that cannot be printed is written as
// $'…' with octal escapes, which bash, zsh, ksh and POSIX of 2024 read.
func ShellWord(w string) string {
	switch {
	case w == "":
		return "''"
	case isPlain(w):
		return w
	case utf8.ValidString(w) && !strings.ContainsFunc(w, isInvisible):
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return "$'" + escaped(w) + "'"
}

// ShellWords quotes words and joins them with spaces.
func ShellWords(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = ShellWord(w)
	}
	return strings.Join(quoted, " ")
}

// isPlain reports whether every shell reads the word as itself without quotes. To zsh a word that
// begins with = is the path of a command.
func isPlain(w string) bool {
	for i := range len(w) {
		c := w[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("@%+=:,./_-", rune(c)) {
			return false
		}
	}
	return w[0] != '='
}

// isInvisible reports whether a character has no glyph of its own: control characters, combining marks,
// and fillers, which are letters in Unicode and drawn as nothing.
func isInvisible(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800:
		return true
	}
	return !unicode.IsPrint(r) || unicode.Is(unicode.M, r)
}

// escaped returns the word in the form for the inside of $'…'.
func escaped(w string) string {
	var b strings.Builder
	for len(w) > 0 {
		r, size := utf8.DecodeRuneInString(w)
		switch {
		case r == utf8.RuneError && size == 1, isInvisible(r), r == '!': // ! recalls an older command
			for _, c := range []byte(w[:size]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		case r == '\'' || r == '\\':
			b.WriteString(`\` + w[:size])
		default:
			b.WriteString(w[:size])
		}
		w = w[size:]
	}
	return b.String()
}
