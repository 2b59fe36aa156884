package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/errkind"
	"verbatim/internal/figure"
	"verbatim/internal/page"
	"verbatim/internal/paper"
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
			f := folder{env, o.Figures}
			if err := f.make(); err != nil {
				return err
			}
			o.say(env, "drawing %d figures", len(d.Figures))
			n, err := f.figures(ctx, d)
			if err == nil {
				writeNote(env, "verbatim: %d files in %s", n, o.Figures)
			}
			return err
		}, nil
	}
	f := folder{env, o.folderName()}
	if err := f.ours(); err != nil {
		return nil, err
	}
	return func(d *paper.Document) error { return o.folder(ctx, env, d, f) }, nil
}

// A folder is where a study is written.
type folder struct {
	env  *Env
	path string
}

// paperFile is the file by which a folder is known to be one of ours.
const paperFile = "paper.json"

// differencesFile is the page of the published numbers that are not ours.
const differencesFile = "differences.html"

// ours refuses a folder with other things in it.
func (f folder) ours() error {
	entries, err := os.ReadDir(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return errkind.Usagef("-o names the folder to write", "%w", err)
	case len(entries) == 0:
		return nil
	}
	head := make([]byte, 256)
	file, err := os.Open(filepath.Join(f.path, paperFile))
	if err == nil {
		defer file.Close()
		n, _ := io.ReadFull(file, head)
		if bytes.Contains(head[:n], []byte(`"`+paper.FormatName+`"`)) {
			return nil
		}
	}
	return errkind.Usagef("name a new or an empty folder with -o", "%s holds files that this command did not write", f.path)
}

func (f folder) make(below ...string) error {
	for _, dir := range append([]string{""}, below...) {
		if err := os.MkdirAll(filepath.Join(f.path, dir), 0o755); err != nil {
			return errkind.Runtimef("", "%w", err)
		}
	}
	return nil
}

// clear removes what an earlier study may have and this one has not.
func (f folder) clear() error {
	if err := os.Remove(filepath.Join(f.path, differencesFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errkind.Runtimef("", "%w", err)
	}
	for dir, prefix := range map[string]string{"tables": "table-", "figures": "figure-"} {
		entries, err := os.ReadDir(filepath.Join(f.path, dir))
		if err != nil {
			return errkind.Runtimef("", "%w", err)
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), prefix) || e.IsDir() {
				continue
			}
			if err := os.Remove(filepath.Join(f.path, dir, e.Name())); err != nil {
				return errkind.Runtimef("", "%w", err)
			}
		}
	}
	return nil
}

// write writes one file of the folder, whole or not at all.
func (f folder) write(name string, layout func(w io.Writer) error) error {
	return f.env.writeResult(filepath.Join(f.path, filepath.FromSlash(name)), contentOf(strings.TrimPrefix(filepath.Ext(name), ".")), func(w *outFile, _ terminal.Style) error { return layout(w) })
}

// figures draws every figure in every format and returns how many files that are.
func (f folder) figures(ctx context.Context, d *paper.Document) (files int, err error) {
	paths, err := paper.WriteFigures(ctx, f.path, d.Figures, f.env.unfinished.add)
	if err != nil {
		return 0, errkind.Runtimef("", "%w", err)
	}
	return len(paths), nil
}

// tables writes every table in every format for papers.
func (f folder) tables(d *paper.Document, raw bool) error {
	for _, t := range d.Tables {
		for _, one := range []struct{ format, extension string }{{"latex", "tex"}, {"md", "md"}, {"csv", "csv"}} {
			layouts := paper.Formats()
			i := slices.IndexFunc(layouts, func(l paper.Format) bool { return l.Name == one.format })
			err := f.write(t.Name+"."+one.extension, func(w io.Writer) error {
				one := t.Only()
				one.Raw = raw
				return layouts[i].Write(w, one, terminal.Style{})
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// folder writes everything, and prints what it is.
func (o presetOptions) folder(ctx context.Context, env *Env, d *paper.Document, f folder) error {
	if err := f.make("tables", "figures"); err != nil {
		return err
	}
	if err := f.clear(); err != nil {
		return err
	}
	// The file by which the folder is known comes first: a run that is ended halfway
	// leaves a folder that the next one may write.
	if err := f.write(paperFile, func(w io.Writer) error { return paper.JSON(w, d, terminal.Style{}) }); err != nil {
		return err
	}
	o.say(env, "drawing %d figures", len(d.Figures))
	if _, err := (folder{env, filepath.Join(f.path, "figures")}).figures(ctx, d); err != nil {
		return err
	}
	if err := (folder{env, filepath.Join(f.path, "tables")}).tables(d, o.Raw); err != nil {
		return err
	}
	const index = "index.html"
	differences := differencesFile
	if d.Differences == nil {
		differences = "" // nothing was published to compare with
	}
	if err := f.write(index, func(w io.Writer) error { return page.Paper(w, d, differences) }); err != nil {
		return err
	}
	if differences == "" {
		return o.summary(env, d, f)
	}
	if err := f.write(differencesFile, func(w io.Writer) error { return page.Differences(w, d, index) }); err != nil {
		return err
	}
	return o.summary(env, d, f)
}

// summary prints the first table, and what was written.
func (o presetOptions) summary(env *Env, d *paper.Document, f folder) error {
	return env.writeResult("", asText, func(w *outFile, s terminal.Style) error {
		short := &paper.Document{Title: d.Title, Lead: d.Lead, Tables: d.Tables[:1]}
		if err := paper.Text(w, short, s); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\n"+written(f.path, d)+"\n")
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
