// Package csvfile writes CSV files whose texts a spreadsheet does not take for
// formulas, and reads such texts back.
//
// A model's name, a label or an item's id may come from anywhere, and a spreadsheet
// obeys a cell that begins with "=". As OWASP's page on CSV injection advises, such a
// cell gets a single quote in front. So does what a spreadsheet of another country, which
// separates columns by semicolons, takes for a cell. Numbers stay numbers.
package csvfile

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/lazyregexp"
)

// A Writer writes rows. Errors stay: Error returns the first after Flush.
type Writer struct {
	out *csv.Writer
	raw bool
	row []string
}

// NewWriter returns a Writer of w. With raw, cells are written as they are.
func NewWriter(w io.Writer, raw bool) *Writer { return &Writer{out: csv.NewWriter(w), raw: raw} }

// Write writes a row; the slice is not changed.
func (w *Writer) Write(row []string) error {
	if w.raw {
		return w.out.Write(row)
	}
	w.row = w.row[:0]
	for _, cell := range row {
		w.row = append(w.row, Guard(cell))
	}
	return w.out.Write(w.row)
}

// Flush writes what is buffered.
func (w *Writer) Flush() { w.out.Flush() }

// Error returns the first error of a Write or Flush.
func (w *Writer) Error() error { return w.out.Error() }

// Guard returns a cell that no spreadsheet takes for a formula: with a single quote in
// front of it, and of its parts after separators, where they could be one.
func Guard(cell string) string {
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

// Unguard is the reverse of Guard, and returns what was never guarded as it is.
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

// separators are what a spreadsheet may take for the end of a cell inside one: not the
// comma, for which the file quotes cells.
const separators = ";\t\r\n"

// parts returns a cell in which every part after a separator is replaced.
func parts(cell string, replace func(part string) string) string {
	var b strings.Builder
	for first := true; ; first = false {
		part, separator := cell, ""
		if end := strings.IndexAny(cell, separators); end >= 0 {
			part, separator = cell[:end], cell[end:end+1]
		}
		cell = cell[len(part)+len(separator):]
		if !first {
			part = replace(part)
		}
		b.WriteString(part + separator)
		if separator == "" {
			return b.String()
		}
	}
}

// number is what stays a number: a sign is no formula there.
var number = lazyregexp.New(`^[-+]?([0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?|[iI]nf)$`)

// formula reports whether a spreadsheet may take a cell for one: after white space and
// quotes, which some pass over, it begins with a sign of one, also in its full-width
// form, or it begins with a tab or the end of a line.
func formula(cell string) bool {
	if cell == "" || plain(cell[0]) {
		return false
	}
	// A guarded text that is guarded again gets a second quote, so that each comes back.
	if inner := strings.TrimLeft(cell, "'"); inner != "" && strings.IndexByte("\t\r\n", inner[0]) >= 0 {
		return true
	}
	return sign(cell)
}

// sign reports whether a text begins with a sign of a formula, after white space and
// quotes, and is no number.
func sign(cell string) bool {
	begin := strings.TrimLeftFunc(cell, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`'"`, r)
	})
	r, _ := utf8.DecodeRuneInString(begin)
	return begin != "" && strings.ContainsRune("=+-@＝＋－＠", r) && !number.MatchString(cell)
}

// plain reports whether a cell that begins with c is no formula, whatever follows.
func plain(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
