package verifying

import (
	"context"
	"errors"
	"fmt"
	"time"

	"verbatim/internal/app"
	"verbatim/internal/errkind"
	"verbatim/internal/report"
	"verbatim/internal/verdict/verification"
)

// Run compares the first endpoint with each of the others: both endpoints of a pair get the same
// prompts at the same time. A test that fails does not end the others.
func Run(stop, abort context.Context, a *app.App, o Options) (*report.Verifications, error) {
	e, err := a.OpenEndpoints(stop, o.Options)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	pairs, err := pairsOf(stop, e, o)
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		if p.err = p.run(stop, abort); errkind.IsInterrupted(stop) {
			break
		}
	}
	return document(stop, abort, pairs)
}

// run sends the requests of all probes, until the test is decided.
func (p *pair) run(stop, abort context.Context) error {
	p.begun = time.Now()
	logprobs, absence, err := p.compareLogprobs(stop, abort)
	if err == nil {
		err = p.compareTexts(stop, abort, logprobs, absence)
	}
	if err == nil && p.test.NeedsTools() {
		err = p.compareTools(stop, abort)
	}
	return err
}

// document closes all tests, and makes their document.
func document(stop, abort context.Context, pairs []*pair) (*report.Verifications, error) {
	results, err := combine(stop, pairs)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(abort), time.Minute)
	defer cancel()
	if err := closeTests(ctx, pairs, results); err != nil {
		return nil, err
	}
	doc := &report.Verifications{Alpha: pairs[0].options.Alpha}
	for i, p := range pairs {
		one, err := p.report(ctx, results[i])
		if err != nil {
			return nil, err
		}
		doc.Tests = append(doc.Tests, one)
	}
	doc.Complete()
	return doc, nil
}

// pairsOf returns the tests of a command: one for each endpoint after the first.
func pairsOf(ctx context.Context, e *app.Endpoints, o Options) (pairs []*pair, err error) {
	for other := 1; other < len(o.Models); other++ {
		p := &pair{endpoints: e, options: o, other: other}
		if err := p.refuseDifferentParameters(); err != nil {
			return nil, err
		}
		if p.earlier, err = p.countEarlier(ctx); err != nil {
			return nil, err
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}

// refuseDifferentParameters refuses two endpoints with different parameters of their own:
// the test would find the parameters.
func (p *pair) refuseDifferentParameters() error {
	a, b := p.endpoints.Params(0), p.endpoints.Params(p.other)
	if p.different = !app.SameParams(a, b); !p.different || p.options.AsTheyAre {
		return nil
	}
	return errkind.Usagef("give both the same in verbatim.toml, or on the command line; --as-they-are compares them with their parameters",
		"the models have different parameters: %s, and %s", report.ParameterText(a), report.ParameterText(b))
}

// combine returns the results of all pairs, with p values adjusted for all of them. It returns an error
// if the tests were interrupted, or if there is no result.
func combine(stop context.Context, pairs []*pair) (results []*verification.Result, err error) {
	settled, calls := 0, 0
	for _, p := range pairs {
		r := p.result()
		if results = append(results, r); r.Word.Settled() {
			settled++
		}
		calls += r.Calls
	}
	interrupted := errkind.IsInterrupted(stop)
	for _, p := range pairs {
		switch {
		case p.err == nil || errors.Is(p.err, context.Canceled) && interrupted:
		case interrupted, calls == 0, len(pairs) == 1:
			return nil, p.err
		}
	}
	switch {
	case interrupted && settled < len(pairs):
		what := pairs[0].progress()
		if len(pairs) > 1 {
			what = fmt.Sprintf("%d of %d tests have ended", settled, len(pairs))
		}
		return nil, pairs[0].endpoints.Interrupted(stop, what+", and there is no verdict yet")
	case calls == 0:
		return nil, pairs[0].unanswered(stop)
	}
	verification.Combine(results)
	return results, nil
}

// closeTests closes the tests with a verdict in the database, all tests of a command together: none is
// closed while another one has requests left to send. A test whose endpoint does not answer has no
// requests left.
func closeTests(ctx context.Context, pairs []*pair, results []*verification.Result) error {
	for i, r := range results {
		if !r.Word.Settled() && !r.TooMany && !r.Finished && pairs[i].err == nil {
			return nil
		}
	}
	now := time.Now() // one for all: their tests count as one
	for i, p := range pairs {
		if !results[i].Word.Settled() {
			continue
		}
		for _, r := range p.runs() {
			if err := p.endpoints.Store().CloseTest(ctx, r.N, string(results[i].Word), "", now); err != nil {
				return err
			}
		}
	}
	return nil
}

// kind is the kind of the Test of the runs.
const kind = "verify"

// Options say which endpoints are compared with the first, and with which prompts.
type Options struct {
	app.Options
	Selection  app.Selection // the plan without its trials; Seed is the start of the seeds
	Alpha      float64       // of all tests together
	Share      float64
	MaxMissing float64
	// Logprobs compares log probabilities, too, if both endpoints offer them.
	Logprobs bool
	// Tools counts calls of a tool among the exact answers, if both endpoints take tools.
	Tools bool
	// MixUpstreams compares the replies of all upstreams of an endpoint together.
	MixUpstreams bool
	// All runs all probes to the end, even after one has decided. AsTheyAre takes endpoints with
	// different parameters of their own, which are refused otherwise.
	All, AsTheyAre bool
}
