package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/report"
	"verbatim/internal/scratch"
	"verbatim/internal/shell"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

// databasePath returns the file that keeps runs.
func (env *Env) databasePath(cmd *cobra.Command) string {
	if path, err := cmd.Flags().GetString("db"); err == nil && path != "" {
		return path
	}
	if path := env.Getenv("VERBATIM_DB"); path != "" {
		return path
	}
	return "verbatim.db"
}

// openDatabase opens the file that keeps runs; it must exist.
func (env *Env) openDatabase(ctx context.Context, cmd *cobra.Command) (*store.Store, error) {
	return store.Open(ctx, env.databasePath(cmd), store.OnLock(env.noteLock))
}

// createDatabase opens the file that keeps runs, and makes it if it is missing.
func (env *Env) createDatabase(ctx context.Context, cmd *cobra.Command) (*store.Store, error) {
	return store.Create(ctx, env.databasePath(cmd), store.OnLock(env.noteLock))
}

// noteLock says that a locked database is waited for. The line of a meter gives way.
func (env *Env) noteLock(line string) {
	if env.ErrWidth > 0 {
		fmt.Fprint(env.Err, env.seal.ClearLine())
	}
	writeNote(env, "%s", terminal.Visible(line))
}

// namedDatabase returns the file that the command line names with --db, which
// commands that are printed must name too; empty where it names none.
func (env *Env) namedDatabase() string {
	for i, w := range env.Args {
		if value, ok := strings.CutPrefix(w, "--db="); ok {
			return value
		}
		if w == "--db" && i+1 < len(env.Args) {
			return env.Args[i+1]
		}
	}
	return ""
}

// A keptRun is a run that a command line names, with the store it is in.
type keptRun struct {
	verbatim.Run
	store *store.Store
}

// A library finds the runs that a command line names: in the database, or in
// exported files, which are unpacked into a database that ends with Close.
type library struct {
	path   string
	main   *store.Store // nil until it is needed
	temps  []*scratch.Folder
	forget []func() // of unfinished.add, for each of temps
	env    *Env
	files  []*store.Store
}

func (env *Env) library(cmd *cobra.Command) *library {
	return &library{path: env.databasePath(cmd), env: env}
}

// database opens the file that keeps runs; it must exist.
func (l *library) database(ctx context.Context) (*store.Store, error) {
	if l.main == nil {
		s, err := store.Open(ctx, l.path, store.OnLock(l.env.noteLock))
		if err != nil {
			return nil, err
		}
		l.main = s
	}
	return l.main, nil
}

// find returns the run that name means: a number, a name or its beginning, a
// model, "last", or an exported file.
func (l *library) find(ctx context.Context, name string) (keptRun, error) {
	return l.findOf(ctx, name, "")
}

// findOf is find, where the name of a model means its newest run of the plan with
// this hash, if it has one.
func (l *library) findOf(ctx context.Context, name, plan string) (keptRun, error) {
	if strings.HasSuffix(name, ".jsonl") {
		if _, err := os.Stat(name); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return l.unpack(ctx, name)
		}
	}
	s, err := l.database(ctx)
	if err != nil {
		return keptRun{}, err
	}
	run, err := s.Find(ctx, name, plan)
	var unknown *store.UnknownRun
	if errors.As(err, &unknown) && plan != "" {
		run, err = s.Find(ctx, name, "")
	}
	if errors.As(err, &unknown) {
		return keptRun{}, misused("'verbatim runs' lists the runs; an exported file may be named too", "%w", err)
	}
	return keptRun{run, s}, err
}

// findAll returns the runs that the names mean, in their order.
func (l *library) findAll(ctx context.Context, names []string) ([]keptRun, error) {
	var runs []keptRun
	for _, name := range names {
		r, err := l.find(ctx, name)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// unpack reads an exported file into a database of its own and returns its last run.
func (l *library) unpack(ctx context.Context, path string) (keptRun, error) {
	f, err := openInput(path)
	if err != nil {
		return keptRun{}, failed("", "%w", err)
	}
	defer f.Close()
	dir, err := scratch.NewFolder("", "verbatim-unpacked-")
	if err != nil {
		return keptRun{}, failed("", "%w", err)
	}
	l.temps = append(l.temps, dir)
	l.forget = append(l.forget, l.env.unfinished.add(func() { dir.Remove() }))
	s, err := store.Create(ctx, filepath.Join(dir.Path, "file.db"))
	if err != nil {
		return keptRun{}, err
	}
	l.files = append(l.files, s)
	if _, err := s.Import(ctx, f); err != nil {
		return keptRun{}, failed("", "%s: %w", path, err)
	}
	run, err := s.Find(ctx, "last", "")
	return keptRun{run, s}, err
}

// Close closes what was opened and removes what was unpacked.
func (l *library) Close() {
	for _, s := range l.files {
		s.Close()
	}
	if l.main != nil {
		l.main.Close()
	}
	for i, dir := range l.temps {
		dir.Remove()
		l.forget[i]()
	}
}

// completeRuns offers the names of kept runs.
func completeRuns(env *Env) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		s, err := store.Open(cmd.Context(), env.databasePath(cmd))
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		defer s.Close()
		list, err := s.Runs(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		names := []string{"last\tthe newest run"}
		for _, r := range list {
			names = append(names, completion(&r.Run))
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}

// completion offers a run to a shell, which may evaluate what it is offered: by its name
// only where every shell reads that as it is, and by its number otherwise.
func completion(r *verbatim.Run) string {
	word := r.Name
	if shell.Word(word) != word || strings.HasPrefix(word, "-") {
		word = strconv.FormatInt(r.N, 10)
	}
	return word + "\t" + terminal.Truncate(terminal.Visible(r.Plan.Suite+" on "+model.ShowName(r.Model)), 80)
}

// commonGraders returns the grader versions to read the runs with, wherever they
// are kept; there may be none: that is a *store.NoCommonGrader error.
func commonGraders(ctx context.Context, runs []keptRun) ([]string, error) {
	var list []store.StoredRun
	for _, r := range runs {
		list = append(list, store.StoredRun{Store: r.store, Run: r.N})
	}
	return store.Common(ctx, list...)
}

// inputs reads runs for a report: all with the same version of every grader. Runs
// of different files that have none in common are read with the newest that each
// file has, of which the report warns: an exported file cannot be graded again.
func inputs(ctx context.Context, on report.Metric, runs []keptRun) ([]report.Input, error) {
	graders := map[*store.Store][]string{}
	common, err := commonGraders(ctx, runs)
	var none *store.NoCommonGrader
	apart := errors.As(err, &none) && none.Apart
	if err != nil && !apart {
		return nil, err
	}
	for _, r := range runs {
		if graders[r.store] = common; !apart {
			continue
		}
		here := slices.DeleteFunc(slices.Clone(runs), func(other keptRun) bool { return other.store != r.store })
		if graders[r.store], err = commonGraders(ctx, here); err != nil {
			return nil, err
		}
	}
	var out []report.Input
	for _, r := range runs {
		all := store.Read{Graders: graders[r.store], Measures: measured(on), Attempts: true}
		some := store.Read{Graders: graders[r.store], Measures: measured(on), Tables: true}
		_, unrecorded, err := r.store.Unrecorded(ctx, r.N)
		if err != nil {
			return nil, err
		}
		out = append(out, report.Input{
			Run:        r.Run,
			Note:       builtIn(&r.Run),
			Records:    r.store.Records(ctx, r.N, all),
			Pieces:     r.store.Pieces(ctx, r.N, some, r.Plan.Count, pieces(r.Plan.Count)),
			Record:     recordOf(ctx, r, graders[r.store]),
			Unrecorded: unrecorded,
		})
	}
	return out, nil
}

// measured reports whether a score is among the measures of grades.
func measured(on report.Metric) bool {
	return on == report.MetricSimilarity || on == report.MetricSortBench
}

// recordOf reads single records of a run with all that there is of them.
func recordOf(ctx context.Context, r keptRun, graders []string) func(int64) (verbatim.Record, error) {
	return func(seq int64) (verbatim.Record, error) {
		what := store.Read{Graders: graders, Texts: true, Measures: true, Attempts: true, From: seq, Places: 1}
		for rec, err := range r.store.Records(ctx, r.N, what) {
			return rec, err
		}
		return verbatim.Record{}, failed("`verbatim runs --verify` says whether the database is damaged", "place %d of run %s is not saved", seq, r.Name)
	}
}

// pieces is into how many pieces a plan of so many requests is cut, to be read at the
// same time. A small one is read faster than a second connection is opened; of a
// large one there are more pieces than processors, since not all of these are as fast.
func pieces(requests int64) int {
	const least, most = 10_000, 16
	return int(min(max(requests/least, 1), most))
}
