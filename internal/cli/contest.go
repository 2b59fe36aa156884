package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/model"
	"verbatim/internal/pace"
	"verbatim/internal/report"
	"verbatim/internal/run"
	"verbatim/internal/shell"
	"verbatim/internal/store"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/earlystop"
)

// A contest is a run that is asked until a test of it against a kept run, the
// baseline, has a verdict. Items, prompts, token limits and parameters are the
// baseline's.
type contest struct {
	*asking
	flags    *testFlags
	kind     string // of the run's Test
	ref      string // what names the baseline on a command line
	file     bool   // the baseline is in an exported file
	base     keptRun
	found    bool // the model's server had been found, and is sent no key
	graders  []string
	baseline *earlystop.Baseline
	test     *earlystop.Test
	// foreignExtra says that the extra parameters of the baseline are not sent.
	foreignExtra bool
	notes        []report.Warning // what must be said next to the numbers
	// The names that servers gave the model, of the items that this call has asked.
	before, now served
}

// find reads the baseline that ref names.
func (c *contest) find(ctx context.Context, lib *library, ref string) (err error) {
	if ref == "last" {
		if ref, err = lastWhole(ctx, lib); err != nil {
			return err
		}
	}
	if c.base, err = lib.find(ctx, ref); err != nil {
		return err
	}
	c.ref = strconv.FormatInt(c.base.N, 10)
	if c.file = c.base.store != lib.main; c.file {
		c.ref = ref
	}
	if c.graders, err = c.base.store.Common(ctx, c.base.N); err != nil {
		return err
	}
	for _, g := range c.graders {
		if err := current(g, c.base.Name); err != nil {
			return err
		}
	}
	c.baseline, err = earlystop.ReadBaseline(c.base.Run, c.base.store.Records(ctx, c.base.N, c.read()), c.flags.on.Score)
	if err != nil {
		return err
	}
	if n := c.base.Plan.Count / int64(max(c.base.Plan.Trials, 1)); int64(c.baseline.Items()) < n {
		c.notes = append(c.notes, report.Warning{Kind: "unfinished",
			Text: fmt.Sprintf("The baseline is not finished: %d of its %d items are there.", c.baseline.Items(), n)})
	}
	return nil
}

// lastWhole names the newest run that is not a test's own: the run that "last" means
// where a test is repeated, which is itself the newest by then. Without one it is
// "last", and what is wrong with that is said where it is read.
func lastWhole(ctx context.Context, lib *library) (string, error) {
	s, err := lib.database(ctx)
	if err != nil {
		return "", err
	}
	list, err := s.Runs(ctx)
	if err != nil {
		return "", err
	}
	for _, r := range slices.Backward(list) {
		if r.Test == nil {
			return strconv.FormatInt(r.N, 10), nil
		}
	}
	return "last", nil
}

// current refuses a baseline whose answers were graded by other rules than those
// that new answers are graded by.
func current(grader, run string) error {
	for _, name := range grade.Names() {
		if grader == grade.Current(name) {
			return nil
		}
	}
	if grader == "published" {
		return misused("name a run that was asked here, or one that was imported with its answers",
			"run %s holds published scores and no answers: they cannot be compared with answers that are graded here", run)
	}
	return misused("grade it again: verbatim regrade "+shell.Word(run),
		"the answers of run %s were graded by %s, and this program grades by other rules now", run, grader)
}

// read says what of records a test needs.
func (c *contest) read() store.Read {
	return store.Read{Graders: c.graders, Scores: true, Measures: c.flags.measures()}
}

// begin finds or makes the run that is asked, and its lane.
func (c *contest) begin(ctx context.Context, t target) error {
	c.plan = planned{Plan: c.base.Plan}
	if err := c.ownExtra(ctx, t); err != nil {
		return err
	}
	params, err := c.parameters(t)
	if err != nil {
		return err
	}
	want := t.runOf(c.base.Plan, params)
	want.Test = &verbatim.Test{Kind: c.kind, Baseline: c.base.Name, Settings: c.settings()}
	r, existed, err := c.store.Begin(ctx, want, c.fresh)
	if err != nil {
		return err
	}
	if err := c.env.prove(ctx, c.store, r, t.options); err != nil {
		return err
	}
	if err := c.tell(ctx, r, existed); err != nil {
		return err
	}
	c.runs = []verbatim.Run{r}
	if c.limit != nil {
		if err := c.open(ctx, pace.NewBudget(*c.limit, 0)); err != nil {
			return err
		}
	}
	lane, err := c.lane(r, t)
	if err != nil {
		return err
	}
	jobs := c.pacers[0].Jobs
	if c.pacing.jobs == 0 && jobs > mostAhead {
		jobs = 0 // found out while asking
	}
	if err := c.prepare(ctx, r.Params, jobs); err != nil {
		return err
	}
	lane.Batch = nil
	lane.Source = func(*store.Places) (verbatim.Source, error) { return c.source(ctx, r) }
	c.lanes = []run.Lane{lane}
	c.lastFailure = make([]*verbatim.Failure, 1)
	c.standing = c.far
	c.before, c.now = served{}, served{}
	c.watch = c.now.add
	return nil
}

// tell says whether the test goes on with an earlier one, or follows one that is
// closed: who repeats a test until it says something else should know.
func (c *contest) tell(ctx context.Context, r verbatim.Run, existed bool) error {
	if existed {
		tally, err := c.store.Tally(ctx, r.N)
		if err == nil {
			writeNote(c.env, "Continuing run %d (%s): %d items are answered.", r.N, r.Name, tally.Answered())
		}
		return err
	}
	list, err := c.store.Runs(ctx)
	if err != nil {
		return err
	}
	for _, old := range slices.Backward(list) {
		if t := old.Test; t != nil && t.Verdict != "" && t.Kind == c.kind && t.Baseline == r.Test.Baseline && maps.Equal(t.Settings, r.Test.Settings) &&
			old.Model == r.Model && sameParams(old.Params, r.Params) {
			writeNote(c.env, "This is a new test. The last one of the same settings, run %d (%s), said: %s.", old.N, old.Name, terminal.Visible(t.Verdict))
			break
		}
	}
	return nil
}

// far says how far the test is.
func (c *contest) far() string {
	s := c.test.Progress()
	text := fmt.Sprintf("%d of at most %d items", s.Pairs, s.Allowed)
	if s.Difference != nil {
		text += fmt.Sprintf("; difference %+.3f", *s.Difference)
	}
	return text
}

// mostAhead bounds the requests in flight of a test where nobody has named their
// number: as many are asked in vain when the verdict comes.
const mostAhead = 32

// ownExtra makes the user say which extra parameters are sent where those of the
// baseline are somebody else's: they are sent as they are, and may multiply what a
// request costs or have a provider ask other servers.
func (c *contest) ownExtra(ctx context.Context, t target) error {
	extra := c.base.Params.Extra
	if len(extra) == 0 || model.IsBuiltIn(t.Name, t.options) {
		return nil
	}
	known, err := c.env.isProved(ctx, c.base, t.options)
	if known || err != nil {
		return err
	}
	if c.foreignExtra = true; c.call.extra != "" {
		return nil
	}
	text, err := json.Marshal(extra)
	if err != nil {
		return err
	}
	hint := "name those that are to be sent with --extra; --extra '{}' sends none"
	if shown := terminal.Visible(string(text)); shown == string(text) {
		hint = "to send them too: " + c.env.commandLine(setFlag(c.env.Args, shown, "--extra")) + "; --extra '{}' sends none"
	}
	return misused(hint, "run %s was asked with extra parameters, and not by a command of yours here: a file or a database does not decide what else is sent", c.base.Name)
}

// parameters are the baseline's, but for what the model's entry in verbatim.toml
// or the command line say.
func (c *contest) parameters(t target) (verbatim.Params, error) {
	base := c.base.Params
	if c.foreignExtra {
		base.Extra = nil
	}
	p := over(over(base, t.Params), c.params)
	if c.thinking != "auto" {
		n, err := strconv.Atoi(c.thinking)
		if err != nil {
			return p, err
		}
		p.ReasoningTokens = n
	}
	if !sameParams(p, c.base.Params) {
		c.notes = append(c.notes, report.Warning{Kind: "parameters",
			Text: fmt.Sprintf("The model is asked with other parameters than the baseline: %s instead of %s.", report.Parameters(p), report.Parameters(c.base.Params))})
	}
	return p, nil
}

// settings are what tells tests apart. The number of items is not among them: an
// undecided test is continued with more.
func (c *contest) settings() map[string]string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	return map[string]string{
		c.flags.boundName: number(c.flags.bound),
		"alpha":           number(c.flags.alpha),
		"scope":           c.flags.scope,
		"metric":          string(c.flags.on),
		"baseline":        c.base.Started.UTC().Format(time.RFC3339Nano),
		"items":           strconv.Itoa(c.baseline.Items()),
	}
}

// prepare makes the test, before anything is asked.
func (c *contest) prepare(ctx context.Context, params verbatim.Params, jobs int) (err error) {
	o := c.flags.options()
	o.Jobs = jobs
	o.Params = params
	o.Record = func(seq int64) (verbatim.Record, error) { return c.record(ctx, seq) }
	o.MaxTokens = func(rec *verbatim.Record) int {
		if rec.MaxTokens > 0 && params.ReasoningTokens == c.base.Params.ReasoningTokens {
			return rec.MaxTokens
		}
		return task.MaxTokens(rec.Item, params.ReasoningTokens)
	}
	if c.kind == "check" {
		c.test, err = earlystop.NewGate(c.baseline, o)
	} else {
		c.test, err = earlystop.NewROPETest(c.baseline, o)
	}
	return err
}

// record reads what the baseline was asked at a place.
func (c *contest) record(ctx context.Context, seq int64) (verbatim.Record, error) {
	for rec, err := range c.base.store.Records(ctx, c.base.N, store.Read{Graders: c.graders, Texts: true, From: seq, Places: 1}) {
		c.before.add(&rec)
		return rec, err
	}
	return verbatim.Record{}, failed("`verbatim runs --verify` says whether the database is damaged", "run %s has no record at place %d any more", c.base.Name, seq)
}

// source is the test with what earlier calls have kept.
func (c *contest) source(ctx context.Context, r verbatim.Run) (verbatim.Source, error) {
	err := c.test.Resume(c.store.Records(ctx, r.N, c.read()))
	return c.test, err
}

// settle closes the test in the store when it has a verdict, and returns what it
// has come to.
func (c *contest) settle(stop, abort context.Context) (*earlystop.Result, error) {
	var f *verbatim.Failure
	for _, l := range c.result.Lanes {
		if l.Err != nil && !errors.As(l.Err, &f) && context.Cause(stop) != errInterrupted {
			return nil, l.Err // no trouble of the endpoint
		}
	}
	tested, err := c.test.Result()
	if err != nil || !tested.Word.Settled() {
		return tested, err
	}
	ctx := abort
	if abort.Err() != nil { // the verdict is saved after an interrupt too, if that can be done soon
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(abort), 5*time.Second)
		defer cancel()
	}
	return tested, c.store.Conclude(ctx, c.runs[0].N, string(tested.Word), time.Now())
}
