package cli

import (
	"context"
	"strconv"
	"time"

	"verbatim/internal/report"
	"verbatim/internal/shell"
	"verbatim/internal/verdict/earlystop"
)

// document makes what is printed of the outcome.
func (c *contest) document(ctx context.Context, t *earlystop.Result, begun time.Time) (*report.Check, error) {
	ctx = context.WithoutCancel(ctx)
	r := c.runs[0]
	spent, err := c.store.Spent(ctx, r.N)
	if err != nil {
		return nil, err
	}
	tally, err := c.store.Tally(ctx, r.N)
	if err != nil {
		return nil, err
	}
	doc := &report.Check{
		Kind: c.kind, Result: t, Metric: c.flags.on,
		Against: report.CheckedRun{N: c.base.N, Name: c.base.Name, Model: c.base.Model, Note: builtIn(&c.base.Run), Ref: c.ref},
		Run:     report.CheckedRun{N: r.N, Name: r.Name, Model: r.Model, Note: builtIn(&r), Ref: strconv.FormatInt(r.N, 10)},
		Cost:    report.Paid(spent, tally.Answered()), Seconds: time.Since(begun).Seconds(), Started: begun,
		Again: c.extended(t), Price: r.Price,
	}
	if c.file { // its number there would be taken for one of a run here
		doc.Against.N = 0
	}
	doc.Notes = c.notes
	if r.Model == c.base.Model {
		doc.Notes = append(doc.Notes, renamed(c.before, c.now)...)
	}
	if !t.Finished {
		doc.Ended, _ = c.trouble()
		switch {
		case c.outOfMoney():
			doc.Ended = "the budget does not suffice for the next items"
		case doc.Ended == "" && c.duration > 0:
			doc.Ended = "the time is up"
		}
	}
	doc.Complete()
	if c.kind != "check" && t.Pairs > 0 {
		doc.Advice = append(doc.Advice, report.Advice{Text: "All that was asked, by task and length:", Command: shell.Words("verbatim", "compare", c.ref, strconv.FormatInt(r.N, 10))})
	}
	return doc, nil
}

// extended returns the command line that goes on with the test: with more items,
// where those that were allowed are used up.
func (c *contest) extended(t *earlystop.Result) string {
	args := c.env.Args
	if t.Finished && c.flags.items > 0 {
		n := t.Items
		if t.ItemsNeeded != nil {
			n = min(t.Sent+*t.ItemsNeeded, n)
		}
		blocks := (n + t.Block - 1) / t.Block
		args = withFlag(withFlag(args, "--items", strconv.Itoa(blocks*t.Block)), "-n", strconv.Itoa(blocks*t.Block))
	}
	return c.env.commandLine(args)
}
