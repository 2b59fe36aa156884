package verification

import (
	"maps"
	"slices"

	"verbatim/internal/stats/change"
)

// A stratum is the prompts that one upstream of each side answered. Texts belong to it if both
// replies of a side come from the upstream. Exact answers do if the first ones do.
//
// The strata of a test are those of the upstreams that answered its first block of prompts.
// Nothing is decided before the end of that block. So their number depends on who served alone,
// and each of them has an equal part of the level of its probe.
type stratum struct {
	upstreams [2]string
	bets      *change.Share
	used      int      // prompts whose texts belong to it
	beyond    int      // of them, those at which the sides differ beyond themselves
	highest   float64  // value of the e-process
	firsts    int      // prompts whose first replies belong to it, and calls of a tool
	alone     [2]int   // of them, those that only one side answers exactly right, by side
	exact     *float64 // p of the exact answers; nil before every prompt is read
}

// strata returns the strata of a test with these prompts, by the upstreams that answered its first
// block, with nothing counted yet.
func strata(prompts []prompt, share float64) (list []*stratum) {
	var seen [2]map[string]bool
	for side := range seen {
		seen[side] = map[string]bool{}
		for k := range min(block, len(prompts)) {
			for _, r := range prompts[k][side] {
				if r.state == replied {
					seen[side][r.upstream] = true
				}
			}
		}
		if len(seen[side]) == 0 {
			seen[side][""] = true
		}
	}
	for _, a := range slices.Sorted(maps.Keys(seen[0])) {
		for _, b := range slices.Sorted(maps.Keys(seen[1])) {
			bets, err := change.NewShare(share)
			if err != nil { // New has rejected such a share
				continue
			}
			list = append(list, &stratum{upstreams: [2]string{a, b}, bets: bets, highest: 1})
		}
	}
	return list
}

// add counts a prompt with every reply. It reports whether any of its replies belong to the stratum.
func (s *stratum) add(p *prompt) (belongs bool) {
	first, texts := true, true
	for side, u := range s.upstreams {
		first = first && p[side][0].upstream == u
		texts = texts && p[side][0].upstream == u && p[side][1].upstream == u
	}
	if first {
		s.addExact(p[0][0].exact, p[1][0].exact)
	}
	if texts {
		s.used++
		if p.differs() {
			s.beyond++
		}
		s.bets.Add(p.differs())
		s.highest = max(s.highest, s.bets.Value())
	}
	return first || texts
}

// addExact counts one answer of each side.
func (s *stratum) addExact(a, b bool) {
	s.firsts++
	switch {
	case a && !b:
		s.alone[0]++
	case b && !a:
		s.alone[1]++
	}
}

// served reports whether all replies to a prompt come from upstreams of the strata.
func (p *prompt) served(strata []*stratum) bool {
	for side := range p {
		for _, r := range p[side] {
			if !slices.ContainsFunc(strata, func(s *stratum) bool { return s.upstreams[side] == r.upstream }) {
				return false
			}
		}
	}
	return true
}

// An UpstreamResult is what the prompts show that one upstream of each side answered.
type UpstreamResult struct {
	// Upstreams are who served, by side; "" is not known.
	Upstreams [2]string `json:"upstreams"`
	// Prompts, Beyond, Firsts and ExactAlone are as in a Result. Firsts is the number of prompts
	// of the exact answers, those with a tool included.
	Prompts    int    `json:"prompts"`
	Beyond     int    `json:"beyond_own_spread"`
	Firsts     int    `json:"exact_prompts"`
	ExactAlone [2]int `json:"exact_alone"`
	// Detectable and DetectableAlone are as in a Result.
	Detectable      *float64 `json:"detectable_share"`
	DetectableAlone *int     `json:"detectable_exact_alone"`
}

// result returns what a stratum shows at a level.
func (s *stratum) result(share, level float64) UpstreamResult {
	r := UpstreamResult{Upstreams: s.upstreams, Prompts: s.used, Beyond: s.beyond, Firsts: s.firsts, ExactAlone: s.alone}
	if q, ok := change.DetectableShare(share, level, power, s.used); ok {
		r.Detectable = &q
	}
	for n := 1; n <= s.firsts && r.DetectableAlone == nil; n++ {
		if change.ExactMcNemar(n, 0) <= level {
			r.DetectableAlone = &n
		}
	}
	return r
}
