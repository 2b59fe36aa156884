package pace

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// An allowance is what a server still accepts, as its headers say.
type allowance struct {
	limit, remaining float64
	reset            time.Duration // until all of limit is there again
}

// The names under which servers tell their limits, as patterns: * is limit,
// remaining or reset. The first that makes sense counts.
var (
	requestHeaders = []string{"x-ratelimit-*-requests", "anthropic-ratelimit-requests-*", "x-ratelimit-*", "ratelimit-*"}
	tokenHeaders   = []string{"x-ratelimit-*-tokens", "anthropic-ratelimit-tokens-*", "anthropic-ratelimit-output-tokens-*", "anthropic-ratelimit-input-tokens-*"}
)

// mostAllowed is above any limit that is meant.
const mostAllowed = 1e15

// readAllowance reads rate-limit headers, whose names are in lower case. ok is
// false where they make no sense: servers are known to send -1 and 0 for limits, more
// remaining than the limit, and resets in the past. A limit that is too large to matter
// does not count.
func readAllowance(h map[string]string, patterns []string, now time.Time) (a allowance, ok bool) {
	for _, p := range patterns {
		limit, e1 := number(h[strings.Replace(p, "*", "limit", 1)])
		remaining, e2 := number(h[strings.Replace(p, "*", "remaining", 1)])
		reset, e3 := readReset(h[strings.Replace(p, "*", "reset", 1)], now)
		if e1 && e2 && e3 && limit >= 1 && limit <= mostAllowed && remaining >= 0 && remaining <= limit && reset > 0 && reset <= 31*24*time.Hour {
			return allowance{limit, remaining, reset}, true
		}
	}
	return allowance{}, false
}

// readReset reads the time until a limit is whole again: Go's durations ("6m0s",
// "17ms"), seconds, a time of RFC 3339, or seconds or milliseconds since 1970.
func readReset(s string, now time.Time) (time.Duration, bool) {
	if n, ok := number(s); ok {
		switch {
		case n < 0:
			return 0, false
		case n > 1e12:
			return time.UnixMilli(int64(min(n, 1e15))).Sub(now), true
		case n > 1e9:
			return time.Unix(int64(n), 0).Sub(now), true
		}
		return seconds(n), true
	}
	if d, err := time.ParseDuration(s); err == nil {
		return d, true
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.Sub(now), true
	}
	return 0, false
}

func number(s string) (float64, bool) {
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// scarce is the share of a limit that must remain for the headers not to matter.
const scarce = 0.1

// rate returns the most that may be sent in a second until the allowance is whole
// again; 0 is no bound. Of what remains, flying is on its way already, and soon may be
// before the next headers come. Where little remains after that it is spread over the
// time until the reset: that is right for a window, and for a bucket it is slow until
// it has filled up a little, which the next headers will say.
func (a allowance) rate(flying, soon float64) float64 {
	if a.remaining-soon >= scarce*a.limit {
		return 0
	}
	return max(a.remaining-flying, 1) / a.reset.Seconds()
}

// A spacer lets amounts pass at a rate: each is followed by the time that it
// takes, so that an amount of any size passes and none saves up.
type spacer struct {
	rate float64 // a second; 0: no bound
	next time.Duration
	upTo time.Duration // when the bound ends; 0: never
}

// slack is how late a timer may be without the time being lost.
const slack = 5 * time.Millisecond

// turn returns when something may pass.
func (s *spacer) turn(now time.Duration) time.Duration {
	if s.rate == 0 || s.upTo > 0 && now >= s.upTo {
		return 0
	}
	if s.upTo > 0 {
		return min(s.next, s.upTo)
	}
	return s.next
}

// pass lets an amount pass.
func (s *spacer) pass(now time.Duration, amount float64) {
	if s.rate > 0 && amount > 0 {
		gap := seconds(amount / s.rate)
		s.next = max(s.next, now-min(gap, slack)) + gap
	}
}

// giveBack corrects an amount that turned out smaller.
func (s *spacer) giveBack(amount float64) {
	if s.rate > 0 {
		s.next -= seconds(amount / s.rate)
	}
}

// heed sets the bound that an allowance means, or lifts it.
func (s *spacer) heed(now time.Duration, a allowance, rate float64) {
	if s.rate = rate; rate > 0 {
		s.next, s.upTo = min(max(s.next, now), now+seconds(1/rate)), now+a.reset
	}
}
