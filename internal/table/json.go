package table

import (
	"io"

	"verbatim/internal/terminal"
)

// json writes the value of the document, indented.
func json(w io.Writer, d *Document, _ terminal.Style) error { return terminal.WriteJSON(w, d.Value) }
