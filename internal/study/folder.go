package study

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"verbatim/internal/errkind"
	"verbatim/internal/page"
	"verbatim/internal/paper"
	"verbatim/internal/scratch"
	"verbatim/internal/terminal"
)

// A Folder is where a study is written.
type Folder struct {
	Path string
	// AtExit registers a function that removes an incomplete file if the program is stopped.
	// forget removes the registration.
	AtExit func(remove func()) (forget func())
}

const (
	paperFile       = "paper.json"       // every number; its format identifies a folder of Write
	differencesFile = "differences.html" // the page of the published numbers that differ from ours
)

// Check returns an error unless the folder is missing, empty, or one that Write has written.
func (f Folder) Check() error {
	entries, err := os.ReadDir(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return errkind.Usagef("-o names the folder to write", "%w", err)
	case len(entries) == 0:
		return nil
	}
	head := make([]byte, 256)
	file, err := os.Open(filepath.Join(f.Path, paperFile))
	if err == nil {
		defer file.Close()
		n, _ := io.ReadFull(file, head)
		if bytes.Contains(head[:n], []byte(`"`+paper.FormatName+`"`)) {
			return nil
		}
	}
	return errkind.Usagef("name a new or an empty folder with -o", "%s holds files that this command did not write", f.Path)
}

func (f Folder) make(below ...string) error {
	for _, dir := range append([]string{""}, below...) {
		if err := os.MkdirAll(filepath.Join(f.Path, dir), 0o755); err != nil {
			return errkind.Runtimef("", "%w", err)
		}
	}
	return nil
}

// clear removes the files of an earlier study that this one may not overwrite.
func (f Folder) clear() error {
	if err := os.Remove(filepath.Join(f.Path, differencesFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errkind.Runtimef("", "%w", err)
	}
	for dir, prefix := range map[string]string{"tables": "table-", "figures": "figure-"} {
		entries, err := os.ReadDir(filepath.Join(f.Path, dir))
		if err != nil {
			return errkind.Runtimef("", "%w", err)
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), prefix) || e.IsDir() {
				continue
			}
			if err := os.Remove(filepath.Join(f.Path, dir, e.Name())); err != nil {
				return errkind.Runtimef("", "%w", err)
			}
		}
	}
	return nil
}

// write writes one file of the folder. The file gets its name when it is complete. Markdown,
// which people print, passes through a terminal.Filter.
func (f Folder) write(name string, layout func(w io.Writer) error) error {
	path := filepath.Join(f.Path, filepath.FromSlash(name))
	file, err := scratch.Create(path)
	if err != nil {
		return errkind.Runtimef("", "cannot write %s: %w", path, err)
	}
	defer f.AtExit(file.Discard)()
	defer file.Discard()
	to := bufio.NewWriterSize(file, 1<<16)
	var out io.Writer = to
	var filter *terminal.Filter
	if filepath.Ext(name) == ".md" {
		filter = terminal.NewFilter(to, "")
		out = filter
	}
	if err := layout(out); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	if filter != nil {
		err = filter.Flush()
	}
	if err = errors.Join(err, to.Flush()); err == nil {
		err = file.Commit()
	}
	if err != nil {
		return errkind.Runtimef("", "cannot write %s: %w", path, err)
	}
	return nil
}

// Figures draws every figure in every format and returns the number of files.
func (f Folder) Figures(ctx context.Context, d *paper.Document) (files int, err error) {
	if err := f.make(); err != nil {
		return 0, err
	}
	paths, err := paper.WriteFigures(ctx, f.Path, d.Figures, f.AtExit)
	if err != nil {
		return 0, errkind.Runtimef("", "%w", err)
	}
	return len(paths), nil
}

// tables writes every table in every format for papers.
func (f Folder) tables(d *paper.Document, raw bool) error {
	for _, t := range d.Tables {
		for _, one := range []struct{ format, extension string }{{"latex", "tex"}, {"md", "md"}, {"csv", "csv"}} {
			err := f.write(t.Name+"."+one.extension, func(w io.Writer) error {
				alone := t.Only()
				alone.Raw = raw
				return paper.Write(w, alone, one.format)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Write writes the whole study: a page, every table and figure, and every number. raw leaves
// cells of CSV as they are, even if a spreadsheet may read them as formulas.
func (f Folder) Write(ctx context.Context, d *paper.Document, raw bool) error {
	if err := f.make("tables", "figures"); err != nil {
		return err
	}
	if err := f.clear(); err != nil {
		return err
	}
	// paperFile comes first, so that Check accepts the folder again if the program is stopped
	// halfway.
	if err := f.write(paperFile, func(w io.Writer) error { return paper.Write(w, d, "json") }); err != nil {
		return err
	}
	if _, err := f.below("figures").Figures(ctx, d); err != nil {
		return err
	}
	if err := f.below("tables").tables(d, raw); err != nil {
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
		return nil
	}
	return f.write(differencesFile, func(w io.Writer) error { return page.Differences(w, d, index) })
}

func (f Folder) below(dir string) Folder { return Folder{filepath.Join(f.Path, dir), f.AtExit} }
