package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"verbatim"
	"verbatim/internal/stats/change"
	"verbatim/internal/verdict/sentinel"
	"verbatim/internal/verdict/verification"
)

// The rates of the commands that test endpoints, as they state them.
const (
	endpointAlpha = 0.01
	probeAlpha    = 0.0025 // below the level of a probe of verify, a third of alpha
	endpointRuns  = 10_000
)

// endpoints is the section of verify, smoke and sentinel on endpoints that do not change.
func endpoints() section {
	return section{"endpoints", "Endpoints that do not change: verify, smoke, sentinel", "`verify` compares two processes of one build, `smoke` tests an endpoint that is as good under load as alone, and `sentinel` watches an endpoint for 365 days. Every verdict other than “no difference”, “no fault” and “quiet” is false.\n\n" +
		"The log probabilities of a server have several numeric states. A process settles in one of them for each prompt, and leaves it for a call with the probability “moves”. Servers that move little are the difficult ones: their calls look more alike than they are. So the distance must be above 0.2 nats, too, if repeats differ at fewer than half of the words.\n\n" +
		"The tables are simulated. `TestVerifyFalseAlarms` runs the program itself: all probes of `verify`, over HTTP, between two processes of one build with three numeric states. Both start again for each of 300 repetitions. 45 % of 14,400 texts differed between the processes, and 32 % beyond their own spread. No repetition called them different: at most 1.0 % do, with 95 % confidence. [Processes of a real server](../power.md#false-alarms), under the load of others, were tested too.", func(l *simulator) []table {
		return []table{verifyStates(l), verifyTexts(), verifyCommands(l), smokeNull(), watchYears(), watchSpeed(l)}
	}}
}

// alarm is the row of a test that gives a false alarm or not.
func alarm(stream string, most float64, alarmed func(r *rand.Rand) bool, cells ...string) setting {
	claim := "endpoints"
	if most < endpointAlpha { // of one probe, not of a command
		claim = ""
	}
	return setting{cells, []simulation{{stream, endpointRuns, []string{"alarm"}, func(r *rand.Rand, out []float64) { out[0] = indicator(alarmed(r)) }, nil}}, []limit{atMost("alarm", most, claim)}}
}

func alarmColumn(head string) []column { return []column{{head, "alarm", rate}} }

// verifyStates simulates the log probabilities of two processes of a build with several states.
func verifyStates(l *simulator) table {
	t := table{title: "verify, log probabilities: false alarm at 0.0025", settings: []string{"states", "moves"}, columns: alarmColumn("false alarm")}
	for _, states := range subset(l, 2, 1, 2, 3, 5) {
		for _, moves := range subset(l, 2, 0, .05, .2, .5, 1) {
			t.cases = append(t.cases, alarm(fmt.Sprintf("verify-states/%d/%g", states, moves), probeAlpha, func(r *rand.Rand) bool {
				var pairs []change.SidePair
				for range 16 {
					pairs = append(pairs, statesOfPrompt(r, states, moves))
				}
				return mustValue(change.NewSpreadTest(pairs)).Differ(probeAlpha)
			}, strconv.Itoa(states), fmt.Sprint(moves)))
		}
	}
	return t
}

// statesOfPrompt draws three calls of each side at one prompt, with 20 log probabilities each, in states
// that are some 0.08 nats apart.
func statesOfPrompt(r *rand.Rand, states int, moves float64) (p change.SidePair) {
	lists := make([]change.LogProbs, states)
	for i := range lists {
		lists[i] = change.LogProbs{}
		for k := range 20 {
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
func verifyTexts() table {
	t := table{title: "verify, texts: false alarm at 0.0025 in 48 prompts, at any look", settings: []string{"prompts beyond"}, columns: alarmColumn("false alarm")}
	for _, share := range []float64{.25, .4, .5} {
		t.cases = append(t.cases, alarm(fmt.Sprintf("verify-texts/%g", share), probeAlpha, func(r *rand.Rand) bool {
			bets, highest := mustValue(change.NewShare(.5)), 0.0
			for range 48 {
				bets.Add(r.Float64() < share)
				highest = max(highest, bets.Value())
			}
			return highest >= 1/probeAlpha
		}, fmt.Sprint(share)))
	}
	return t
}

// smokeNull simulates copies that are as often wrong alone as under load.
func smokeNull() table {
	t := table{title: "smoke: wrong copies under load that chance explains", settings: []string{"items", "wrong"}, columns: alarmColumn("false alarm at 0.01")}
	for _, c := range []struct {
		name       string
		even, odds float64 // the share of wrong copies of every other item
	}{{"16 alike", .5, .5}, {"16 alike", .1, .1}, {"8 always right, 8 not", 0, .8}} {
		t.cases = append(t.cases, alarm(fmt.Sprintf("smoke/%s/%g", c.name, c.odds), endpointAlpha, func(r *rand.Rand) bool {
			wrong, first := make([]int, 16), 0
			for i := range wrong {
				for call := range 4 {
					if r.Float64() < []float64{c.even, c.odds}[i%2] {
						wrong[i]++
						first += int(indicator(call == 0))
					}
				}
			}
			return change.FirstIsBetter(wrong, 4, first) <= endpointAlpha
		}, c.name, fmt.Sprint(c.odds)))
	}
	return t
}

// watchYears simulates years of a watch with 12 calls a day.
func watchYears() table {
	const days, calls, tolerance = 365, 12, .05
	t := table{title: "sentinel: any false alarm in 365 days, at 0.01 and a tolerance of 5 %", settings: []string{"deviations"}, columns: []column{{"false alarm", "alarm", rate}, {"largest capital, mean of the years", "capital", decimals(2)}}}
	for _, rate := range []float64{.01, .025, .05} {
		t.cases = append(t.cases, setting{[]string{fmt.Sprint(rate)}, []simulation{{fmt.Sprintf("watch/%g", rate), endpointRuns, []string{"alarm", "capital"}, func(r *rand.Rand, out []float64) {
			w := mustValue(change.NewWatch(tolerance, days))
			for range days {
				must(w.NextDay())
				for range calls {
					w.Add(r.Float64() < rate)
					out[1] = max(out[1], w.Value())
				}
			}
			out[0] = indicator(out[1] >= 1/endpointAlpha)
		}, nil}}, []limit{atMost("alarm", endpointAlpha, "endpoints")}})
	}
	return t
}

// watchSpeed simulates watches of endpoints that change on the 100th day.
func watchSpeed(l *simulator) table {
	m := sentinel.Model{Alpha: endpointAlpha, Tolerance: .05, Horizon: 365, Before: .01, Day: 100}
	t := table{title: "sentinel: days from a change to the alarm, at 0.01, a tolerance of 5 %, 12 to 180 calls a day", settings: []string{"deviations after the change", "half of the watches", "four of five", "alarm within the horizon"},
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
		t.cases = append(t.cases, setting{cells: []string{fmt.Sprint(rate), day(seen.Median), day(seen.Most), fmt.Sprintf("%.4f", seen.Share)}})
	}
	return t
}

// verifyCommands simulates commands with several endpoints: any verdict that an endpoint
// differs is false.
func verifyCommands(l *simulator) table {
	t := table{title: "verify, all probes together: any false alarm of a command at 0.01", settings: []string{"command", "tests"}, columns: alarmColumn("false alarm"),
		note: "At half of the prompts the texts differ beyond the own spread, and log probabilities at half of the words. That is the edge of both null hypotheses. Both sides are as often right. " +
			"The texts and exact answers of each test go through the test itself, which stops as soon as it is decided. Holm's method adjusts all p-values of a command together."}
	for _, c := range subset(l, 2, []verifyCommand{
		{"two endpoints", 1, [2]int{1, 1}},
		{"four endpoints", 3, [2]int{1, 1}},
		{"two endpoints, both with two upstreams", 1, [2]int{2, 2}},
	}...) {
		t.cases = append(t.cases, alarm("verify-command/"+c.name, endpointAlpha, c.differ, c.name, strconv.Itoa(c.endpoints)))
	}
	return t
}

// A verifyCommand is a command whose endpoints are all alike.
type verifyCommand struct {
	name      string
	endpoints int
	upstreams [2]int // behind the first endpoint, and behind each other one
}

// differ reports whether a command says that any endpoint differs.
func (c verifyCommand) differ(r *rand.Rand) bool {
	var results []*verification.Result
	for range c.endpoints {
		results = append(results, mustValue(c.test(r)))
	}
	verification.Combine(results)
	for _, result := range results {
		if result.Word == verification.Differ {
			return true
		}
	}
	return false
}

// verifyPrompts is the number of prompts of a simulated test.
const verifyPrompts = 48

// test runs one of the tests of a command, on two endpoints at the edge of each null hypothesis: their
// texts differ beyond their own spread at half of the prompts, and both are right with the same
// probability. Texts and exact answers go through the test itself; log probabilities have a drawn
// p-value.
func (c verifyCommand) test(r *rand.Rand) (*verification.Result, error) {
	texts, exact := make([][2]string, verifyPrompts), make([][2]bool, verifyPrompts)
	for k := range texts {
		texts[k] = [2]string{"a", []string{"b", "a"}[r.IntN(2)]}
		exact[k] = [2]bool{r.Float64() < .7, r.Float64() < .7}
	}
	reply := func(side int, seq int64) verbatim.Record {
		k := seq % verifyPrompts
		rec := verbatim.Record{Seq: seq, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: texts[k][side]}, Grade: &verbatim.Grade{Exact: exact[k][side]}}
		if n := c.upstreams[side]; n > 1 {
			rec.Reply.Fingerprint = strconv.Itoa(r.IntN(n))
		}
		return rec
	}
	beyond := 0
	for range 16 {
		beyond += r.IntN(2)
	}
	atLeast := 0.0 // the probability of as many or more of 16
	for k := beyond; k <= 16; k++ {
		atLeast += trinomial(16, k, 0, .5, 0)
	}
	config := verification.Config{Alpha: endpointAlpha, Tests: c.endpoints, Share: .5, MaxMissing: .02,
		Logprobs: &verification.LogprobResult{Offered: true, Finished: true, Prompts: 16, Beyond: beyond, P: atLeast},
		Upstream: func(rec *verbatim.Record) string { return rec.Reply.Fingerprint },
		Request:  func(position int64) (verbatim.Request, error) { return verbatim.Request{Seq: position}, nil }}
	for trial := range config.Positions {
		for k := range int64(verifyPrompts) {
			config.Positions[trial] = append(config.Positions[trial], int64(trial*verifyPrompts)+k)
		}
	}
	t, err := verification.New(config)
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
				done[side] = append(done[side], reply(side, one.Seq))
			}
		}
	}
	return t.Result(), nil
}
