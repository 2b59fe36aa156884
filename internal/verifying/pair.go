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
	"verbatim/internal/verdict/verification"
)

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
