package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/grade"
	"verbatim/internal/library"
	"verbatim/internal/model"
	"verbatim/internal/report"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/earlystop"
)

// TestOptions say which model is compared with which baseline, and how.
type TestOptions struct {
	Options
	Kind     string // "check" or "until-verdict"
	Baseline string // a name that Library.Find takes
	// Repeat takes the model of the baseline if Models is empty.
	Repeat    bool
	BoundName string // of Verdict.Bound: "margin" or "rope"
	Verdict   earlystop.Options
	Metric    report.Metric
}

// A sequentialTest is a job that ends when the test of its run against a saved run, the
// baseline, has a verdict. Items, prompts, token limits and parameters are the baseline's.
type sequentialTest struct {
	Job
	// Tested is the state of the test at the end.
	Tested *earlystop.Result

	options  TestOptions
	together int    // models whose verdicts hold together
	ref      string // the name of the baseline in printed commands
	file     bool   // the baseline is in an exported file
	base     library.SavedRun
	baseline *earlystop.Baseline
	test     *earlystop.Test
	// foreignExtra says that the extra parameters of the baseline are not sent.
	foreignExtra bool
	notes        []report.Warning // printed next to the numbers
	// before and now are the names that servers gave the model, in the baseline and now, for the
	// items that this command sent.
	before, now servedModels
}

// Test sends items of the baseline to each model, one after the other, until there is a verdict. The error
// rate holds for the verdicts on all models together. The tests must be closed before the library.
func (a *App) Test(stop, abort context.Context, lib *library.Library, o TestOptions) ([]*sequentialTest, error) {
	tests, err := a.openTests(stop, abort, lib, o)
	until := time.Now().Add(o.MaxTime)
	for i, t := range tests {
		if err == nil {
			if len(tests) > 1 {
				a.note("Model %d of %d: %s", i+1, len(tests), t.runs[0].Model)
			}
			if o.MaxTime > 0 {
				t.Job.options.MaxTime = max(1, time.Until(until))
			}
			err = t.send(stop, abort)
		}
	}
	if err == nil {
		err = a.settle(stop, abort, tests)
	}
	if err != nil {
		for _, t := range tests {
			t.Close()
		}
		return nil, err
	}
	return tests, nil
}

// openTests reads the baseline, and opens a test for each model. Mistakes in any of them are found before
// the first request.
func (a *App) openTests(stop, abort context.Context, lib *library.Library, o TestOptions) (tests []*sequentialTest, err error) {
	first := &sequentialTest{options: o}
	err = first.findBaseline(abort, lib)
	for i := 0; err == nil && i < max(1, len(o.Models)); i++ {
		t := *first
		t.Job = Job{app: a, options: o.Options}
		t.notes = slices.Clone(first.notes)
		t.together = max(1, len(o.Models))
		tests = append(tests, &t)
		if len(o.Models) > 0 {
			t.Job.options.Models = o.Models[i : i+1]
		} else if o.Repeat {
			err = t.repeatModel(abort)
		}
		if err == nil {
			err = t.Job.open(stop, over(t.base.Params, o.Params))
		}
	}
	for _, t := range tests {
		if err == nil {
			t.budget = tests[0].budget
			err = t.begin(stop)
		}
	}
	return tests, err
}

// repeatModel takes the model of the baseline. A server that was found on this machine and not named
// gets no key this time either.
func (t *sequentialTest) repeatModel(ctx context.Context) error {
	name, found, err := t.app.Repeatable(ctx, t.base, t.options.ModelOptions)
	t.Job.options.Models, t.Job.options.ModelOptions.Discovered = []string{name}, found
	return err
}

// findBaseline finds and reads the baseline.
func (t *sequentialTest) findBaseline(ctx context.Context, lib *library.Library) (err error) {
	ref := t.options.Baseline
	if ref == "last" {
		if ref, err = lastOrdinary(ctx, lib); err != nil {
			return err
		}
	}
	if t.base, err = lib.Find(ctx, ref); err != nil {
		return err
	}
	t.ref = strconv.FormatInt(t.base.N, 10)
	if t.file = !lib.Holds(t.base); t.file {
		t.ref = ref
	}
	graders, err := t.base.Store.Graders(ctx, t.base.N)
	if err != nil {
		return err
	}
	for g := range graders {
		if err := refuseOldGrader(g, t.base.Name); err != nil {
			return err
		}
	}
	t.baseline, err = earlystop.ReadBaseline(t.base.Run, t.base.Store.Records(ctx, t.base.N, t.read()), t.options.Metric.Score)
	if err != nil {
		return err
	}
	if n := t.base.Plan.Count / int64(max(t.base.Plan.Trials, 1)); int64(t.baseline.Items()) < n {
		t.notes = append(t.notes, report.Warning{Kind: "unfinished",
			Text: fmt.Sprintf("The baseline is not finished: %d of its %d items are there.", t.baseline.Items(), n)})
	}
	return nil
}

// lastOrdinary returns the number of the newest run that belongs to no test. This is the meaning of
// "last" for a baseline: the newest run may be that of an earlier test. Without such a run it
// returns "last", for which Library.Find returns the error.
func lastOrdinary(ctx context.Context, lib *library.Library) (string, error) {
	s, err := lib.Database(ctx)
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

// refuseOldGrader refuses a baseline whose answers were graded by another version of a grader.
func refuseOldGrader(grader, run string) error {
	if slices.ContainsFunc(grade.Names(), func(name string) bool { return grader == grade.Current(name) }) {
		return nil
	}
	if grader == "published" {
		return errkind.Usagef("name a run of this program, or one that was imported with its answers",
			"run %s holds published scores and no answers: they cannot be compared with answers that are graded here", run)
	}
	return errkind.Usagef("grade it again: verbatim regrade "+terminal.ShellWord(run),
		"the answers of run %s were graded by %s, and this program grades by other rules", run, grader)
}

// read returns the parts of records that the test needs.
func (t *sequentialTest) read() store.Read {
	return store.Read{Scores: true, Measures: library.Measured(t.options.Metric)}
}

// begin finds or makes the run of the test, and its lane.
func (t *sequentialTest) begin(ctx context.Context) error {
	of := t.targets[0]
	t.plan = Plan{Plan: t.base.Plan}
	if err := t.refuseForeignExtra(ctx, of); err != nil {
		return err
	}
	params := t.parameters(of)
	want := t.app.runOf(of, t.base.Plan, params)
	want.Test = &verbatim.Test{Kind: t.options.Kind, Baseline: t.base.Name, Settings: t.settings()}
	r, existed, err := t.beginRun(ctx, want, of)
	if err != nil {
		return err
	}
	if err := t.announce(ctx, r, existed); err != nil {
		return err
	}
	t.runs = []verbatim.Run{r}
	if err := t.openBudget(ctx); err != nil {
		return err
	}
	t.compared = true
	lane, err := t.lane(r, of)
	if err != nil {
		return err
	}
	jobs := t.pacers[0].Concurrency
	if t.options.Pace.Concurrency == 0 && jobs > maxTestInFlight {
		jobs = 0 // tuned during the run
	}
	if err := t.prepare(ctx, r.Params, jobs); err != nil {
		return err
	}
	lane.Batch = nil
	lane.Source = func(*store.Positions) (verbatim.Source, error) { return t.source(ctx, r) }
	t.lanes = []run.Lane{lane}
	t.progressText = t.progress
	t.before, t.now = servedModels{}, servedModels{}
	t.watch = t.now.add
	return nil
}

// announce notes that the test continues an earlier one, or that one with the same settings is
// closed: a test that is repeated until its verdict changes has no guaranteed error rate.
func (t *sequentialTest) announce(ctx context.Context, r verbatim.Run, existed bool) error {
	if existed {
		tally, err := t.store.Tally(ctx, r.N)
		if err == nil {
			t.app.note("Continuing run %d (%s): %d items are answered.", r.N, r.Name, tally.Answered())
		}
		return err
	}
	list, err := t.store.Runs(ctx)
	if err != nil {
		return err
	}
	for _, old := range slices.Backward(list) {
		if closed := old.Test; closed != nil && closed.Verdict != "" && sameTest(&old.Run, &r) {
			t.app.note("This is a new test. The last one of the same settings, run %d (%s), said: %s.", old.N, old.Name, terminal.Visible(closed.Verdict))
			break
		}
	}
	return nil
}

// sameTest reports whether the tests of two runs have the same settings, model and parameters.
func sameTest(a, b *verbatim.Run) bool {
	return a.Test.Kind == b.Test.Kind && a.Test.Baseline == b.Test.Baseline && maps.Equal(a.Test.Settings, b.Test.Settings) &&
		a.Model == b.Model && SameParams(a.Params, b.Params)
}

// progress describes how far the test is.
func (t *sequentialTest) progress() string {
	s := t.test.Progress()
	text := fmt.Sprintf("%d of at most %d items", s.Pairs, s.Allowed)
	if s.Difference != nil {
		text += fmt.Sprintf("; difference %+.3f", *s.Difference)
	}
	return text
}

// maxTestInFlight bounds the requests in flight of a test if the user sets no number: those that are
// in flight at the verdict are of no use.
const maxTestInFlight = 32

// refuseForeignExtra returns an error if the baseline has extra parameters that no command of this
// user has sent, and the command line does not say which ones to send. They are sent unchanged, and
// may multiply the cost of a request or make a provider contact other servers.
func (t *sequentialTest) refuseForeignExtra(ctx context.Context, of target) error {
	extra := t.base.Params.Extra
	if len(extra) == 0 || model.IsBuiltIn(of.Name, of.options) {
		return nil
	}
	known, err := t.app.isProved(ctx, t.base, of.options)
	if known || err != nil {
		return err
	}
	t.foreignExtra = true
	if t.options.Params.Extra != nil {
		return nil
	}
	text, err := json.Marshal(extra)
	if err != nil {
		return err
	}
	hint := "name those that are to be sent with --extra; --extra '{}' sends none"
	if shown := terminal.Visible(string(text)); shown == string(text) {
		hint = "to send them too: " + t.app.commandLine(setFlag(t.app.Args, shown, "--extra")) + "; --extra '{}' sends none"
	}
	return errkind.Usagef(hint, "run %s was sent with extra parameters, and not by a command of yours here: a file or a database does not decide what else is sent", t.base.Name)
}

// parameters returns those of the baseline, overridden by the model's entry in verbatim.toml and by
// the command line. It adds a note if they differ from the baseline's.
func (t *sequentialTest) parameters(of target) verbatim.Params {
	base := t.base.Params
	if t.foreignExtra {
		base.Extra = nil
	}
	p := over(over(base, of.Params), t.options.Params)
	if n := t.options.ReasoningTokens; n != nil {
		p.ReasoningTokens = *n
	}
	if !SameParams(p, t.base.Params) {
		t.notes = append(t.notes, report.Warning{Kind: "parameters",
			Text: fmt.Sprintf("The model gets other parameters than the baseline: %s instead of %s.", report.ParameterText(p), report.ParameterText(t.base.Params))})
	}
	return p
}

// settings returns the settings by which two tests differ. The maximum number of items is not one of
// them: an undecided test is continued with more.
func (t *sequentialTest) settings() map[string]string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	return map[string]string{
		t.options.BoundName: number(t.options.Verdict.Bound),
		"alpha":             number(t.options.Verdict.Alpha / float64(t.together)),
		"scope":             string(t.options.Verdict.Scope),
		"metric":            string(t.options.Metric),
		"baseline":          t.base.Started.UTC().Format(time.RFC3339Nano),
		"items":             strconv.Itoa(t.baseline.Items()),
	}
}

// prepare makes the test.
func (t *sequentialTest) prepare(ctx context.Context, params verbatim.Params, jobs int) (err error) {
	o := t.options.Verdict
	o.Alpha /= float64(t.together)
	o.Jobs = jobs
	o.Params = params
	o.Record = func(seq int64) (verbatim.Record, error) { return t.record(ctx, seq) }
	limits := tokenLimits(params)
	o.Limits = func(rec *verbatim.Record) (reply, content int) {
		if rec.MaxTokens > 0 && params.ReasoningTokens == 0 && t.base.Params.ReasoningTokens == 0 {
			return rec.MaxTokens, rec.MaxTokens
		}
		return limits(rec.Item)
	}
	if t.options.Kind == "check" {
		t.test, err = earlystop.NewGate(t.baseline, o)
	} else {
		t.test, err = earlystop.NewROPETest(t.baseline, o)
	}
	return err
}

// record reads the record of the baseline at a position.
func (t *sequentialTest) record(ctx context.Context, seq int64) (verbatim.Record, error) {
	for rec, err := range t.base.Store.Records(ctx, t.base.N, store.Read{Texts: true, From: seq, Positions: 1}) {
		t.before.add(&rec)
		return rec, err
	}
	return verbatim.Record{}, errkind.Damagedf("run %s no longer has a record at position %d", t.base.Name, seq)
}

// source returns the test, with the records that earlier commands saved.
func (t *sequentialTest) source(ctx context.Context, r verbatim.Run) (verbatim.Source, error) {
	err := t.test.Resume(t.store.Records(ctx, r.N, t.read()))
	return t.test, err
}

// settle sets the states of tests that have ended. They are closed in the store, those that have a
// verdict, once none of them is to be continued.
func (a *App) settle(stop, abort context.Context, tests []*sequentialTest) error {
	var gates []*earlystop.Test
	for _, t := range tests {
		for _, l := range t.result.Lanes {
			if _, ok := errors.AsType[*verbatim.Failure](l.Err); l.Err != nil && !ok && !errkind.IsInterrupted(stop) {
				return l.Err // it does not come from the endpoint
			}
		}
		gates = append(gates, t.test)
	}
	if len(tests) > 1 {
		if err := earlystop.Together(gates, tests[0].options.Verdict.Alpha); err != nil {
			return err
		}
	}
	over := true
	for _, t := range tests {
		var err error
		if t.Tested, err = t.test.Result(); err != nil {
			return err
		}
		over = over && t.Tested.Finished
	}
	ctx := abort
	if abort.Err() != nil { // after an interrupt the verdicts are saved too, within a time limit
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(abort), 5*time.Second)
		defer cancel()
	}
	for _, t := range tests {
		if over && t.Tested.Word.Settled() {
			if err := t.store.CloseTest(ctx, t.runs[0].N, string(t.Tested.Word), "", time.Now()); err != nil {
				return err
			}
		}
	}
	return nil
}

// servedModels is the set of names that servers gave a model in their replies.
type servedModels map[string]bool

func (s servedModels) add(rec *verbatim.Record) {
	if rec.Reply != nil && rec.Reply.ServedModel != "" {
		s[rec.Reply.ServedModel] = true
	}
}

func (s servedModels) String() string {
	return strings.Join(slices.Sorted(maps.Keys(s)), ", ")
}

// renamed returns a warning if the server gives the model other names now. It returns nil if they are
// the same or unknown. A provider that replaces the model behind a name often shows it this way.
func (s servedModels) renamed(now servedModels) []report.Warning {
	if len(s) == 0 || len(now) == 0 || maps.Equal(s, now) {
		return nil
	}
	return []report.Warning{{Kind: "served_models", Text: fmt.Sprintf("The server gives the model another name than in the baseline: %v instead of %v.", now, s)}}
}

// Report returns the report of a test that began at this time.
func (t *sequentialTest) Report(ctx context.Context, begun time.Time) (*report.Check, error) {
	ctx = context.WithoutCancel(ctx)
	r, end := t.runs[0], t.Tested
	spent, err := t.store.Spending(ctx, r.N)
	if err != nil {
		return nil, err
	}
	tally, err := t.store.Tally(ctx, r.N)
	if err != nil {
		return nil, err
	}
	doc := &report.Check{
		Kind: t.options.Kind, Result: end, Metric: t.options.Metric,
		Against: report.CheckedRun{N: t.base.N, Name: t.base.Name, Model: t.base.Model, Note: library.BuiltInNote(&t.base.Run), Ref: t.ref},
		Run:     report.CheckedRun{N: r.N, Name: r.Name, Model: r.Model, Note: library.BuiltInNote(&r), Ref: strconv.FormatInt(r.N, 10)},
		Cost:    report.Paid(spent, tally.Answered()), Seconds: time.Since(begun).Seconds(), Started: begun,
		Again: t.extended(), Price: r.Price,
	}
	if t.together > 1 {
		doc.Together, doc.AlphaTogether = t.together, t.options.Verdict.Alpha
	}
	if t.file { // the number is not that of a run in this database
		doc.Against.N = 0
	}
	if doc.Checks, err = t.checks(ctx); err != nil {
		return nil, err
	}
	doc.Notes = t.notes
	if r.Model == t.base.Model {
		doc.Notes = append(doc.Notes, t.before.renamed(t.now)...)
	}
	if !end.Finished {
		doc.Ended = t.ended("items")
	}
	doc.Complete()
	if t.options.Kind != "check" && end.Pairs > 0 {
		doc.Advice = append(doc.Advice, report.Advice{Text: "All items that were sent, by task and length:", Command: terminal.ShellWords("verbatim", "compare", t.ref, strconv.FormatInt(r.N, 10))})
	}
	return doc, nil
}

// checks counts the checks of the baseline in the database, this command's as one.
func (t *sequentialTest) checks(ctx context.Context) (n int, err error) {
	if t.options.Kind != "check" {
		return 0, nil
	}
	runs, err := t.store.Runs(ctx)
	for i := range runs {
		if test := runs[i].Test; test != nil && test.Kind == "check" && test.Baseline == t.base.Name {
			n++
		}
	}
	return n - (t.together - 1), err // those of one command are one
}

// extended returns the command line that continues the test. If all allowed items are used, it allows
// more.
func (t *sequentialTest) extended() string {
	args, end := t.app.Args, t.Tested
	if end.Finished && t.options.Verdict.Items > 0 {
		n := end.Items
		if end.ItemsNeeded != nil {
			n = min(end.Sent+*end.ItemsNeeded, n)
		}
		blocks := (n + end.Block - 1) / end.Block
		args = setFlag(args, strconv.Itoa(blocks*end.Block), "--items", "-n")
	}
	return t.app.commandLine(args)
}

// NoOutcome returns an error if there is no outcome to print: the test was interrupted before its
// end, or no item could be compared.
func (t *sequentialTest) NoOutcome(stop context.Context) error {
	hint, end := "continue with: "+t.app.CommandLine(), t.Tested
	switch {
	case end.Finished && end.Pairs > 0:
		return nil
	case errkind.IsInterrupted(stop):
		return &errkind.Error{Kind: errkind.Interrupted, Err: fmt.Errorf("interrupted: %d of at most %d items are compared, and there is no verdict yet", end.Pairs, end.Allowed), Hint: hint}
	case end.Pairs > 0:
		return nil
	}
	why, advice := t.trouble()
	if t.outOfMoney() {
		why, advice = "the budget does not suffice for the first items", ""
	}
	if why != "" {
		why = ": " + why
	}
	if advice != "" {
		hint = advice + "; then " + hint
	}
	return errkind.Runtimef(hint, "not one item could be compared%s", why)
}

// Missing returns the error of a test that ended before its verdict, or with items that have no
// answer; nil otherwise.
func (t *sequentialTest) Missing() error {
	hint, end := "continue with: "+t.app.CommandLine(), t.Tested
	switch {
	case !end.Finished:
		return errkind.Runtimef(hint, "the test ended after %d of at most %d items, without a verdict", end.Pairs, end.Allowed)
	case end.Unanswered > 0 && end.Word.Settled():
		return errkind.Runtimef("", "%d of %d items that were sent have no answer", end.Unanswered, end.Unanswered+end.Pairs)
	case end.Unanswered > 0:
		return errkind.Runtimef(hint, "%d of %d items that were sent have no answer yet", end.Unanswered, end.Unanswered+end.Pairs)
	}
	return nil
}
