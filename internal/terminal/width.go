package terminal

import (
	"iter"
	"strings"

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
