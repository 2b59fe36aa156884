package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/exchange"
	"verbatim/internal/grade"
	"verbatim/internal/input"
	"verbatim/internal/reasoning"
	"verbatim/internal/store"
	"verbatim/internal/study/simpe"
	"verbatim/internal/task"
)

func importCommand(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Read exported runs, or results of other benchmark tools",
		Long: `Read files that 'verbatim export' wrote. A run that is in the database already
is recognised; nothing is lost or duplicated.

The subcommands read results of other tools, save a run for each model in them,
and grade every reply with the graders of this program. They compare the grades
with those in the file and count the differences. docs/exchange.md lists what is
imported and what is lost.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim import run.jsonl
  verbatim import sortbench ~/sortbench
  verbatim import simpe results/result_*.json
  verbatim import inspect logs/*.eval
  verbatim import lm-eval results/`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := env.app(cmd).CreateDatabase(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			for _, path := range args {
				if err := importLines(cmd.Context(), env, s, path); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.AddCommand(importSortBench(env), importSimpE(env), importInspect(env), importLMEval(env))
	return cmd
}

func importLines(ctx context.Context, env *Env, s *store.Store, path string) error {
	in, err := env.Input([]string{path})
	if err != nil {
		return err
	}
	defer in.Close()
	runs, err := s.Import(ctx, in)
	if err != nil {
		return errkind.Runtimef("", "%s: %w", path, err)
	}
	for _, r := range runs {
		env.Note("run %d (%s): %d records saved, %d already there", r.Run.N, r.Run.Name, r.Saved, r.Known)
	}
	return nil
}

func importSortBench(env *Env) *cobra.Command {
	var scores []string
	cmd := &cobra.Command{
		Use:   "sortbench [PATH]",
		Short: "Read SortBench's published outputs, one run for each model",
		Long: `Read a checkout of SortBench's published repository (benchmark_data and
benchmark_results), or a folder with lists and outputs. Every output is graded
again by the rules of the reference.

With --scores, read files of published scores instead. They become runs of
scores without replies, which are marked and cannot be graded again. The
published repository has one file for each mode: name them together, so that a
model has one run. PATH then names the folder of the lists and is optional.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim import sortbench ~/sortbench
  verbatim import sortbench --scores published_scores.csv.gz
  verbatim import sortbench --scores basic.csv,advanced.csv,debug.csv`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			path, scores, err := scorePaths(args, scores)
			if err != nil {
				return err
			}
			var runs []exchange.Run
			switch {
			case len(scores) > 0:
				runs, err = exchange.ReadSortBenchScores(scores, path, task.OfSortBench)
			case path == "":
				return errkind.Usagef("name a checkout of the published repository, or --scores FILE", "there is nothing to read")
			default:
				runs, err = exchange.ReadSortBench(path, task.OfSortBench)
			}
			if err != nil {
				return err
			}
			return saveRuns(cmd, env, runs)
		},
	}
	cmd.Flags().StringSliceVar(&scores, "scores", nil, "`files` of published scores, CSV, plain or gzip, such as basic.csv,advanced.csv (default: none)")
	return cmd
}

// scorePaths splits the arguments of 'import sortbench' into the folder, if any, and the
// files of scores. Arguments after --scores that are files are scores too, as in
// --scores results/*.csv.
func scorePaths(args, scores []string) (folder string, files []string, err error) {
	if err := input.CheckPaths(slices.Concat(args, scores)...); err != nil {
		return "", nil, err
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err == nil && info.Mode().IsRegular() && len(scores) > 0:
			files = append(files, arg)
		case folder != "":
			return "", nil, errkind.Usagef("name one folder, and files of scores with --scores", "import sortbench reads one folder, got %s and %s", folder, arg)
		default:
			folder = arg
		}
	}
	return folder, slices.Concat(scores, files), nil
}

func importSimpE(env *Env) *cobra.Command {
	return importFiles(env, &cobra.Command{
		Use:   "simpe PATH...",
		Short: "Read simpE's result files, one run for each model",
		Long: `Read result files of simpE, or its folder of results, save a run for each model
in them, and grade every reply.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim import simpe results/
  verbatim import simpe results/result_*.json`,
	}, func(paths ...string) ([]exchange.Run, error) { return exchange.ReadSimpE(simpe.Family, paths...) })
}

func importInspect(env *Env) *cobra.Command {
	return importFiles(env, &cobra.Command{
		Use:   "inspect LOG...",
		Short: "Read logs of Inspect, one run for each",
		Long: `Read logs of Inspect (inspect_ai), .eval or JSON. An epoch becomes a trial. A
sample with an error is an outage, not a wrong answer. Replies are graded by
this program and compared with the log's first scorer. A log that 'verbatim
export --format inspect' wrote restores its records. LOG may be a folder of
logs: one that cannot be read is named, and the others are imported.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim import inspect logs/2026-11-21T20-57-54+00-00_task_QniSZ6.eval
  verbatim import inspect logs/`,
	}, exchange.ReadInspect)
}

func importLMEval(env *Env) *cobra.Command {
	return importFiles(env, &cobra.Command{
		Use:   "lm-eval PATH...",
		Short: "Read samples of lm-evaluation-harness, one run per evaluation",
		Long: `Read the samples that lm-evaluation-harness writes with --log_samples: files
named samples_TASK_TIME.jsonl (in older versions .json), or the folder of
--output_path, in which bad files are named and passed over. The files of one
model and one time become a run. Replies are graded by this program, as they
were before any filter, and compared with the first metric in the file. Tasks
that compare log-likelihoods have no replies and are refused.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim import lm-eval results/
  verbatim import lm-eval results/org__model/samples_gsm8k_*.jsonl`,
	}, exchange.ReadLMEval)
}

// importFiles makes a command of cmd: it saves the runs in the files and folders that its
// arguments name.
func importFiles(env *Env, cmd *cobra.Command, read func(paths ...string) ([]exchange.Run, error)) *cobra.Command {
	cmd.Args = cobra.MinimumNArgs(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := input.CheckPaths(args...); err != nil {
			return err
		}
		runs, wrong := read(args...)
		if len(runs) == 0 {
			return wrong
		}
		if err := saveRuns(cmd, env, runs); err != nil {
			return errors.Join(err, wrong)
		}
		if wrong != nil {
			return errkind.Runtimef("the other files are imported", "passed over: %w", wrong)
		}
		return nil
	}
	return cmd
}

// saveRuns grades and saves runs that other tools made.
func saveRuns(cmd *cobra.Command, env *Env, runs []exchange.Run) error {
	s, err := env.app(cmd).CreateDatabase(cmd.Context())
	if err != nil {
		return err
	}
	defer s.Close()
	failed := int64(0)
	for _, r := range runs {
		r.Run.Tool = Version()
		done, err := saveImported(cmd.Context(), s, r)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Model, err)
		}
		env.Note("run %d (%s): %d records saved, %d already there", done.Run.N, done.Run.Name, done.Saved, done.Known)
		if r.Left > 0 {
			env.Note("  %d invalidated samples are left out", r.Left)
		}
		if done.Differ > 0 {
			env.Note("  %d replies are graded differently in the file", done.Differ)
		}
		failed += done.Failed
	}
	if failed > 0 {
		return &errkind.Error{
			Kind: errkind.Failed, Err: fmt.Errorf("a grader failed on %d replies, which are saved without a grade", failed),
			Hint: "this is a defect of verbatim: please report it ('verbatim show RUN --outcome error' lists the replies); a later version grades them when the file is imported again",
		}
	}
	return nil
}

// A Result is the run that Save has saved, with numbers of its records.
type importedRun struct {
	Run    verbatim.Run
	Saved  int64 // records that were saved
	Known  int64 // records that the database had already
	Differ int64 // saved replies that the file grades differently than this program
	Failed int64 // saved replies that a grader failed on: another import grades them again
}

// saveImported grades the replies of a run that another tool made, and saves it. If the run was imported
// before, Save adds the records without an answer.
func saveImported(ctx context.Context, s *store.Store, r exchange.Run) (importedRun, error) {
	return save(ctx, s, r, grade.Try)
}

// save is Save with another function than grade.Try.
func save(ctx context.Context, s *store.Store, r exchange.Run, try store.GradeFunc) (done importedRun, err error) {
	done.Run, err = begin(ctx, s, r.Run)
	if err != nil {
		return done, err
	}
	n := done.Run.N
	positions, err := s.Positions(ctx, n)
	if err != nil {
		return done, err
	}
	w, err := s.Write(ctx, nil, n)
	if err != nil {
		return done, err
	}
	defer w.Close()
	unsupported := int64(0) // records of items that the model does not support
	for rec, err := range r.Records {
		if err != nil {
			return done, err
		}
		if rec.Failure != nil && rec.Failure.Class.Skips() {
			unsupported++
		}
		if positions.Answered(rec.Seq) {
			done.Known++
			continue
		}
		differs, err := gradeReply(&rec, try)
		switch {
		case err != nil:
			fail(&rec, err)
			done.Failed++
		case differs:
			done.Differ++
		}
		if err := w.Put(ctx, n, rec); err != nil {
			return done, err
		}
		done.Saved++
	}
	if err := w.Close(); err != nil {
		return done, err
	}
	_, err = s.End(ctx, n, unsupported, endOf(r.Run))
	return done, err
}

// endOf returns the end of an imported run. If its file has none, it is the start, because the
// duration of the run is unknown; without a start it is now.
func endOf(r verbatim.Run) time.Time {
	switch {
	case !r.Ended.IsZero():
		return r.Ended
	case !r.Started.IsZero():
		return r.Started
	}
	return time.Now()
}

// begin returns the run as which r was imported before, or a new one. If r has a start, only a run
// with the same start is the same evaluation.
func begin(ctx context.Context, s *store.Store, r verbatim.Run) (verbatim.Run, error) {
	if r.Started.IsZero() {
		begun, _, err := s.Begin(ctx, r, false)
		return begun, err
	}
	list, err := s.Runs(ctx)
	if err != nil {
		return r, err
	}
	for _, known := range list {
		if known.Plan.Hash == r.Plan.Hash && known.Model == r.Model && known.Origin == r.Origin && known.Started.Equal(r.Started) {
			return known.Run, nil
		}
	}
	begun, _, err := s.Begin(ctx, r, true)
	return begun, err
}

// gradeReply grades the reply of a record, if it has one. differs says that the grade of its file
// has another value of Exact.
func gradeReply(rec *verbatim.Record, try store.GradeFunc) (differs bool, err error) {
	if rec.Reply == nil {
		return false, nil
	}
	given := rec.Grade
	if !strings.HasSuffix(rec.Item.Grader, "-reference") && rec.Item.Grader != "sortbench" {
		reasoning.SplitCommon(rec.Reply) // the graders of reference editions do so themselves
	}
	g, err := try(rec.Item, rec.Reply.Text, rec.Reply.Finish)
	if err != nil {
		return false, err
	}
	rec.Grade, rec.Outcome = &g, g.Outcome
	return given != nil && given.Exact != g.Exact, nil
}

// fail turns a reply that could not be graded into a failed attempt with its text, as a run does:
// the item has no answer then.
func fail(rec *verbatim.Record, err error) {
	r := rec.Reply
	rec.Failure = &verbatim.Failure{Class: verbatim.Content, Who: "grader", Err: err, Attempts: append(r.Attempts,
		verbatim.Attempt{N: len(r.Attempts) + 1, Start: r.Times.Start, Total: r.Times.Total, Class: verbatim.Content, Err: err.Error(), Partial: r.Text, Cost: r.Cost})}
	rec.Reply, rec.Grade, rec.Outcome = nil, nil, verbatim.Errored
}
