package app

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"verbatim/internal/errkind"
	"verbatim/internal/library"
	"verbatim/internal/report"

	"verbatim/internal/terminal"
)

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

// checks counts the checks of the baseline in the database, this one included.
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
	return n, err
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
