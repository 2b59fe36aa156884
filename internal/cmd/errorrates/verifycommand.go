package main

import (
	"math/rand/v2"
	"strconv"

	"verbatim"
	"verbatim/internal/stats/change"
	"verbatim/internal/verdict/verification"
)

// verifyPrompts is the number of prompts of a simulated test.
const verifyPrompts = 48

// An alikePair is two endpoints at the edge of each null hypothesis of verify: their texts differ
// beyond their own spread at half of the prompts, and both are right with the same probability.
type alikePair struct {
	upstreams [2]int // behind each endpoint
	texts     [][2]string
	exact     [][2]bool
}

// draw draws the usual replies to the prompts of a test.
func (a *alikePair) draw(r *rand.Rand) {
	a.texts, a.exact = make([][2]string, verifyPrompts), make([][2]bool, verifyPrompts)
	for k := range a.texts {
		a.texts[k] = [2]string{"a", "a"}
		if r.IntN(2) == 0 {
			a.texts[k][1] = "b"
		}
		for side := range 2 {
			a.exact[k][side] = r.Float64() < .7
		}
	}
}

// reply returns the record of a request.
func (a *alikePair) reply(r *rand.Rand, side int, seq int64) verbatim.Record {
	k := seq % verifyPrompts
	rec := verbatim.Record{Seq: seq, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: a.texts[k][side]}, Grade: &verbatim.Grade{Exact: a.exact[k][side]}}
	if n := a.upstreams[side]; n > 1 {
		rec.Reply.Fingerprint = strconv.Itoa(r.IntN(n))
	}
	return rec
}

// test runs one of the tests of a command. Texts and exact answers go through the test itself; log
// probabilities and sampled replies have drawn p-values.
func (a *alikePair) test(r *rand.Rand, tests int) (*verification.Result, error) {
	beyond := 0
	for range 16 {
		beyond += r.IntN(2)
	}
	c := verification.Config{Alpha: endpointAlpha, Tests: tests, Share: .5, MaxMissing: .02, Sampling: true,
		Logprobs: &verification.LogprobResult{Offered: true, Finished: true, Prompts: 16, Beyond: beyond, P: atLeastHalf(beyond, 16)},
		Upstream: func(rec *verbatim.Record) string { return rec.Reply.Fingerprint },
		Request:  func(position int64) (verbatim.Request, error) { return verbatim.Request{Seq: position}, nil }}
	for trial := range c.Positions {
		for k := range int64(verifyPrompts) {
			c.Positions[trial] = append(c.Positions[trial], int64(trial*verifyPrompts)+k)
		}
	}
	t, err := verification.New(c)
	if err != nil {
		return nil, err
	}
	var done [2][]verbatim.Record
	for ended := [2]bool{}; ended != [2]bool{true, true}; {
		for side := range done {
			if ended[side] {
				continue
			}
			requests, err := t.Source(side).Next(done[side])
			if err != nil {
				return nil, err
			}
			ended[side], done[side] = requests == nil, nil
			for _, one := range requests {
				done[side] = append(done[side], a.reply(r, side, one.Seq))
			}
		}
	}
	if t.NeedsSampling() {
		t.AddSampling(sampledAlike(r, t.Level()))
	}
	return t.Result(), nil
}

// atLeastHalf returns the probability of k or more successes in n trials of probability one half.
func atLeastHalf(k, n int) float64 {
	ways, sum, all := 1.0, 0.0, 0.0
	for i := range n + 1 {
		if i >= k {
			sum += ways
		}
		all += ways
		ways = ways * float64(n-i) / float64(i+1)
	}
	return sum / all
}

// sampledAlike draws 100 pairs of replies to two questions, with the same distribution on both sides.
func sampledAlike(r *rand.Rand, level float64) *verification.SamplingResult {
	bets, s := change.NewBlocks(), &verification.SamplingResult{Offered: true, Finished: true, P: 1, Temperature: 1}
	for pair := range 100 {
		bets.Add(pair%2, strconv.Itoa(halving(r, 10)), strconv.Itoa(halving(r, 10)))
		s.Pairs, s.Calls = pair+1, 2*(pair+1)
		if s.P = min(s.P, 1/bets.Value()); s.P <= level {
			break
		}
	}
	return s
}

// A verifyCommand is a command whose endpoints are all alike.
type verifyCommand struct {
	name      string
	endpoints int
	upstreams [2]int // behind the first endpoint, and behind each other one
}

// verifyCommands simulates commands with several endpoints: any verdict that an endpoint differs is
// false.
func verifyCommands(l *simulator, s *section) table {
	t := table{title: "verify, all probes together: any false alarm of a command at 0.01", head: []string{"command", "tests", "false alarm"},
		note: "At half of the prompts the texts differ beyond the own spread, and log probabilities at half of the words. That is the edge of both null hypotheses. Both sides are as often right. " +
			"The texts and exact answers of each test go through the test itself, which stops as soon as it is decided. Holm's method adjusts all p-values of a command together."}
	for _, c := range subset(l, 2, []verifyCommand{
		{"two endpoints", 1, [2]int{1, 1}},
		{"four endpoints", 3, [2]int{1, 1}},
		{"two endpoints, both with two upstreams", 1, [2]int{2, 2}},
	}) {
		e := l.repeat("verify-command/"+c.name, endpointRuns, 1, func(r *rand.Rand, out []float64) {
			alarm, err := c.alarms(r)
			out[0] = indicator(alarm || err != nil)
		})
		t.row(c.name, strconv.Itoa(c.endpoints), e[0].String())
		s.atMost("verify, "+c.name, e[0], endpointAlpha)
	}
	return t
}

// alarms reports whether a command says that any endpoint differs.
func (c verifyCommand) alarms(r *rand.Rand) (bool, error) {
	var results []*verification.Result
	for range c.endpoints {
		pair := alikePair{upstreams: c.upstreams}
		r.Uint64() // not used: the published numbers were drawn after it
		pair.draw(r)
		result, err := pair.test(r, c.endpoints)
		if err != nil {
			return false, err
		}
		results = append(results, result)
	}
	verification.Combine(results)
	for _, result := range results {
		if result.Word == verification.Differ {
			return true, nil
		}
	}
	return false, nil
}

// halving draws a number below n, each half as likely as the one before.
func halving(r *rand.Rand, n int) (i int) {
	for i < n-1 && r.IntN(2) == 1 {
		i++
	}
	return i
}
