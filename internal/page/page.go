// Package page writes a report as one self-contained HTML file: it needs no network and no
// other file. Texts of models, servers and files are escaped. A Content-Security-Policy
// forbids everything that is not in the file.
//
// Start reading at Report.
package page

import (
	"bufio"
	"errors"
	"io"

	"verbatim/internal/report"
)

// Report writes the report as one HTML document. It links to no other document. Its only
// script is that of the search field; without scripts everything can be read. Its size
// depends on the numbers of runs, families, lengths and samples, not on the number of
// records. A report without runs is an error.
func Report(w io.Writer, r *report.Report) error {
	if len(r.Runs) == 0 {
		return errors.New("the report has no run: name one")
	}
	v, err := newView(r)
	if err != nil {
		return err
	}
	return write(w, "report", v)
}

// write executes a template.
func write(w io.Writer, name string, view any) error {
	t, err := templates()
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 1<<16)
	if err := t.ExecuteTemplate(b, name, view); err != nil {
		return err
	}
	return b.Flush()
}
