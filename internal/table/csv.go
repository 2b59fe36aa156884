package table

import (
	"io"

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
