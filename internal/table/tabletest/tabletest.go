// Package tabletest writes documents in tests.
package tabletest

import (
	"fmt"
	"io"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// Write writes a document in the format of this name.
func Write(w io.Writer, format string, d *table.Document, s terminal.Style) error {
	for _, f := range table.Formats() {
		if f.Name == format {
			return f.Write(w, d, s)
		}
	}
	return fmt.Errorf("there is no format %q", format)
}
