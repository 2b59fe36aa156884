package terminal

// A Style says how a terminal format may look. The zero Style is plain text of
// 80 columns, as a pipe or a file gets it.
type Style struct {
	Width int  // columns; 0 is 80
	Color bool // colours and weights, as SGR sequences; the caller decides by terminal and NO_COLOR
	// Seal comes before every SGR sequence, for a Filter that takes it away; empty: the
	// sequences are bare.
	Seal Seal
}

// Columns is how many columns a line may take.
func (s Style) Columns() int {
	if s.Width <= 0 {
		return 80
	}
	return max(s.Width, 40)
}

// A Paint is a way to set off text. Only the sixteen colours that a terminal's
// own theme defines are used, and no meaning is carried by colour alone.
type Paint int

const (
	Plain Paint = iota // as it is
	Bold
	Faint
	Drawing
	Alert
	Good
	Bad
)

// Bold sets off a heading where colours are wanted.
func (s Style) Bold(text string) string { return s.Paint(Bold, text) }

// Paint sets text off.
func (s Style) Paint(p Paint, text string) string {
	if !s.Color || text == "" || p == Plain {
		return text
	}
	codes := [...]string{Bold: "1", Faint: "2", Drawing: "36", Alert: "33", Good: "32", Bad: "31"}
	seal := string(s.Seal)
	return seal + "\x1b[" + codes[p] + "m" + text + seal + "\x1b[m"
}
