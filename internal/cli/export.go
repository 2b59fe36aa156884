package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

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

// An exportFormat is a way to write runs for other programs.
type exportFormat struct {
	name, doc string
	write     func(*export) error
}

// exportFormats lists the formats, the default first.
func exportFormats() []exportFormat {
	return []exportFormat{
		{"jsonl", "JSON lines without loss; 'verbatim import' reads them", (*export).lines},
		{"csv", "a row per record; the columns of SortBench's results come first", (*export).csv},
		{"inspect", "logs of Inspect: .json (default) or .eval; a folder gets one per run", (*export).inspect},
		{"lm-eval", "samples and results of lm-evaluation-harness, into a folder", (*export).lmEval},
		{"sortbench", "lists and results of SortBench, into a folder", (*export).sortBench},
		{"simpe", "result files of simpE, into a folder", (*export).simpE},
	}
}

// An export is one call of the command.
type export struct {
	cmd  *cobra.Command
	env  *Env
	runs []library.SavedRun
	out  string
	raw  bool
}

func exportCommand(env *Env) *cobra.Command {
	var format, out string
	var raw bool
	var names, list []string
	for _, f := range exportFormats() {
		names = append(names, f.name)
		list = append(list, "  "+f.name+strings.Repeat(" ", 11-len(f.name))+f.doc)
	}
	cmd := &cobra.Command{
		Use:   "export RUN...",
		Short: "Write runs as JSON lines, as CSV, or for other tools",
		Long: `Write runs with everything that is saved of them: plan, items, prompts, replies,
all attempts, and the grades of all versions. 'verbatim import' reads the file,
and 'verbatim report FILE' prints its tables. Exporting an imported run gives
the same bytes.

The formats are
` + strings.Join(list, "\n") + `

docs/format.md describes the first two. docs/exchange.md lists what the formats
of other tools keep and lose.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim export last -o run.jsonl
  verbatim export 1 2 3 --format csv -o runs.csv
  verbatim export last --format inspect -o run.eval
  verbatim export 1 2 --format lm-eval -o results/`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeRuns(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkRawFlag(raw, format); err != nil {
				return err
			}
			lib := env.app(cmd).Library()
			defer lib.Close()
			for _, f := range exportFormats() {
				if f.name != format {
					continue
				}
				runs, err := lib.FindAll(cmd.Context(), args)
				if err != nil {
					return err
				}
				return f.write(&export{cmd, env, runs, out, raw})
			}
			return errkind.Usagef("the formats are "+strings.Join(names, ", "), "there is no format %q", format)
		},
	}
	cmd.Flags().StringVar(&format, "format", names[0], "`format` of the output: "+strings.Join(names, ", "))
	cmd.Flags().StringVarP(&out, "output", "o", "", "output `file` or folder (default: the standard output)")
	cmd.Flags().BoolVar(&raw, "raw", false, "CSV cells unchanged, even if a spreadsheet may read them as formulas")
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// file writes the file that -o names, or the standard output.
func (e *export) file(path string, what output.Content, write func(w *output.File) error) error {
	w, err := e.env.output(path, what)
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
func (e *export) lines() error {
	var ns []int64
	for _, r := range e.runs {
		if r.Store != e.runs[0].Store {
			return errkind.Usagef("export them one by one", "runs of different files cannot be exported together")
		}
		ns = append(ns, r.N)
	}
	return e.file(e.out, output.JSON, func(w *output.File) error {
		return e.runs[0].Store.Export(e.cmd.Context(), w, ns...)
	})
}

// csv writes a row for every record of the runs.
func (e *export) csv() error {
	runs, err := e.read(store.Read{Measures: true})
	if err != nil {
		return err
	}
	return e.file(e.out, output.Data, func(w *output.File) error { return sortbenchfile.WriteCSV(w, e.raw, runs...) })
}

// inspect writes a log for each run.
func (e *export) inspect() error {
	runs, err := e.whole()
	if err != nil {
		return err
	}
	if !isFolder(e.out) {
		if len(runs) > 1 {
			return errkind.Usagef("name a folder: -o logs/", "a log of Inspect holds one run, and there are %d", len(runs))
		}
		zipped := e.out != "" && e.out != "-" && !strings.HasSuffix(e.out, ".json")
		return e.file(e.out, output.JSON, func(w *output.File) error { return evallog.WriteInspect(w, &runs[0], zipped) })
	}
	if err := os.MkdirAll(e.out, 0o755); err != nil {
		return errkind.Runtimef("", "%w", err)
	}
	for i := range runs {
		path := filepath.Join(e.out, runs[i].Name+".eval")
		err := e.file(path, output.Data, func(w *output.File) error { return evallog.WriteInspect(w, &runs[i], true) })
		if err != nil {
			return err
		}
		writeNote(e.env, "%s", path)
	}
	return nil
}

// folder is the one that -o names.
func (e *export) folder() exchange.Folder {
	return exchange.Folder{Path: e.out, AtExit: e.env.unfinished.Add}
}

// lmEval writes the folder that --output_path makes.
func (e *export) lmEval() error {
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
			writeNote(e.env, "%s", f)
		}
		if left > 0 {
			writeNote(e.env, "run %s: %d requests without an answer are left out: the format has no place for them", runs[i].Name, left)
		}
	}
	return nil
}

// sortBench writes a folder as a checkout of SortBench's repository.
func (e *export) sortBench() error {
	runs, err := e.wholeTo("sortbench/")
	if err != nil {
		return err
	}
	files, left, err := sortbenchfile.Write(e.folder(), task.SortBenchName, runs...)
	if err != nil {
		return errkind.Runtimef("", "%w", err)
	}
	writeNote(e.env, "%d files written to %s", len(files), e.out)
	if left > 0 {
		writeNote(e.env, "%d requests without an answer are left out: the format has no place for them", left)
	}
	return nil
}

// simpE writes result files.
func (e *export) simpE() error {
	runs, err := e.wholeTo("results/")
	if err != nil {
		return err
	}
	files, err := simpefile.Write(e.folder(), simpe.Test, runs...)
	if err != nil {
		return errkind.Runtimef("", "%w", err)
	}
	for _, f := range files {
		writeNote(e.env, "%s", f)
	}
	return nil
}

// wholeTo is whole, where -o must name a folder.
func (e *export) wholeTo(example string) ([]exchange.Run, error) {
	if info, err := os.Stat(e.out); e.out == "" || e.out == "-" || err == nil && !info.IsDir() {
		return nil, errkind.Usagef("name a folder: -o "+example, "this format is a folder of files")
	}
	return e.whole()
}

// whole returns the runs with all that their records hold.
func (e *export) whole() ([]exchange.Run, error) {
	return e.read(store.Read{Texts: true, Measures: true, Attempts: true})
}

// read returns the runs with the named parts of their records.
func (e *export) read(what store.Read) ([]exchange.Run, error) {
	var out []exchange.Run
	for _, r := range e.runs {
		graders, err := r.Store.Common(e.cmd.Context(), r.N)
		if err != nil {
			return nil, err
		}
		what.Graders = graders
		out = append(out, exchange.Run{Run: r.Run, Records: r.Store.Records(e.cmd.Context(), r.N, what)})
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
