package table

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/terminal"
)

// writeCSV writes the unrounded rows with a header. An empty cell is an unknown value.
func writeCSV(w io.Writer, d *Document, _ terminal.Style) error {
	t := d.Data()
	out := NewWriter(w, d.Raw)
	heads := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		heads[i] = c.Head
	}
	out.Write(heads) // out holds the error until the end
	for i := range t.Rows {
		out.Write(t.Rows[i].Cells)
	}
	out.Flush()
	return out.Error()
}

// A Writer writes rows. After the last one, call Flush, and then Error for the first error.
type Writer struct {
	out *csv.Writer
	raw bool
	row []string
}

// NewWriter returns a Writer to w. If raw is set, it writes cells unchanged.
func NewWriter(w io.Writer, raw bool) *Writer { return &Writer{out: csv.NewWriter(w), raw: raw} }

// Write writes a row; the slice is not changed.
func (w *Writer) Write(row []string) error {
	if w.raw {
		return w.out.Write(row)
	}
	w.row = w.row[:0]
	for _, cell := range row {
		w.row = append(w.row, guard(cell))
	}
	return w.out.Write(w.row)
}

// Flush writes what is buffered.
func (w *Writer) Flush() { w.out.Flush() }

// Error returns the first error of a Write or Flush.
func (w *Writer) Error() error { return w.out.Error() }

// guard returns a cell that no spreadsheet takes for a formula: with a single quote in front of the
// cell, and of its parts after separators, if they could be formulas.
func guard(cell string) string {
	if strings.ContainsAny(cell, separators) {
		cell = parts(cell, func(part string) string {
			if sign(part) {
				return "'" + part
			}
			return part
		})
	}
	if formula(cell) {
		return "'" + cell
	}
	return cell
}

// Unguard is the reverse of Guard. It returns a cell that was never guarded unchanged.
func Unguard(cell string) string {
	if rest, found := strings.CutPrefix(cell, "'"); found && formula(rest) {
		cell = rest
	}
	if !strings.ContainsAny(cell, separators) {
		return cell
	}
	return parts(cell, func(part string) string {
		if rest, found := strings.CutPrefix(part, "'"); found && sign(rest) {
			return rest
		}
		return part
	})
}

// separators are the characters in a cell that a spreadsheet may take for its end. The comma is not
// among them, because cells with commas are quoted.
const separators = ";\t\r\n"

// parts returns a cell, which has separators, with a replacement for every part after one.
func parts(cell string, replace func(part string) string) string {
	var b strings.Builder
	first := strings.IndexAny(cell, separators) + 1
	b.WriteString(cell[:first])
	for rest := cell[first:]; ; {
		end := strings.IndexAny(rest, separators)
		if end < 0 {
			b.WriteString(replace(rest))
			return b.String()
		}
		b.WriteString(replace(rest[:end]) + rest[end:end+1])
		rest = rest[end+1:]
	}
}

// plainNumber matches a plainNumber, whose sign does not begin a formula.
var plainNumber = regexp.MustCompile(`^[-+]?([0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?|[iI]nf)$`)

// formula reports whether a spreadsheet may take a cell for a formula: it begins with a tab or the
// end of a line, or sign holds.
func formula(cell string) bool {
	if cell == "" || plain(cell[0]) {
		return false
	}
	// A guarded text counts as a formula: if it is guarded again, it gets a second quote, and
	// Unguard returns the guarded text.
	if inner := strings.TrimLeft(cell, "'"); inner != "" && strings.IndexByte("\t\r\n", inner[0]) >= 0 {
		return true
	}
	return sign(cell)
}

// sign reports whether a text begins with =, +, - or @, also in full-width form, after white space
// and quotes, which some spreadsheets ignore, and is not a number.
func sign(cell string) bool {
	begin := strings.TrimLeftFunc(cell, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`'"`, r)
	})
	r, _ := utf8.DecodeRuneInString(begin)
	return begin != "" && strings.ContainsRune("=+-@＝＋－＠", r) && !plainNumber.MatchString(cell)
}

// plain reports whether no cell that begins with c is a formula.
func plain(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
