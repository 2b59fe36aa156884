package paper

import (
	"fmt"
	"io"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// A Format is a way to write a Document.
type Format struct {
	Name  string // as --format takes it
	Doc   string
	Write func(w io.Writer, d *Document, s terminal.Style) error
}

// Formats lists the ways to write a Document, the default first: those of every result, without
// tests for CI systems. LaTeX has the figures as floats. HTML is a page of its own, with the
// figures in it (package page).
func Formats() (list []Format) {
	for _, f := range table.Formats() {
		switch {
		case f.Tests, f.Name == "html":
		case f.Name == "latex":
			list = append(list, Format{f.Name, f.Doc, LaTeX})
		default:
			list = append(list, Format{f.Name, f.Doc, func(w io.Writer, d *Document, s terminal.Style) error {
				return f.Write(w, d.document(), s)
			}})
		}
	}
	return list
}

// Write writes a document in a format of Formats, in full width and without colours.
func Write(w io.Writer, d *Document, format string) error {
	for _, f := range Formats() {
		if f.Name == format {
			return f.Write(w, d, terminal.Style{})
		}
	}
	return fmt.Errorf("there is no format %q", format)
}
