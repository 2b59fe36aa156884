package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/report"
	"verbatim/internal/run"
	"verbatim/internal/store"
)

// A runner holds the flags of `run`.
type runner struct {
	sel      selection
	call     calling
	models   []string
	jobs     int
	tries    int
	thinking int
	duration time.Duration
	warmup   int
	fresh    bool
	asJSON   bool
	quiet    bool
	on       string
}

func runCommand(env *Env) *cobra.Command {
	var r runner
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Ask a suite of a model, or of several, and print the table",
		Long: `Ask a suite of one or several models, keep every answer as it arrives, and print
the table. The same command again continues an unfinished run: it asks only what
has no answer yet. A finished run is not asked again; --new starts another.

Without --model a model server on this machine is looked for (llama.cpp, vLLM, LM
Studio, Ollama); where there is none, a simulated model is asked, and the first
line says so. A paid endpoint is never asked unless it is named.

Ctrl-C once finishes what is in flight and keeps it; twice stops now.

Exit codes: 0 every planned request is answered, 1 some are not or something
failed, 2 the command makes no sense, 130 interrupted.`,
		Example: `  verbatim run
  verbatim run --model http://127.0.0.1:8080/v1 -j 2
  verbatim run --model openai:gpt-4o-mini --suite simpe
  verbatim run --model vllm:llama --model ollama:llama3.2 --task sort-int --length 4..64 --items 10
  verbatim run --items mine.jsonl --trials 3
  verbatim run --for 10m`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.run(cmd, env)
		},
	}
	r.sel.register(cmd)
	r.call.register(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&r.models, "model", "m", nil, "a `model`; may be repeated: they are asked item by item in turn ('verbatim models' shows the forms)")
	f.IntVarP(&r.jobs, "jobs", "j", 4, "how many requests are in flight at once, for each model")
	f.IntVar(&r.tries, "tries", 3, "how often a request is tried when there is no answer")
	f.IntVar(&r.thinking, "thinking", 0, "tokens allowed for thinking, on top of those for the answer (8192 suits thinking models)")
	f.DurationVar(&r.duration, "for", 0, "stop asking after this `time`, such as 1h")
	f.IntVar(&r.warmup, "warmup", 0, "ask this many items first and do not keep them")
	f.BoolVar(&r.fresh, "new", false, "start another run instead of continuing")
	f.BoolVar(&r.asJSON, "json", false, "print JSON lines: plan, kept, summary")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress")
	f.StringVar(&r.on, "on", "", "which `score` the table shows: exact, payload, similarity or sortbench (default: the suite's own)")
	cmd.RegisterFlagCompletionFunc("model", completeModels)
	return cmd
}

// check refuses numbers that make no sense.
func (r *runner) check() error {
	for _, n := range []struct {
		flag   string
		value  int64
		lowest int64
	}{{"-j", int64(r.jobs), 1}, {"--tries", int64(r.tries), 1}, {"--thinking", int64(r.thinking), 0}, {"--warmup", int64(r.warmup), 0}, {"--for", int64(r.duration), 0}} {
		if n.value < n.lowest {
			return misused("'verbatim run --help' describes the flags", "%s: the number must be %d or more", n.flag, n.lowest)
		}
	}
	return nil
}

func (r *runner) run(cmd *cobra.Command, env *Env) error {
	if err := r.check(); err != nil {
		return err
	}
	on, err := report.ParseOn(r.on)
	if err != nil {
		return misused("", "--on: %w", err)
	}
	params, err := r.call.params()
	if err != nil {
		return err
	}
	plan, err := r.sel.plan()
	if err != nil {
		return err
	}
	stop, abort, release := env.interruptible(cmd.Context())
	defer release()
	targets, err := env.openTargets(stop, r.models, r.call.options(env))
	if err != nil {
		return err
	}
	defer closeTargets(targets)
	s, err := store.Create(abort, env.databasePath(cmd))
	if err != nil {
		return err
	}
	defer s.Close()

	a := &asking{runner: r, env: env, store: s, plan: plan, params: params}
	if err := a.begin(abort, targets); err != nil {
		return err
	}
	if err := a.ask(stop, abort); err != nil {
		return err
	}
	return a.conclude(abort, stop, on)
}

// An asking is one call of `run`: its runs, asked or finished already.
type asking struct {
	*runner
	env    *Env
	store  *store.Store
	plan   planned
	params verbatim.Params

	runs   []verbatim.Run
	lanes  []run.Lane
	result run.Result
	// lastFailure is, of each lane, why the newest request without an answer has none.
	lastFailure []*verbatim.Failure
}

// begin finds or makes the run of every target, and a lane for those that are
// not finished.
func (a *asking) begin(ctx context.Context, targets []target) error {
	for _, t := range targets {
		r, existed, err := a.store.Begin(ctx, t.runOf(a.plan.Plan, a.params), a.fresh)
		if err != nil {
			return err
		}
		a.runs = append(a.runs, r)
		if existed {
			tally, err := a.store.Tally(ctx, r.N)
			if err != nil {
				return err
			}
			if tally.Answered() >= a.plan.Count {
				writeNote(a.env, "Run %d (%s) is finished: nothing is asked again; --new starts another.", r.N, r.Name)
				continue
			}
			writeNote(a.env, "Continuing run %d (%s): %d of %d requests are answered.", r.N, r.Name, tally.Answered(), a.plan.Count)
		}
		lane, err := a.lane(r, t, len(a.lanes))
		if err != nil {
			return err
		}
		a.lanes = append(a.lanes, lane)
	}
	a.lastFailure = make([]*verbatim.Failure, len(a.lanes))
	return nil
}

// ask runs the lanes. What goes wrong in one of them is told by conclude.
func (a *asking) ask(stop, abort context.Context) error {
	if a.asJSON {
		if err := a.writePlan(); err != nil {
			return err
		}
	}
	if len(a.lanes) == 0 {
		return nil
	}
	c := run.Config{Store: a.store, Lanes: a.lanes, Grade: gradeOf, Stop: stop}
	if a.duration > 0 {
		c.Until = time.Now().Add(a.duration)
	}
	var writeErr error
	c.Kept = func(lane int, rec verbatim.Record) {
		if rec.Failure != nil {
			a.lastFailure[lane] = rec.Failure
		}
		if a.asJSON && writeErr == nil {
			writeErr = a.writeKept(lane, &rec)
		}
	}
	if !a.quiet {
		m := newMeter(a.env.Err, a.env.ErrWidth, time.Now)
		defer m.close()
		c.Progress = m.update
	}
	result, err := run.Run(abort, c)
	a.result = result
	if context.Cause(abort) == errInterrupted {
		return nil // conclude says how to continue
	}
	return errors.Join(err, writeErr)
}

// conclude prints the table and says what is left, how to continue, and by the
// exit code whether everything was answered.
func (a *asking) conclude(ctx, stop context.Context, on report.On) error {
	// The table is wanted after an interrupt too.
	ctx = context.WithoutCancel(ctx)
	left, answered := int64(0), int64(0)
	var kept []keptRun
	for _, r := range a.runs {
		tally, err := a.store.Tally(ctx, r.N)
		if err != nil {
			return err
		}
		left += a.plan.Count - tally.Answered()
		answered += tally.Answered()
		now, err := a.store.Find(ctx, fmt.Sprint(r.N), "")
		if err != nil {
			return err
		}
		kept = append(kept, keptRun{now, a.store})
	}
	// A table of nothing would hide the reason.
	if answered > 0 || a.asJSON {
		if err := a.summary(ctx, on, kept); err != nil {
			return err
		}
	}
	if left == 0 {
		return nil
	}
	what := fmt.Sprintf("%d of %d requests have no answer yet", left, a.plan.Count*int64(len(a.runs)))
	hint := "continue with: " + a.again()
	if context.Cause(stop) == errInterrupted {
		return &exitError{exitInterrupted, errors.New("interrupted: " + what), hint}
	}
	if why, advice := a.trouble(); why != "" {
		what += ": " + why
		if advice != "" {
			hint = advice + "; then " + hint
		}
	} else if a.duration > 0 {
		what += ": the time is up"
	}
	return failed(hint, "%s", what)
}

// trouble says why requests have no answer, as far as one sentence can, and what
// to do about it.
func (a *asking) trouble() (why, advice string) {
	for i, l := range a.result.Lanes {
		err := l.Err
		if err == nil && a.lastFailure[i] != nil {
			err = a.lastFailure[i]
		}
		if err == nil {
			continue
		}
		_, _, hint := describe(err)
		return report.Visible(err.Error()), hint
	}
	return "", ""
}

func (a *asking) summary(ctx context.Context, on report.On, runs []keptRun) error {
	in, err := inputs(ctx, on, runs)
	if err != nil {
		return err
	}
	r, err := report.Of(on, in...)
	if err != nil {
		return err
	}
	if a.asJSON {
		return a.writeSummary(r)
	}
	return report.Text(a.env.Out, r, a.env.style())
}

// again returns the command line that continues this one.
func (a *asking) again() string {
	words := []string{"verbatim"}
	for _, w := range a.env.Args {
		if w == "--new" || w == "--new=true" {
			continue
		}
		words = append(words, shellWord(w))
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word for a POSIX shell where it needs it.
func shellWord(w string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@%+", r)
	}
	if w != "" && !strings.ContainsFunc(w, func(r rune) bool { return !plain(r) }) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

func completeModels(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, p := range model.Providers() {
		names = append(names, p.Name+":")
	}
	for _, k := range model.SimKinds() {
		names = append(names, "sim:"+k.Name+"\t"+k.Doc)
	}
	slices.Sort(names)
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
