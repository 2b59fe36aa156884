package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"verbatim/internal/stats/change"
	"verbatim/internal/verdict/sentinel"
)

// endpointTests simulates verify, smoke and sentinel on endpoints that do not change.
func endpointTests(l *simulator) section {
	s := section{title: "Endpoints that do not change: verify, smoke, sentinel", text: `
` + "`verify`" + ` compares two processes of one build. ` + "`smoke`" + ` tests an endpoint that is as good under load as alone. ` + "`sentinel`" + ` watches an endpoint for 365 days. Every verdict other than “no difference”, “no fault” and “quiet” is false.

The log probabilities of a server have several numeric states. A process settles in one of them for each prompt, and leaves it for a call with the probability “moves”. Servers that move little are the difficult ones: their calls look more alike than they are. So the distance must be above 0.2 nats, too, if repeats differ at fewer than half of the words.

The tables are simulated. ` + "`TestVerifyFalseAlarms`" + ` runs the program itself: all probes of ` + "`verify`" + `, over HTTP, between two processes of one build with three numeric states. Both start again for each of 300 repetitions. 45 % of 14,400 texts differed between the processes, and 32 % beyond their own spread. No repetition called them different: at most 1.0 % do, with 95 % confidence. [Processes of a real server](power.md#false-alarms), under the load of others, were tested too.`}
	s.tables = []table{verifyStates(l, &s), verifyTexts(l, &s), verifySampled(l, &s), verifyCommands(l, &s), smokeNull(l, &s), watchYears(l, &s), watchSpeed(l)}
	return s
}

// tokensListed is the number of log probabilities of a call.
const tokensListed = 20

// verifyStates simulates the log probabilities of two processes of a build with several states.
func verifyStates(l *simulator, s *section) table {
	t := table{title: "verify, log probabilities: false alarm at 0.0025", head: []string{"states", "moves", "false alarm"}}
	for _, states := range subset(l, 2, []int{1, 2, 3, 5}) {
		for _, moves := range subset(l, 2, []float64{0, .05, .2, .5, 1}) {
			e := l.repeat(fmt.Sprintf("verify-states/%d/%g", states, moves), endpointRuns, 1, func(r *rand.Rand, out []float64) {
				var pairs []change.SidePair
				for range 16 {
					pairs = append(pairs, statesOfPrompt(r, states, moves))
				}
				test, err := change.NewSpreadTest(pairs)
				out[0] = indicator(err != nil || test.Differ(probeAlpha))
			})
			t.row(strconv.Itoa(states), fmt.Sprintf("%g", moves), e[0].String())
			s.atMost(fmt.Sprintf("verify, log probabilities, %d states, moves %g", states, moves), e[0], probeAlpha)
		}
	}
	return t
}

// statesOfPrompt draws three calls of each side at one prompt, in states that are some 0.08 nats apart.
func statesOfPrompt(r *rand.Rand, states int, moves float64) (p change.SidePair) {
	lists := make([]change.LogProbs, states)
	for i := range lists {
		lists[i] = change.LogProbs{}
		for k := range tokensListed {
			lists[i][strconv.Itoa(k)] = -3 + 0.07*r.NormFloat64()
		}
	}
	for _, to := range []*[]change.LogProbs{&p.A, &p.B} {
		at := r.IntN(states)
		for range 3 {
			if r.Float64() < moves {
				at = r.IntN(states)
			}
			*to = append(*to, lists[at])
		}
	}
	return p
}

// verifyTexts simulates prompts at which the sides differ beyond their own spread with the
// probability of the null hypothesis, at its edge and below.
func verifyTexts(l *simulator, s *section) table {
	t := table{title: "verify, texts: false alarm at 0.0025 in 48 prompts, at any look", head: []string{"prompts beyond", "false alarm"}}
	for _, share := range []float64{.25, .4, .5} {
		e := l.repeat(fmt.Sprintf("verify-texts/%g", share), endpointRuns, 1, func(r *rand.Rand, out []float64) {
			bets, err := change.NewShare(.5)
			if err != nil {
				out[0] = 1
				return
			}
			for range 48 {
				bets.Add(r.Float64() < share)
				out[0] = max(out[0], indicator(bets.Value() >= 1/probeAlpha))
			}
		})
		t.row(fmt.Sprintf("%g", share), e[0].String())
		s.atMost(fmt.Sprintf("verify, texts, %g of prompts beyond", share), e[0], probeAlpha)
	}
	return t
}

// verifySampled simulates replies at a temperature, drawn for both sides from the same
// distribution, in 100 pairs that answer two questions in turn.
func verifySampled(l *simulator, s *section) table {
	t := table{title: "verify, sampled replies: false alarm at 0.0025 in 100 pairs, at any look", head: []string{"different replies", "distribution", "false alarm"}}
	for _, c := range []struct {
		words int
		name  string
		draw  func(r *rand.Rand, words, pair int) int
	}{
		{2, "equally likely", func(r *rand.Rand, words, _ int) int { return r.IntN(words) }},
		{10, "equally likely", func(r *rand.Rand, words, _ int) int { return r.IntN(words) }},
		{1000, "equally likely", func(r *rand.Rand, words, _ int) int { return r.IntN(words) }},
		{10, "each half as likely as the one before", func(r *rand.Rand, words, _ int) int { return halving(r, words) }},
		{10, "the same, and others after each 20 pairs", func(r *rand.Rand, words, pair int) int { return halving(r, words) + words*(pair/20) }},
	} {
		e := l.repeat(fmt.Sprintf("verify-sampled/%d/%s", c.words, c.name), endpointRuns, 1, func(r *rand.Rand, out []float64) {
			bets := change.NewBlocks()
			for pair := range 100 {
				bets.Add(pair%2, strconv.Itoa(c.draw(r, c.words, pair)), strconv.Itoa(c.draw(r, c.words, pair)))
				out[0] = max(out[0], indicator(bets.Value() >= 1/probeAlpha))
			}
		})
		t.row(strconv.Itoa(c.words), c.name, e[0].String())
		s.atMost(fmt.Sprintf("verify, sampled replies, %d words, %s", c.words, c.name), e[0], probeAlpha)
	}
	return t
}

// smokeNull simulates copies that are as often wrong alone as under load.
func smokeNull(l *simulator, s *section) table {
	t := table{title: "smoke: wrong copies under load that chance explains", head: []string{"items", "wrong", "false alarm at 0.01"}}
	for _, c := range []struct {
		name  string
		wrong func(item int) float64
	}{
		{"16 alike", func(int) float64 { return .5 }},
		{"16 alike", func(int) float64 { return .1 }},
		{"8 always right, 8 not", func(i int) float64 { return .8 * float64(i%2) }},
	} {
		e := l.repeat(fmt.Sprintf("smoke/%s/%g", c.name, c.wrong(1)), endpointRuns, 1, func(r *rand.Rand, out []float64) {
			wrong, first := make([]int, 16), 0
			for i := range wrong {
				for call := range 4 {
					if r.Float64() < c.wrong(i) {
						wrong[i]++
						if call == 0 {
							first++
						}
					}
				}
			}
			out[0] = indicator(change.FirstIsBetter(wrong, 4, first) <= endpointAlpha)
		})
		t.row(c.name, fmt.Sprintf("%g", c.wrong(1)), e[0].String())
		s.atMost(fmt.Sprintf("smoke, %s, wrong %g", c.name, c.wrong(1)), e[0], endpointAlpha)
	}
	return t
}

// watchYears simulates years of a watch with 12 calls a day.
func watchYears(l *simulator, s *section) table {
	const days, calls, tolerance = 365, 12, .05
	t := table{title: "sentinel: any false alarm in 365 days, at 0.01 and a tolerance of 5 %", head: []string{"deviations", "false alarm", "largest capital, mean of the years"}}
	for _, rate := range []float64{.01, .025, .05} {
		e := l.repeat(fmt.Sprintf("watch/%g", rate), endpointRuns, 2, func(r *rand.Rand, out []float64) {
			w, err := change.NewWatch(tolerance, days)
			if err != nil {
				out[0] = 1
				return
			}
			for range days {
				if w.NextDay() != nil {
					break
				}
				for range calls {
					w.Add(r.Float64() < rate)
					out[0] = max(out[0], indicator(w.Value() >= 1/endpointAlpha))
					out[1] = max(out[1], w.Value())
				}
			}
		})
		t.row(fmt.Sprintf("%g", rate), e[0].String(), fmt.Sprintf("%.2f", e[1].mean))
		s.atMost(fmt.Sprintf("sentinel, deviations %g", rate), e[0], endpointAlpha)
	}
	return t
}

// watchSpeed simulates watches of endpoints that change on the 100th day.
func watchSpeed(l *simulator) table {
	m := sentinel.Model{Alpha: endpointAlpha, Tolerance: .05, Horizon: 365, Before: .01, Day: 100}
	t := table{title: "sentinel: days from a change to the alarm, at 0.01, a tolerance of 5 %, 12 to 180 calls a day", head: []string{"deviations after the change", "half of the watches", "four of five", "alarm within the horizon"},
		note: "The change is on day 100, and 1 % of calls deviate before it. Day 0 is the day of the change.\n\n" +
			"`TestLiveYears` and `TestLiveChanges` run the program itself: each day a run, over HTTP, with a clock that advances by a day. Thirty watches of 365 days had no alarm: ten without deviations, and 20 with deviations at the tolerance (4,234 of 87,607 calls). " +
			"There were 15 watches for each change. At 10 % of deviations, 14 had an alarm: half of them within 27 days, four of five within 33. At 15 %, 25 % and 100 % all had one. Half of these came within 7, 2 and 0 days, and all within 15, 6 and 0."}
	day := func(n *int) string {
		if n == nil {
			return "–"
		}
		return strconv.Itoa(*n)
	}
	for _, rate := range append([]float64{.05}, sentinel.SeenRates()...) {
		seen := m.Seen(rate, l.runs(endpointRuns))
		t.row(fmt.Sprintf("%g", rate), day(seen.Median), day(seen.Most), fmt.Sprintf("%.4f", seen.Share))
	}
	return t
}
