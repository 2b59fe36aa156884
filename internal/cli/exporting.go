package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"verbatim/internal/errkind"
	"verbatim/internal/exchange"

	"verbatim/internal/library"

	"verbatim/internal/store"
	"verbatim/internal/study/simpe"
	"verbatim/internal/task"
)

// A Format is a format of files in which runs are exported.
type exportFormat struct {
	Name, Doc string
	Write     func(*exporting) error
}

// exportFormats returns the formats, the default first.
func exportFormats() []exportFormat {
	return []exportFormat{
		{"jsonl", "JSON lines without loss; 'verbatim import' reads them", (*exporting).lines},
		{"csv", "a row per record; the columns of SortBench's results come first", (*exporting).csv},
		{"inspect", "logs of Inspect: .json (default) or .eval; a folder gets one per run", (*exporting).inspect},
		{"lm-eval", "samples and results of lm-evaluation-harness, into a folder", (*exporting).lmEval},
		{"sortbench", "lists and results of SortBench, into a folder", (*exporting).sortBench},
		{"simpe", "result files of simpE, into a folder", (*exporting).simpE},
	}
}

// An Export is the runs that are exported, and the destination.
type exporting struct {
	Context context.Context
	Runs    []library.SavedRun // at least one
	Out     string             // a file or a folder; "" or "-" is the standard output
	Raw     bool               // do not guard CSV cells against spreadsheets
	Open    func(path string, what outputContent) (*File, error)
	Note    func(line string)                   // prints a line for a person
	AtExit  func(remove func()) (forget func()) // see exchange.Folder
}

// file writes the file e.Out, or the standard output.
func (e *exporting) file(what outputContent, write func(w *File) error) error {
	w, err := e.Open(e.Out, what)
	if err != nil {
		return err
	}
	defer w.Discard()
	if err := write(w); err != nil {
		return err
	}
	return w.keep()
}

// lines writes the runs, which must be of one database, as one file of JSON lines.
func (e *exporting) lines() error {
	var ns []int64
	for _, r := range e.Runs {
		if r.Store != e.Runs[0].Store {
			return errkind.Usagef("export them one by one", "runs of different files cannot be exported together")
		}
		ns = append(ns, r.N)
	}
	return e.file(JSON, func(w *File) error { return e.Runs[0].Store.Export(e.Context, w, ns...) })
}

// csv writes a row for every record of the runs.
func (e *exporting) csv() error {
	runs, err := e.read(store.Read{Measures: true})
	if err != nil {
		return err
	}
	return e.file(data, func(w *File) error { return exchange.WriteSortBenchCSV(w, e.Raw, runs...) })
}

// inspect writes the log of one run into a file, or a log for each run into a folder.
func (e *exporting) inspect() error {
	runs, err := e.whole()
	if err != nil {
		return err
	}
	if !exportedIsFolder(e.Out) {
		if len(runs) > 1 {
			return errkind.Usagef("name a folder: -o logs/", "a log of Inspect holds one run, and there are %d", len(runs))
		}
		zipped := e.Out != "" && e.Out != "-" && !strings.HasSuffix(e.Out, ".json")
		return e.file(JSON, func(w *File) error { return exchange.WriteInspect(w, &runs[0], zipped) })
	}
	if err := os.MkdirAll(e.Out, 0o755); err != nil {
		return errkind.Runtimef("", "%w", err)
	}
	used := map[string]bool{}
	for i := range runs {
		name := runs[i].Name
		for n := 2; used[name]; n++ { // runs of several databases may have the same name
			name = fmt.Sprintf("%s-%d", runs[i].Name, n)
		}
		used[name] = true
		if err := e.log(name+".eval", &runs[i]); err != nil {
			return errkind.Runtimef("", "%w", err)
		}
		e.Note(filepath.Join(e.Out, name+".eval"))
	}
	return nil
}

// log writes the log of a run into the folder.
func (e *exporting) log(name string, run *exchange.Run) error {
	dir := e.folder()
	f, err := dir.Create(name)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := exchange.WriteInspect(f, run, true); err != nil {
		return err
	}
	return f.Commit()
}

// folder returns the folder e.Out.
func (e *exporting) folder() exchange.Folder {
	return exchange.Folder{Path: e.Out, AtExit: e.AtExit}
}

// lmEval writes a folder like that of lm-eval's --output_path.
func (e *exporting) lmEval() error {
	runs, err := e.wholeTo("results/")
	if err != nil {
		return err
	}
	for i := range runs {
		files, left, err := exchange.WriteLMEval(e.folder(), &runs[i])
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

// sortBench writes a folder like a checkout of SortBench's repository.
func (e *exporting) sortBench() error {
	runs, err := e.wholeTo("sortbench/")
	if err != nil {
		return err
	}
	files, left, err := exchange.WriteSortBench(e.folder(), task.SortBenchName, runs...)
	if err != nil {
		return errkind.Runtimef("", "%w", err)
	}
	e.Note(fmt.Sprintf("%d files written to %s", len(files), e.Out))
	if left > 0 {
		e.Note(fmt.Sprintf("%d requests without an answer are left out: the format has no place for them", left))
	}
	return nil
}

// simpE writes a folder of simpE's result files.
func (e *exporting) simpE() error {
	runs, err := e.wholeTo("results/")
	if err != nil {
		return err
	}
	files, err := exchange.WriteSimpE(e.folder(), simpe.Test, runs...)
	if err != nil {
		return errkind.Runtimef("", "%w", err)
	}
	for _, f := range files {
		e.Note(f)
	}
	return nil
}

// wholeTo is whole, and an error unless e.Out is a folder or can become one.
func (e *exporting) wholeTo(example string) ([]exchange.Run, error) {
	if info, err := os.Stat(e.Out); e.Out == "" || e.Out == "-" || err == nil && !info.IsDir() {
		return nil, errkind.Usagef("name a folder: -o "+example, "this format is a folder of files")
	}
	return e.whole()
}

// whole returns the runs with whole records.
func (e *exporting) whole() ([]exchange.Run, error) {
	return e.read(store.Read{Texts: true, Measures: true, Attempts: true})
}

// read returns the runs with the selected parts of their records.
func (e *exporting) read(what store.Read) ([]exchange.Run, error) {
	var out []exchange.Run
	for _, r := range e.Runs {
		out = append(out, exchange.Run{Run: r.Run, Records: r.Store.Records(e.Context, r.N, what)})
	}
	return out, nil
}

// exportedIsFolder reports whether a path is that of a folder, or ends in a slash.
func exportedIsFolder(path string) bool {
	if path != "" && os.IsPathSeparator(path[len(path)-1]) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
