package verification

import (
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/stats/change"
)

// trials is the number of times that each side gets a prompt.
const trials = 2

// block is the smallest number of prompts that are sent once before any of them is sent again,
// so that other requests lie between the two.
const block = 12

// compared is the number of bytes of a text that are compared, about 28 tokens. Longer texts
// differ more often, whatever the reason, and the shares of texts that other arithmetic and other
// weights change were measured on this many bytes.
const compared = 112

// A reply is what a Test keeps of one reply.
type reply struct {
	state        state
	text         string // the first bytes of its text, see compared
	exact        bool
	promptTokens *int64
	upstream     string // who served it; "" if not known
}

// A state is how far a request is.
type state int

const (
	open    state = iota // not sent, or in flight
	replied              // there is a reply
	missing              // sent, and without a reply
)

// A prompt holds the replies of both sides to one prompt, by side and trial.
type prompt [2][trials]reply

// An Upstream names the upstream that served a reply; "": not known. Nil names none.
type Upstream func(*verbatim.Record) string

func (u Upstream) of(rec *verbatim.Record) string {
	if u == nil {
		return ""
	}
	return strings.Clone(u(rec))
}

// answered reports whether a record has a reply that counts.
func answered(rec *verbatim.Record) bool { return rec.Reply != nil && rec.Outcome.Answered() }

// newReply returns what a record says.
func newReply(rec *verbatim.Record, u Upstream) reply {
	if !answered(rec) {
		return reply{state: missing}
	}
	text := rec.Reply.Text
	return reply{state: replied, text: strings.Clone(text[:min(len(text), compared)]), exact: rec.Grade != nil && rec.Grade.Exact, promptTokens: rec.Reply.Usage.Prompt, upstream: u.of(rec)}
}

// complete reports whether all requests have ended.
func (p *prompt) complete() bool { return p.count(open) == 0 }

// usable reports whether every request has a reply.
func (p *prompt) usable() bool { return p.count(replied) == 2*trials }

func (p *prompt) count(s state) (n int) {
	for _, side := range p {
		for _, r := range side {
			if r.state == s {
				n++
			}
		}
	}
	return n
}

// differs reports whether the sides differ from each other in more of the two trials than
// they differ from themselves.
func (p *prompt) differs() bool {
	across, own := 0, 0
	for trial := range trials {
		if p[0][trial].text != p[1][trial].text {
			across++
		}
	}
	for side := range p {
		if p.varies(side) {
			own++
		}
	}
	return across > own
}

// varies reports whether a side gave two texts.
func (p *prompt) varies(side int) bool { return p[side][0].text != p[side][1].text }

// firstDifference returns the index of the first byte at which the first replies of the
// sides differ. It is false if they are equal.
func (p *prompt) firstDifference() (at int, ok bool) {
	a, b := p[0][0].text, p[1][0].text
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return at, a != b
}

// A stratum is the prompts that one upstream of each side answered. The texts of a prompt belong
// to it if both replies of each side come from its upstreams. The exact answers belong to it if the
// first replies do.
//
// The strata of a test are the pairs of the upstreams that answered its first block of prompts.
// Nothing is decided before the end of that block. So the number of strata depends on nothing but
// who served, and each stratum has an equal part of the level of its probe.
type stratum struct {
	upstreams [2]string
	bets      *change.Share
	used      int      // prompts whose texts belong to it
	beyond    int      // of them, those at which the sides differ beyond their own spread
	highest   float64  // highest value of the e-process
	firsts    int      // prompts whose first replies belong to it, and calls of a tool
	alone     [2]int   // of them, those that only one side answers exactly right, by side
	exact     *float64 // p of the exact answers; nil before every prompt is read
}

// strata returns the strata of a test with these prompts, with nothing counted yet.
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

// add counts a usable prompt, and reports whether its texts or its exact answers belong to the
// stratum.
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

// served reports whether every reply to a prompt comes from an upstream of the strata.
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

// An UpstreamResult is the result of the prompts that one upstream of each side answered.
type UpstreamResult struct {
	// Upstreams are the names of the upstreams, by side; "": not known.
	Upstreams [2]string `json:"upstreams"`
	// Prompts, Beyond and ExactAlone are as in a Result. Firsts is the number of prompts of the
	// exact answers, those with a tool included.
	Prompts    int    `json:"prompts"`
	Beyond     int    `json:"beyond_own_spread"`
	Firsts     int    `json:"exact_prompts"`
	ExactAlone [2]int `json:"exact_alone"`
	// Detectable and DetectableAlone are as in a Result.
	Detectable      *float64 `json:"detectable_share"`
	DetectableAlone *int     `json:"detectable_exact_alone"`
}

// result returns the result of a stratum at the level of each of its probes.
func (s *stratum) result(share, level float64) UpstreamResult {
	r := UpstreamResult{Upstreams: s.upstreams, Prompts: s.used, Beyond: s.beyond, Firsts: s.firsts, ExactAlone: s.alone}
	if q, ok := change.DetectableShare(share, level, power, s.used); ok {
		r.Detectable = &q
	}
	for n := 1; n <= s.firsts && r.DetectableAlone == nil; n++ {
		if stats.SignTest(int64(n), int64(0)) <= level {
			r.DetectableAlone = &n
		}
	}
	return r
}
