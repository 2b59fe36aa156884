package verifying

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/draw"
	"verbatim/internal/report"
	"verbatim/internal/task"
	"verbatim/internal/verdict/verification"
)

// runStage sends the requests of a stage, and continues a stage of that name that was begun before.
func (p *pair) runStage(stop, abort context.Context, s *stage) error {
	p.stages = append(p.stages, s)
	plan, err := app.PlanOf(kind, s.test.Items())
	if err != nil {
		return err
	}
	var runs []verbatim.Run
	s.round, err = p.endpoints.Round(stop, abort, app.RoundOptions{
		Of: p.sides(), Plan: plan, InFlight: s.inFlight, Quiet: true, KeepGoing: true,
		Run: func(side int, r *verbatim.Run) {
			s.params(&r.Params)
			r.Test = &verbatim.Test{Kind: kind, Settings: p.settings(side)}
			r.Test.Settings["probe"] = string(s.probe)
		},
		Begun: func(begun []verbatim.Run) error { runs = begun; return nil },
		Resume: func(side int, rec *verbatim.Record) error {
			s.test.Resume(side, rec)
			return nil
		},
		Finished: s.test.Ended,
		Source: func(side int) verbatim.Source {
			source := &ownParams{Source: s.test.Source(side), params: runs[side].Params}
			if s.limits != nil {
				source.limits = s.limits(source.params)
			}
			return source
		},
		Progress: func() string {
			ended, all := s.test.Progress()
			return fmt.Sprintf("%d of %d %s", ended, all, s.what)
		},
	})
	return err
}

// A stage is a probe with requests of its own, or the calls of a tool. It has runs of its own, because
// its requests have other parameters than the texts.
type stage struct {
	probe    verification.ProbeName // or toolCalls
	test     stageTest
	params   func(*verbatim.Params) // changes the parameters of the runs
	inFlight int
	limits   func(verbatim.Params) func(*verbatim.Item) (reply, content int) // nil: the requests have their limits
	what     string                                                          // names the requests in the progress line
	round    *app.Round
}

// A stageTest holds the requests of a stage. side is 0 or 1.
type stageTest interface {
	Items() []verbatim.Item
	Resume(side int, rec *verbatim.Record)
	Source(side int) verbatim.Source
	Progress() (ended, all int)
	Ended() bool // nothing is left to send
}

// A pair is the test of the first endpoint and another one.
type pair struct {
	endpoints *app.Endpoints
	options   Options
	other     int  // index of the second side
	different bool // the endpoints have different parameters of their own

	test    *verification.Test // nil: the texts are not compared yet
	plan    app.Plan           // of the texts
	prompts int                // of the texts
	texts   *app.Round         // nil: not begun
	stages  []*stage           // of the probes with requests of their own
	earlier int                // finished tests of the same pair
	begun   time.Time
	err     error // why the test ended early; nil: it did not
}

// sides are the indexes of the two endpoints.
func (p *pair) sides() []int { return []int{0, p.other} }

// name returns the name of a side.
func (p *pair) name(side int) string { return p.endpoints.Of(p.sides()[side]).Name }

// tests is the number of tests of the command.
func (p *pair) tests() int { return len(p.options.Models) - 1 }

// seed is the seed of the prompts of this test.
func (p *pair) seed() uint64 {
	return draw.Rand("verify", 1, p.names(), p.options.Selection.Seed, uint64(p.earlier)).Uint64() >> 12
}

// upstream says who served a reply; nil if all replies are compared together.
func (p *pair) upstream() verification.Upstream {
	if p.options.MixUpstreams {
		return nil
	}
	return report.ServedBy
}

// names is a text that names the two endpoints.
func (p *pair) names() string { return p.name(0) + "\n" + p.name(1) }

// settings are the settings by which the runs of this test are found again. The other endpoint is one
// of them, so that two verifications never share a run.
func (p *pair) settings(side int) map[string]string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	settings := map[string]string{
		"other": p.name(1 - side),
		"side":  verification.Names()[side],
		"alpha": number(p.options.Alpha / float64(p.tests())),
		"share": number(p.options.Share),
	}
	if p.options.MixUpstreams {
		settings["upstreams"] = "mixed"
	}
	return settings
}

// countEarlier counts the finished tests of the same two endpoints. Those of one command count as one
// test: they were closed at one time.
func (p *pair) countEarlier(ctx context.Context) (int, error) {
	closed := map[time.Time]bool{}
	runs, err := p.endpoints.Store().Runs(ctx)
	for i := range runs {
		if t := runs[i].Test; t != nil && t.Kind == kind && t.Verdict != "" && runs[i].Model == p.name(0) &&
			t.Settings["other"] == p.name(1) && t.Settings["side"] == verification.Names()[0] && t.Settings["probe"] == "" { // every test has runs of the texts
			closed[t.Closed.UTC()] = true
		}
	}
	return len(closed), err
}

// result returns what the test shows so far.
func (p *pair) result() *verification.Result {
	if p.test == nil {
		return verification.Unsent(p.options.Alpha, p.tests())
	}
	return p.test.Result()
}

// progress says how far the test is.
func (p *pair) progress() string {
	if n := len(p.stages); n > 0 && (p.test == nil || p.test.NeedsTools()) {
		ended, all := p.stages[n-1].test.Progress()
		return fmt.Sprintf("%d of at most %d %s have ended", ended, all, p.stages[n-1].what)
	}
	ended, all := 0, p.prompts
	if p.test != nil {
		ended, all = p.test.Progress()
	}
	return fmt.Sprintf("%d of at most %d prompts are compared", ended, all)
}

// rounds returns the rounds of all probes, the one of the texts first.
func (p *pair) rounds() (rounds []*app.Round) {
	if p.texts != nil {
		rounds = append(rounds, p.texts)
	}
	for _, s := range p.stages {
		if s.round != nil {
			rounds = append(rounds, s.round)
		}
	}
	return rounds
}

// runs returns the runs of all rounds.
func (p *pair) runs() (runs []verbatim.Run) {
	for _, r := range p.rounds() {
		runs = append(runs, r.Runs()...)
	}
	return runs
}

// unanswered is the error of a test without any reply.
func (p *pair) unanswered(stop context.Context) error {
	const what = "no request has an answer"
	if rounds := p.rounds(); len(rounds) > 0 {
		return rounds[0].Unfinished(stop, what)
	}
	return p.endpoints.Interrupted(stop, what)
}

// A promptPlan is the plan of the texts, with the request at each of its positions.
type promptPlan struct {
	plan      app.Plan
	positions [2][]int64 // by trial and prompt
	request   func(position int64) (verbatim.Request, error)
}

// drawPrompts draws the prompts of the texts.
func (p *pair) drawPrompts(seed uint64) (*promptPlan, error) {
	selection := p.options.Selection
	selection.Trials, selection.Seed = 2, seed
	drawn, err := selection.Plan()
	if err != nil {
		return nil, err
	}
	return newPromptPlan(drawn)
}

// newPromptPlan returns the plan of the texts, made from a plan with two trials.
func newPromptPlan(drawn app.Plan) (*promptPlan, error) {
	deck, err := drawn.Deck()
	if err != nil {
		return nil, err
	}
	var dealt []task.Position
	type item struct{ cell, index int }
	prompts := map[item]int{}
	p := &promptPlan{plan: drawn}
	for position, ok := deck.Next(); ok; position, ok = deck.Next() {
		dealt = append(dealt, position)
		key := item{position.Cell, position.Index}
		if position.Trial == 0 {
			prompts[key] = len(prompts)
			p.positions[0] = append(p.positions[0], position.Seq)
			continue
		}
		if p.positions[1] == nil {
			p.positions[1] = make([]int64, len(prompts))
		}
		p.positions[1][prompts[key]] = position.Seq
	}
	p.request = func(position int64) (verbatim.Request, error) {
		it, err := deck.Item(dealt[position])
		if err != nil {
			return verbatim.Request{}, err
		}
		r := verbatim.Request{Seq: position, Trial: dealt[position].Trial, Attempt: 1, Item: it, Prompt: deck.Prompt(it)}
		r.Params.Structure = deck.Structure(it)
		return r, nil
	}
	return p, nil
}
