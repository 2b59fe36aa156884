package page

import (
	"bytes"
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
	// Other is the address of the page to link to, and OtherName the text of the link.
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
	return v.write(w)
}

// write executes the template with the differences, the style and its policy.
func (v *paperView) write(w io.Writer) error {
	if d := v.Differences; d != nil && len(d.List) > 0 {
		t := d.Table()
		v.Differing = &t
	}
	v.Style, v.Policy = template.CSS(paperStyle), policy(paperStyle, "")
	t, err := template.New("paper").Funcs(template.FuncMap{"visible": terminal.Visible}).Parse(paperTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, v)
}
