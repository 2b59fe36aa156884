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
	// Texts and Distances add to what is compared, MixUpstreams lets several of them serve, and
	// StrictName makes another model name an alarm (package sentinel).
	Texts, Distances, MixUpstreams, StrictName bool
	// Over is the time over which the rounds are spread.
	Over time.Duration
	// Again begins a new watch although there is one: its change is known.
	Again bool
}

// The names of settings in a saved run that are true or absent.
const (
	textsSetting     = "texts"
	distancesSetting = "distances"
	mixSetting       = "mix-upstreams"
	strictSetting    = "strict-name"
)

// save writes the settings that a watch is read with.
func (s *Settings) save() map[string]string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	m := map[string]string{"role": "enrolment", "alpha": number(s.Alpha), "tolerance": number(s.Tolerance), "horizon": strconv.Itoa(s.Horizon)}
	for name, set := range map[string]bool{textsSetting: s.Texts, distancesSetting: s.Distances, mixSetting: s.MixUpstreams, strictSetting: s.StrictName} {
		if set {
			m[name] = "true"
		}
	}
	return m
}

// greedy returns the parameters of a call: temperature 0 unless the user names one, and as many
// log probabilities as choosing items takes.
func greedy(p verbatim.Params, logprobs int) verbatim.Params {
	if p.Temperature == nil {
		p.Temperature = new(float64)
	}
	p.Logprobs = logprobs
	return p
}

// inherit returns the parameters of a call, with those of the enrolment where none are given: a
// fleet is watched without naming the parameters of each endpoint.
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
