// Package page writes a report, or one record, as one self-contained HTML file: it needs no
// network and no other file. Texts of models, servers and files are escaped. A
// Content-Security-Policy forbids everything that is not in the file.
//
// Start reading at Report.
package page

import (
	"bufio"
	"errors"
	"io"

	"verbatim/internal/recordview"
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

// recordSide is the longer side of a picture on the page of one record, in pixels.
const recordSide = 1024

// A recordPage is the page of one record.
type recordPage struct {
	frame
	sampleItem
}

// Record writes a record as one HTML document: its texts in full, its difference and the
// pictures of its prompt. database is the file to name in the command that prints it; empty:
// the usual one.
func Record(w io.Writer, record *recordview.View, database string) error {
	item := newSampleItem(&report.Sample{View: record}, database, recordSide)
	item.Open = true
	f, err := newFrame(name(record.Run.Model + " · " + record.Run.Name))
	if err != nil {
		return err
	}
	return write(w, "record", recordPage{f, item})
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
