package verifying

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"verbatim"
	"verbatim/internal/library"
	"verbatim/internal/report"

	"verbatim/internal/store"
	"verbatim/internal/upstream"
	"verbatim/internal/verdict/verification"
)

// report returns the document of the test with a result.
func (p *pair) report(ctx context.Context, found *verification.Result) (*report.Verification, error) {
	doc := &report.Verification{Result: found, Earlier: p.earlier, Seconds: time.Since(p.begun).Seconds(), Started: p.begun, Again: p.endpoints.Continue(), Mixed: p.options.MixUpstreams}
	if p.begun.IsZero() {
		doc.Seconds = 0
	}
	for side := range p.sides() {
		doc.Sides[side].Model = p.name(side)
	}
	if p.texts != nil {
		for side, r := range p.texts.Runs() {
			var err error
			if doc.Sides[side], err = p.side(ctx, &r); err != nil {
				return nil, err
			}
		}
	}
	if p.different {
		for side, i := range p.sides() {
			doc.Sides[side].Params = report.ParameterText(p.endpoints.Params(i))
		}
	}
	if p.test != nil {
		doc.Sizes = p.test.Sizes()
	}
	if err := p.addCost(ctx, doc); err != nil {
		return nil, err
	}
	if err := p.addSent(ctx, doc); err != nil {
		return nil, err
	}
	for _, s := range p.stages {
		if s.probe != toolCalls || s.round == nil {
			continue
		}
		for side, r := range s.round.Runs() {
			doc.Called[side] = strconv.FormatInt(r.N, 10)
		}
	}
	if !doc.Finished {
		doc.Ended = p.ended()
	}
	doc.Complete()
	return doc, nil
}

// addCost adds what the runs of all probes have cost.
func (p *pair) addCost(ctx context.Context, doc *report.Verification) error {
	var spent store.Spending
	answered := int64(0)
	for _, r := range p.runs() {
		paid, err := p.endpoints.Store().Spending(ctx, r.N)
		if err != nil {
			return err
		}
		tally, err := p.endpoints.Store().Tally(ctx, r.N)
		if err != nil {
			return err
		}
		spent.Replies, spent.Attempts, spent.Unpriced = spent.Replies+paid.Replies, spent.Attempts+paid.Attempts, spent.Unpriced+paid.Unpriced
		answered += tally.Answered()
		doc.Paid = doc.Paid || !report.Free(r.Price, report.Paid(paid, tally.Answered()))
	}
	doc.Cost = report.Paid(spent, answered)
	return nil
}

// addSent adds the calls and tokens of the runs of all probes, and which upstreams failed.
func (p *pair) addSent(ctx context.Context, doc *report.Verification) error {
	failed := [2]upstream.Failures{{}, {}}
	for _, r := range p.rounds() {
		for side, run := range r.Runs() {
			for rec, err := range p.endpoints.Store().Records(ctx, run.N, store.Read{Attempts: true}) {
				if err != nil {
					return err
				}
				failed[side].Merge(upstream.FailedOf(&rec))
				if rec.Reply != nil && rec.Outcome.Answered() {
					doc.Sent[side].Add(rec.Reply.Usage)
				}
			}
		}
	}
	for side := range failed {
		doc.Sides[side].FailedUpstreams = failed[side]
	}
	return nil
}

// ended says why the test ended before it was finished; "" if that is not known.
func (p *pair) ended() (why string) {
	if p.err != nil {
		return p.err.Error()
	}
	for _, r := range p.rounds() {
		if why = r.Ended(); why != "" {
			return why
		}
	}
	if p.endpoints.TimeIsUp() {
		return "the time is up"
	}
	return ""
}

// side describes the run of one of the two endpoints, with the upstreams that its replies name.
func (p *pair) side(ctx context.Context, r *verbatim.Run) (report.VerifiedSide, error) {
	side := report.VerifiedSide{CheckedRun: report.CheckedRun{N: r.N, Name: r.Name, Model: r.Model, Note: library.BuiltInNote(r), Ref: strconv.FormatInt(r.N, 10)}}
	served := map[string]bool{}
	for rec, err := range p.endpoints.Store().Records(ctx, r.N, store.Read{Texts: true}) {
		if err != nil {
			return side, err
		}
		if name := report.ServedBy(&rec); name != "" {
			served[name] = true
		}
	}
	side.Served = slices.Sorted(maps.Keys(served))
	return side, nil
}
