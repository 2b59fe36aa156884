// Package page lays a report out as one HTML file that needs nothing beside it: no
// network, no other file. Everything that a model, a server or a file wrote is
// escaped, and a Content-Security-Policy forbids all that the page does not bring.
//
// Start reading at Report.
package page

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"html/template"
	"io"
	"strings"

	"verbatim/internal/report"
)

//go:embed page.css chart.css
var sheets embed.FS

//go:embed page.js
var script string

// Report writes the report as one HTML document. It holds no address of another
// one, and a browser runs nothing of it but the page's own script, by which the
// finder works: without scripts everything can be read. Its size depends on the
// numbers of runs, families, lengths and samples, and not on that of the records.
// A report without runs is an error.
func Report(w io.Writer, r *report.Report) error {
	if len(r.Runs) == 0 {
		return errors.New("there is no run to report: name one")
	}
	v, err := newView(r)
	if err != nil {
		return err
	}
	return write(w, "report", v)
}

// A shell is what every page has.
type shell struct {
	Title  said
	Policy template.HTMLAttr
	Style  template.CSS
	Script template.JS
}

// newShell makes a shell. The policy lets the browser use this style and this script,
// by their hashes, and nothing else: no address, no attribute that holds either.
func newShell(title said) (shell, error) {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	style, err := style()
	if err != nil {
		return shell{}, err
	}
	policy := "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) + "; base-uri 'none'; form-action 'none'"
	return shell{title, template.HTMLAttr(`content="` + policy + `"`), template.CSS(style), template.JS(script)}, nil
}

// style is the whole style sheet of a page.
func style() (string, error) {
	var all strings.Builder
	for _, name := range []string{"page.css", "chart.css"} {
		one, err := sheets.ReadFile(name)
		if err != nil {
			return "", err
		}
		all.Write(one)
	}
	return all.String(), nil
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
