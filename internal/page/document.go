package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"verbatim/internal/paper"
	"verbatim/internal/terminal"
)

//go:embed paper.css
var paperStyle string

//go:embed paper.tmpl
var paperTemplate string

// A paperView is the data of the template of a Document.
type paperView struct {
	*paper.Document
	Policy template.HTMLAttr
	Style  template.CSS
	// Other is the address of another page, and OtherName its name.
	Other, OtherName string
	Drawn            []figureView
	Differing        *paper.Table // nil if nothing differs
}

// A figureView is a figure and its picture.
type figureView struct {
	*paper.Figure
	Picture template.URL // of SVG, as data
}

// Paper writes the document as one self-contained page: its tables, its figures as pictures,
// and the differences from the published numbers. other is the address of another page to
// link at the top, such as "differences.html"; empty: none.
func Paper(w io.Writer, d *paper.Document, other string) error {
	v := paperView{Document: d, Other: other, OtherName: "The numbers that differ from the published ones"}
	for i := range d.Figures {
		f := &d.Figures[i]
		var svg bytes.Buffer
		if err := f.Figure.SVG(&svg); err != nil {
			return fmt.Errorf("figure %s: %w", f.Name, err)
		}
		v.Drawn = append(v.Drawn, figureView{f, template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg.Bytes()))})
	}
	if d.Differences != nil && len(d.Differences.List) > 0 {
		t := d.Differences.Table()
		v.Differing = &t
	}
	return v.write(w)
}

// Differences writes the numbers that differ from the published ones as a page of their
// own, with a link to the page at the address of other.
func Differences(w io.Writer, d *paper.Document, other string) error {
	alone := &paper.Document{Title: d.Title + ": published numbers and ours", Command: d.Command, Differences: d.Differences}
	if d.Differences == nil {
		alone.Lead = []string{"None of the runs is of a model of the paper: there is nothing to compare."}
	}
	v := paperView{Document: alone, Other: other, OtherName: "The tables and figures"}
	if d.Differences != nil && len(d.Differences.List) > 0 {
		t := d.Differences.Table()
		v.Differing = &t
	}
	return v.write(w)
}

func (v *paperView) write(w io.Writer) error {
	sum := sha256.Sum256([]byte(paperStyle))
	v.Style = template.CSS(paperStyle)
	v.Policy = template.HTMLAttr(`content="default-src 'none'; img-src data:; style-src 'sha256-` + base64.StdEncoding.EncodeToString(sum[:]) + `'; base-uri 'none'; form-action 'none'"`)
	t, err := template.New("paper").Funcs(template.FuncMap{"visible": terminal.Visible}).Parse(paperTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, v)
}
