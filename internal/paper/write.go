package paper

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"verbatim/internal/figure"
	"verbatim/internal/scratch"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// WriteFigures writes every figure as NAME.svg, NAME.pdf and NAME.png into a folder, and
// returns their paths in the order of the figures. It creates the folder if necessary, and
// replaces files of the same names. The figures are drawn into a temporary folder and moved when
// all are drawn, so that an error while drawing leaves the earlier files as they were. atExit
// registers a function that removes the temporary folder if the program is stopped; it may be
// nil.
func WriteFigures(ctx context.Context, dir string, figs []Figure, atExit func(remove func()) (forget func())) (paths []string, err error) {
	if err := checkNames(figs); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("make the folder for figures: %w", err)
	}
	folder, err := scratch.NewFolder(dir, ".figures-")
	if err != nil {
		return nil, fmt.Errorf("write figures into %s: %w", dir, err)
	}
	if atExit != nil {
		defer atExit(func() { folder.Remove() })()
	}
	defer func() { err = errors.Join(err, folder.Remove()) }()
	draft := folder.Path

	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	var names []string
	for i := range figs {
		for _, format := range figure.Formats() {
			name := figs[i].Name + "." + format.Extension
			names = append(names, name)
			group.Go(func() error {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				return writeFigure(filepath.Join(draft, name), &figs[i], format)
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if err := checkPlaces(dir, names); err != nil {
		return nil, err
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.Rename(filepath.Join(draft, name), path); err != nil {
			return nil, fmt.Errorf("write the figure %s: %w", path, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// checkPlaces refuses names that folders have, before any file is moved.
func checkPlaces(dir string, names []string) error {
	for _, name := range names {
		path := filepath.Join(dir, name)
		if at, err := os.Stat(path); err == nil && at.IsDir() {
			return fmt.Errorf("%s is a folder: move it away, or write the figures elsewhere", path)
		}
	}
	return nil
}

func writeFigure(path string, f *Figure, format figure.Format) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	drawing := f.Figure
	if drawing.Title == "" {
		drawing.Title = f.Caption
	}
	if drawing.Text == "" {
		drawing.Text = f.Text
	}
	if err := errors.Join(format.Write(&drawing, file), file.Close()); err != nil {
		return fmt.Errorf("figure %s as %s: %w", f.Name, format.Extension, err)
	}
	return nil
}

// checkNames refuses names that are not safe file names, and names that differ in case only.
func checkNames(figs []Figure) error {
	seen := make(map[string]bool)
	for i := range figs {
		name := figs[i].Name
		folded := strings.ToLower(name) // some systems take A for a
		switch {
		case !fileName(name):
			return fmt.Errorf("a figure is named %.60q: name it in at most 100 letters, digits, dots and hyphens", name)
		case seen[folded]:
			return fmt.Errorf("two figures are named %q: give each a name of its own", name)
		}
		seen[folded] = true
	}
	return nil
}

// fileName reports whether a file may have the name on every system.
func fileName(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || r != '.' && r != '-' && r != '_') {
			return false
		}
	}
	return name != "" && len(name) <= 100
}

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

// LaTeX writes tables and figures as floats, to be included in a paper. The first lines are
// comments with the packages that the paper must load. The files of figures are those that
// `report --figures` writes. Every text is escaped; characters that a plain pdflatex cannot
// set are named.
func LaTeX(w io.Writer, d *Document, _ terminal.Style) error {
	out := bufio.NewWriter(w)
	out.WriteString("% \\usepackage{booktabs}\n")
	if slices.ContainsFunc(d.Tables, func(t Table) bool { return t.plain().IsLong() }) {
		out.WriteString("% \\usepackage{longtable}\n")
	}
	if len(d.Figures) > 0 {
		out.WriteString("% \\usepackage{graphicx}\n")
	}
	if d.Command != "" {
		out.WriteString("% " + terminal.Visible(d.Command) + "\n")
	}
	for i := range d.Tables {
		out.WriteString("\n")
		t := d.Tables[i].plain()
		t.Caption = d.Tables[i].Caption
		table.WriteLaTeX(out, t)
	}
	for i := range d.Figures {
		f := &d.Figures[i]
		fmt.Fprintf(out, "\n\\begin{figure}\n  \\centering\n  \\includegraphics[width=\\linewidth]{figures/%s}\n  \\caption{%s}\n  \\label{fig:%s}\n\\end{figure}\n",
			table.Slug(f.Name), table.LaTeXText(f.Caption), table.Slug(f.Name))
	}
	return out.Flush()
}
