package report

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"verbatim/internal/shell"
)

// A Style says how a terminal format may look. The zero Style is plain text of
// 80 columns, as a pipe or a file gets it.
type Style struct {
	// EveryLength gives every length a row of its own, also where each was asked
	// once.
	EveryLength bool
	// ByRun gives every run tables of its own, also where several fit next to each
	// other.
	ByRun bool
	Width int  // columns; 0 is 80
	Color bool // colours and weights, as SGR sequences; whoever prints decides by terminal and NO_COLOR
	// Seal stands before every SGR sequence, for a Filter that takes it away; empty: the
	// sequences are bare.
	Seal Seal
	// Database is the file that commands must name with --db to find what is printed;
	// empty: none.
	Database string
	// FailUnder is the exact share below which a line fails in the formats that can
	// fail, such as JUnit's; nil: none does.
	FailUnder *float64
	// Raw leaves cells of CSV as they are that a spreadsheet may take for formulas.
	Raw bool
}

// show returns the command that shows an item of a run.
func (s Style) show(run, item string, flags ...string) string {
	return s.Command("show", []string{run, item}, flags...)
}

// Command returns a command of the program that can be typed: it names the database
// where that is needed, and is safe to print. An operand that would be read as a flag
// stands behind --.
func (s Style) Command(name string, operands []string, flags ...string) string {
	words := []string{"verbatim"}
	if s.Database != "" {
		words = append(words, "--db", s.Database)
	}
	words = append(words, name)
	if slices.ContainsFunc(operands, func(w string) bool { return strings.HasPrefix(w, "-") }) {
		words = append(append(append(words, flags...), "--"), operands...)
	} else {
		words = append(append(words, operands...), flags...)
	}
	return shell.Words(words...)
}

func (s Style) width() int {
	if s.Width <= 0 {
		return 80
	}
	return max(s.Width, 40)
}

// A paint is a way to set off text. Only the sixteen colours that a terminal's
// own theme defines are used, and no meaning is carried by colour alone.
type paint int

const (
	strong paint = iota
	faint
	chart
	alarm
	good
	bad
)

// Bold sets off a heading where colours are wanted.
func (s Style) Bold(text string) string { return s.paint(strong, text) }

func (s Style) paint(p paint, text string) string {
	if !s.Color || text == "" {
		return text
	}
	codes := [...]string{strong: "1", faint: "2", chart: "36", alarm: "33", good: "32", bad: "31"}
	seal := string(s.Seal)
	return seal + "\x1b[" + codes[p] + "m" + text + seal + "\x1b[m"
}

// wide is how many columns s takes on a terminal; s holds no SGR sequence.
func wide(s string) int { return uniseg.StringWidth(s) }

func left(s string, width int) string {
	return s + strings.Repeat(" ", max(width-wide(s), 0))
}

func right(s string, width int) string {
	return strings.Repeat(" ", max(width-wide(s), 0)) + s
}

// fitsIn reports whether s takes at most so many columns. It reads no more of s than
// that takes: a name may be megabytes.
func fitsIn(s string, columns int) bool {
	if columns < 0 {
		return false
	}
	if plain(s[:min(len(s), columns+1)]) {
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

// cut shortens s to a width, with … at its end where something is left out.
func cut(s string, width int) string {
	if fitsIn(s, width) {
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

// wrapped breaks s at spaces into lines of at most width columns; a word that is
// longer is cut where the line ends.
func wrapped(s string, width int) []string {
	width = max(width, 8)
	var lines []string
	line, used := "", 0
	for word := range strings.SplitSeq(s, " ") {
		for {
			switch {
			case used > 0 && fitsIn(word, width-used-1):
				line, used = line+" "+word, used+1+wide(word)
			case used > 0:
				lines = append(lines, line)
				line, used = "", 0
				continue
			case fitsIn(word, width):
				line, used = word, wide(word)
			default:
				head := prefix(word, width)
				lines, word = append(lines, head), word[len(head):]
				continue
			}
			break
		}
	}
	return append(lines, line)
}

// prefix returns the longest start of s that fits the width, at least one
// character.
func prefix(s string, width int) string {
	if width > 0 && len(s) > width && plain(s[:width+1]) {
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
