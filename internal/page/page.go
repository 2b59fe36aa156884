// Package page writes a report, or one record, as one self-contained HTML file: it needs no
// network and no other file. Texts of models, servers and files are escaped. A
// Content-Security-Policy forbids everything that is not in the file.
//
// Start reading at Report.
package page

import (
	"bufio"
	"embed"
	"errors"
	"html/template"
	"io"

	"verbatim/internal/recordview"
	"verbatim/internal/report"
)

// Report writes the report as one HTML document, which links to no other document. Its only
// script is that of the search field: everything can be read without it. The size of the page
// depends on the numbers of runs, families, lengths and samples, not on the number of records.
// A report without runs is an error.
func Report(w io.Writer, r *report.Report) error {
	if len(r.Runs) == 0 {
		return errors.New("the report has no run: name one")
	}
	return write(w, "report", newView(r))
}

// recordSide is the largest width and height of a picture on the page of a record, in pixels.
const recordSide = 1024

// A recordPage is the page of one record.
type recordPage struct {
	frame
	sampleItem
}

// Record writes a record as one HTML document: its texts in full, the difference of the reply
// from the expected answer, and the pictures of the prompt. database is the file that the
// command on the page names; empty: the default one.
func Record(w io.Writer, record *recordview.View, database string) error {
	item := newSampleItem(&report.Sample{View: record}, database, recordSide)
	item.Open = true
	return write(w, "record", recordPage{newFrame(name(record.Run.Model + " · " + record.Run.Name)), item})
}

//go:embed *.gohtml
var templateFiles embed.FS

// templates parses the templates of the page. A template with the name of a type shows a
// value of that type.
func templates() (*template.Template, error) {
	return template.ParseFS(templateFiles, "*.gohtml")
}

// write executes the template with a name.
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
