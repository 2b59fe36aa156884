package cli

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/page"
	"verbatim/internal/paper"
	"verbatim/internal/paper/folder"
	"verbatim/internal/terminal"
)

// paperFormats lists how --format writes a study.
func paperFormats() []paper.Format {
	return append(paper.Formats(), paper.Format{
		Name: "html", Doc: "one page for a browser, which needs no network and no other file",
		Write: func(w io.Writer, d *paper.Document, _ terminal.Style) error { return page.Paper(w, d, "") },
	})
}

func findPaperFormat(name string) (paper.Format, error) {
	var names []string
	for _, f := range paperFormats() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return paper.Format{}, unknownFormat(name, names)
}

// writer returns what writes the document as the flags say. What is wrong with the
// flags is found now, before the work.
func (o presetOptions) writer(ctx context.Context, env *Env) (func(*paper.Document) error, error) {
	switch {
	case o.Format != "":
		layout, err := findPaperFormat(o.Format)
		return func(d *paper.Document) error {
			return env.writeResult(o.Out, contentOf(o.Format), func(w *outFile, s terminal.Style) error {
				d.Raw = o.Raw
				return layout.Write(w, d, s)
			})
		}, err
	case o.Figures != "":
		return func(d *paper.Document) error {
			o.say(env, "drawing %d figures", len(d.Figures))
			n, err := o.to(env, o.Figures).Figures(ctx, d)
			if err == nil {
				writeNote(env, "verbatim: %d files in %s", n, o.Figures)
			}
			return err
		}, nil
	}
	f := o.to(env, o.folderName())
	if err := f.Check(); err != nil {
		return nil, err
	}
	return func(d *paper.Document) error {
		o.say(env, "drawing %d figures", len(d.Figures))
		if err := f.Write(ctx, d, o.Raw); err != nil {
			return err
		}
		return o.summary(env, d, f.Path)
	}, nil
}

// to returns the folder of this path.
func (o presetOptions) to(env *Env, path string) folder.Folder {
	return folder.Folder{Path: path, AtExit: env.unfinished.Add}
}

// summary prints the first table, and what was written.
func (o presetOptions) summary(env *Env, d *paper.Document, path string) error {
	return env.writeResult("", asText, func(w *outFile, s terminal.Style) error {
		short := &paper.Document{Title: d.Title, Lead: d.Lead, Tables: d.Tables[:1]}
		if err := paper.Formats()[0].Write(w, short, s); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\n"+written(path, d)+"\n")
		return err
	})
}

// written says what was written, and how the published numbers compare.
func written(path string, d *paper.Document) string {
	var extensions []string
	for _, f := range figure.Formats() {
		extensions = append(extensions, f.Extension)
	}
	lines := []string{
		"written to " + terminal.Visible(path) + ":",
		"  index.html        all tables and figures on one page",
		"  tables/           " + filesOf(len(d.Tables), "table", "tex, md, csv"),
		"  figures/          " + filesOf(len(d.Figures), "figure", strings.Join(extensions, ", ")),
		"  paper.json        every number, unrounded",
	}
	if d.Differences != nil {
		lines = slices.Insert(lines, 2, "  differences.html  published numbers that are not ours, and why")
		lines = append(lines, "", d.Differences.Sentence())
	}
	return strings.Join(lines, "\n")
}

func filesOf(n int, thing, extensions string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing + " as " + extensions
}
