package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/exchange"
	"verbatim/internal/library"
	"verbatim/internal/store"
	"verbatim/internal/study"
	"verbatim/internal/study/simpe"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

func exportCommand(env *Env) *cobra.Command {
	var format, out string
	var raw, noText bool
	var names, list []string
	for _, f := range exportFormats() {
		names = append(names, f.Name)
		list = append(list, "  "+f.Name+strings.Repeat(" ", 11-len(f.Name))+f.Doc)
	}
	cmd := &cobra.Command{
		Use:   "export RUN...",
		Short: "Write runs as JSON lines, as CSV, or for other tools",
		Long: `Write runs with everything that is saved of them: plan, items, prompts, replies,
all attempts and grades. 'verbatim import' reads the file, and 'verbatim report
FILE' prints its tables. Exporting an imported run gives the same bytes.

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
		ValidArgsFunction: env.completeRuns(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(onlyCSV("raw", raw, format), onlyCSV("no-text", noText, format)); err != nil {
				return err
			}
			chosen := slices.Index(names, format)
			if chosen < 0 {
				return errkind.Usagef("the formats are "+strings.Join(names, ", "), "there is no format %q", format)
			}
			lib := env.app(cmd).Library()
			defer lib.Close()
			runs, err := lib.FindAll(cmd.Context(), args)
			if err != nil {
				return err
			}
			return exportFormats()[chosen].Write(&exporting{Context: cmd.Context(), Runs: runs, Out: out, Raw: raw, NoText: noText, Open: env.Output,
				Note: func(line string) { env.Note("%s", line) }, AtExit: env.Unfinished.Add})
		},
	}
	cmd.Flags().StringVar(&format, "format", names[0], "`format` of the output: "+strings.Join(names, ", "))
	cmd.Flags().StringVarP(&out, "output", "o", "", "output `file` or folder (default: the standard output)")
	cmd.Flags().BoolVar(&raw, "raw", false, "CSV cells unchanged, even if a spreadsheet may read them as formulas")
	cmd.Flags().BoolVar(&noText, "no-text", false, "CSV without the columns want and reply, the expected answer and the reply")
	completeFlag(cmd, "format", fixedWords(names...))
	return cmd
}

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
	NoText  bool               // no CSV columns of expected answers and replies
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
	runs, err := e.read(store.Read{Measures: true, Texts: !e.NoText})
	if err != nil {
		return err
	}
	return e.file(data, func(w *File) error { return exchange.WriteSortBenchCSV(w, e.Raw, !e.NoText, runs...) })
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

// studyRuns returns the runs that args name. Without args it returns those that the study chooses of
// the saved ones, with a note on each run that it leaves out. It is a usage error if no run of the
// suite has an answer.
func studyRuns(ctx context.Context, lib *library.Library, of *study.Study, args []string) (runs []library.NamedRun, notes []string, err error) {
	if len(args) > 0 {
		runs, err = lib.Named(ctx, args)
		return runs, nil, err
	}
	s, err := lib.Database(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, err := s.Runs(ctx)
	if err != nil {
		return nil, nil, err
	}
	if all, err = repliesLast(ctx, s, all); err != nil {
		return nil, nil, err
	}
	chosen, notes := of.Choose(answeredRuns(all, of.Name))
	if len(chosen) == 0 {
		return nil, nil, errkind.Usagef("'verbatim run --suite "+of.Name+"' runs a model, and 'verbatim import "+of.Name+"' reads published results", "there is no run of the suite %s with an answer", of.Name)
	}
	for _, r := range chosen {
		ref := strconv.FormatInt(r.N, 10)
		runs = append(runs, library.NamedRun{SavedRun: library.SavedRun{Run: r, Store: s}, Given: ref, Ref: ref})
	}
	return runs, notes, nil
}

// answeredRuns lists the runs of a suite that have an answer.
func answeredRuns(all []store.RunSummary, suite string) []verbatim.Run {
	var list []verbatim.Run
	for _, l := range all {
		answered := false
		for outcome, n := range l.Tally {
			answered = answered || outcome.Answered() && n > 0
		}
		if l.Run.Plan.Suite == suite && answered {
			list = append(list, l.Run)
		}
	}
	return list
}

// repliesLast moves the runs that have scores without replies before the others, as if they were
// older: a study takes the newest run of a model, and replies tell more than scores.
func repliesLast(ctx context.Context, s *store.Store, all []store.RunSummary) ([]store.RunSummary, error) {
	var scores, replies []store.RunSummary
	for _, l := range all {
		graders, err := s.Graders(ctx, l.Run.N)
		if err != nil {
			return nil, err
		}
		if graders[exchange.Published] > 0 && len(graders) == 1 {
			scores = append(scores, l)
		} else {
			replies = append(replies, l)
		}
	}
	return append(scores, replies...), nil
}

// studySides returns the runs if the answers of all are graded by the same rules. Their Records, which have
// replies and measures, are read from the database as they are ranged over.
func studySides(ctx context.Context, runs []library.NamedRun) ([]verdict.Side, error) {
	list := make([]library.SavedRun, len(runs))
	for i := range runs {
		list[i] = runs[i].SavedRun
	}
	if err := library.CheckGraders(ctx, list...); err != nil {
		return nil, err
	}
	return library.Sides(ctx, runs, store.Read{Texts: true, Measures: true}), nil
}

// withoutNano leaves out the runs of nano if there are others, and adds a note on each to notes.
func withoutNano(runs []library.NamedRun, notes []string) ([]library.NamedRun, []string) {
	var others []library.NamedRun
	more := slices.Clone(notes)
	for _, r := range runs {
		if verdict.Nano(&r.Run) {
			more = append(more, fmt.Sprintf("Left out is run %s (%s), for the tables rank models: %s is %s.", r.Ref, terminal.Visible(r.Name), r.Model, library.BuiltInNote(&r.Run)))
		} else {
			others = append(others, r)
		}
	}
	if len(others) == 0 {
		return runs, notes
	}
	return others, more
}
