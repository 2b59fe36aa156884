// Package exported writes saved runs as files of this program and of other tools. Start reading
// at Formats.
package exported

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"verbatim/internal/errkind"
	"verbatim/internal/exchange"
	"verbatim/internal/exchange/evallog"
	"verbatim/internal/exchange/simpefile"
	"verbatim/internal/exchange/sortbenchfile"
	"verbatim/internal/library"
	"verbatim/internal/output"
	"verbatim/internal/store"
	"verbatim/internal/study/simpe"
	"verbatim/internal/task"
)

// A Format is a way to write runs for other programs.
type Format struct {
	Name, Doc string
	Write     func(*Export) error
}

// Formats lists the formats, the default first.
func Formats() []Format {
	return []Format{
		{"jsonl", "JSON lines without loss; 'verbatim import' reads them", (*Export).lines},
		{"csv", "a row per record; the columns of SortBench's results come first", (*Export).csv},
		{"inspect", "logs of Inspect: .json (default) or .eval; a folder gets one per run", (*Export).inspect},
		{"lm-eval", "samples and results of lm-evaluation-harness, into a folder", (*Export).lmEval},
		{"sortbench", "lists and results of SortBench, into a folder", (*Export).sortBench},
		{"simpe", "result files of simpE, into a folder", (*Export).simpE},
	}
}

// An Export is what is exported, and where.
type Export struct {
	Context context.Context
	Runs    []library.SavedRun
	Out     string // a file or a folder; empty for the standard output
	Raw     bool   // CSV cells unchanged
	Open    func(path string, what output.Content) (*output.File, error)
	Note    func(line string)
	AtExit  func(remove func()) (forget func()) // as exchange.Folder has it
}

// file writes the file that -o names, or the standard output.
func (e *Export) file(path string, what output.Content, write func(w *output.File) error) error {
	w, err := e.Open(path, what)
	if err != nil {
		return err
	}
	defer w.Discard()
	if err := write(w); err != nil {
		return err
	}
	return w.Keep()
}

// lines writes the runs of one database as one file of JSON lines.
func (e *Export) lines() error {
	var ns []int64
	for _, r := range e.Runs {
		if r.Store != e.Runs[0].Store {
			return errkind.Usagef("export them one by one", "runs of different files cannot be exported together")
		}
		ns = append(ns, r.N)
	}
	return e.file(e.Out, output.JSON, func(w *output.File) error {
		return e.Runs[0].Store.Export(e.Context, w, ns...)
	})
}

// csv writes a row for every record of the runs.
func (e *Export) csv() error {
	runs, err := e.read(store.Read{Measures: true})
	if err != nil {
		return err
	}
	return e.file(e.Out, output.Data, func(w *output.File) error { return sortbenchfile.WriteCSV(w, e.Raw, runs...) })
}

// inspect writes a log for each run.
func (e *Export) inspect() error {
	runs, err := e.whole()
	if err != nil {
		return err
	}
	if !isFolder(e.Out) {
		if len(runs) > 1 {
			return errkind.Usagef("name a folder: -o logs/", "a log of Inspect holds one run, and there are %d", len(runs))
		}
		zipped := e.Out != "" && e.Out != "-" && !strings.HasSuffix(e.Out, ".json")
		return e.file(e.Out, output.JSON, func(w *output.File) error { return evallog.WriteInspect(w, &runs[0], zipped) })
	}
	if err := os.MkdirAll(e.Out, 0o755); err != nil {
		return errkind.Runtimef("", "%w", err)
	}
	for i := range runs {
		path := filepath.Join(e.Out, runs[i].Name+".eval")
		err := e.file(path, output.Data, func(w *output.File) error { return evallog.WriteInspect(w, &runs[i], true) })
		if err != nil {
			return err
		}
		e.Note(path)
	}
	return nil
}

// folder is the one that -o names.
func (e *Export) folder() exchange.Folder {
	return exchange.Folder{Path: e.Out, AtExit: e.AtExit}
}

// lmEval writes the folder that --output_path makes.
func (e *Export) lmEval() error {
	runs, err := e.wholeTo("results/")
	if err != nil {
		return err
	}
	for i := range runs {
		files, left, err := evallog.WriteLMEval(e.folder(), &runs[i])
		if err != nil {
			return errkind.Runtimef("", "%w", err)
		}
		for _, f := range files {
			e.Note(f)
		}
		if left > 0 {
			e.Note(fmt.Sprintf("run %s: %d requests without an answer are left out: the format has no place for them", runs[i].Name, left))
		}
	}
	return nil
}

// sortBench writes a folder as a checkout of SortBench's repository.
func (e *Export) sortBench() error {
	runs, err := e.wholeTo("sortbench/")
	if err != nil {
		return err
	}
	files, left, err := sortbenchfile.Write(e.folder(), task.SortBenchName, runs...)
	if err != nil {
		return errkind.Runtimef("", "%w", err)
	}
	e.Note(fmt.Sprintf("%d files written to %s", len(files), e.Out))
	if left > 0 {
		e.Note(fmt.Sprintf("%d requests without an answer are left out: the format has no place for them", left))
	}
	return nil
}

// simpE writes result files.
func (e *Export) simpE() error {
	runs, err := e.wholeTo("results/")
	if err != nil {
		return err
	}
	files, err := simpefile.Write(e.folder(), simpe.Test, runs...)
	if err != nil {
		return errkind.Runtimef("", "%w", err)
	}
	for _, f := range files {
		e.Note(f)
	}
	return nil
}

// wholeTo is whole, where -o must name a folder.
func (e *Export) wholeTo(example string) ([]exchange.Run, error) {
	if info, err := os.Stat(e.Out); e.Out == "" || e.Out == "-" || err == nil && !info.IsDir() {
		return nil, errkind.Usagef("name a folder: -o "+example, "this format is a folder of files")
	}
	return e.whole()
}

// whole returns the runs with all that their records hold.
func (e *Export) whole() ([]exchange.Run, error) {
	return e.read(store.Read{Texts: true, Measures: true, Attempts: true})
}

// read returns the runs with the named parts of their records.
func (e *Export) read(what store.Read) ([]exchange.Run, error) {
	var out []exchange.Run
	for _, r := range e.Runs {
		graders, err := r.Store.Common(e.Context, r.N)
		if err != nil {
			return nil, err
		}
		what.Graders = graders
		out = append(out, exchange.Run{Run: r.Run, Records: r.Store.Records(e.Context, r.N, what)})
	}
	return out, nil
}

// isFolder reports whether a path names a folder: one that is there, or one that ends
// in a slash.
func isFolder(path string) bool {
	if strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(os.PathSeparator)) {
		return true
	}
	info, err := os.Stat(path)
	return path != "" && err == nil && info.IsDir()
}
