package watching

import (
	"cmp"
	"strconv"
	"time"

	"verbatim"
)

// Settings are what a watch is begun with.
type Settings struct {
	Alpha     float64
	Tolerance float64
	Horizon   int // in days with calls
	Seed      uint64
	// Texts and Distances are those of sentinel.EnrolmentConfig, as is MixUpstreams. StrictName is
	// that of sentinel.Rules.
	Texts, Distances, MixUpstreams, StrictName bool
	// Over is the time over which the rounds of the enrolment are spread.
	Over time.Duration
	// Again begins a new watch although the endpoint is watched, because a change of it is known.
	Again bool
}

// The names of those settings of a saved run that are "true" or absent.
const (
	textsSetting     = "texts"
	distancesSetting = "distances"
	mixSetting       = "mix-upstreams"
	strictSetting    = "strict-name"
)

// save returns the settings of the enrolment run, from which the watch is read.
func (s *Settings) save() map[string]string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	m := map[string]string{"role": enrolmentRole, "alpha": number(s.Alpha), "tolerance": number(s.Tolerance), "horizon": strconv.Itoa(s.Horizon)}
	for name, set := range map[string]bool{textsSetting: s.Texts, distancesSetting: s.Distances, mixSetting: s.MixUpstreams, strictSetting: s.StrictName} {
		if set {
			m[name] = "true"
		}
	}
	return m
}

// greedy returns the parameters of a call: temperature 0 unless the user names one, and a number of log
// probabilities.
func greedy(p verbatim.Params, logprobs int) verbatim.Params {
	if p.Temperature == nil {
		p.Temperature = new(float64)
	}
	p.Logprobs = logprobs
	return p
}

// inherit returns the parameters of a call. Those that are not given are taken from the enrolment, so
// that many endpoints are watched without naming the parameters of each.
func inherit(p, enrolled verbatim.Params) verbatim.Params {
	if p.Temperature == nil {
		p.Temperature = enrolled.Temperature
	}
	if p.TopP == nil {
		p.TopP = enrolled.TopP
	}
	if p.Seed == nil {
		p.Seed = enrolled.Seed
	}
	if p.ReasoningBudget == nil {
		p.ReasoningBudget = enrolled.ReasoningBudget
	}
	if p.Extra == nil {
		p.Extra = enrolled.Extra
	}
	p.Effort, p.SystemAs = cmp.Or(p.Effort, enrolled.Effort), cmp.Or(p.SystemAs, enrolled.SystemAs)
	return p
}

// limitOf returns the token limit of a call: one token, or the smallest limit of the protocol.
func limitOf(wire string) int {
	if wire == "responses" {
		return 16
	}
	return 1
}
