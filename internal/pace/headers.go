package pace

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// An allowance is the number of requests or tokens that a server still accepts, by its headers.
type allowance struct {
	limit, remaining float64
	reset            time.Duration // until remaining is limit again
}

// The names of rate-limit headers, as patterns: * is limit, remaining or reset. The first pattern
// with valid values counts.
var (
	requestHeaders = []string{"x-ratelimit-*-requests", "anthropic-ratelimit-requests-*", "x-ratelimit-*", "ratelimit-*"}
	tokenHeaders   = []string{"x-ratelimit-*-tokens", "anthropic-ratelimit-tokens-*", "anthropic-ratelimit-output-tokens-*", "anthropic-ratelimit-input-tokens-*"}
)

// maxAllowed is above any limit that restricts anything.
const maxAllowed = 1e15

// readAllowance reads rate-limit headers, whose names are in lower case. ok is false if none is
// valid.
func readAllowance(h map[string]string, patterns []string, now time.Time) (a allowance, ok bool) {
	for _, p := range patterns {
		var hasLimit, hasRemaining, hasReset bool
		a.limit, hasLimit = number(h[strings.Replace(p, "*", "limit", 1)])
		a.remaining, hasRemaining = number(h[strings.Replace(p, "*", "remaining", 1)])
		a.reset, hasReset = readReset(h[strings.Replace(p, "*", "reset", 1)], now)
		if hasLimit && hasRemaining && hasReset && a.isValid() {
			return a, true
		}
	}
	return allowance{}, false
}

// isValid reports whether the values are possible. Servers send -1 and 0 for limits, more remaining
// than the limit, and resets in the past.
func (a allowance) isValid() bool {
	return a.limit >= 1 && a.limit <= maxAllowed &&
		a.remaining >= 0 && a.remaining <= a.limit &&
		a.reset > 0 && a.reset <= 31*24*time.Hour
}

// readReset reads the time until a limit is reset: a duration as Go writes it ("6m0s", "17ms"),
// seconds, a time of RFC 3339, or seconds or milliseconds since 1970.
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

// scarce is the share of a limit below which what remains is spread over the time until the reset.
const scarce = 0.1

// rate returns how much may be sent per second until the reset; 0: any amount. flying is the amount
// in flight, soon the amount that may be sent before the next headers come. If little remains, it
// is spread over the time until the reset. That is right for a window. For a bucket it is too slow,
// until the next headers show that it has gained some.
func (a allowance) rate(flying, soon float64) float64 {
	if a.remaining-soon >= scarce*a.limit {
		return 0
	}
	return max(a.remaining-flying, 1) / a.reset.Seconds()
}

// A spacer spaces amounts at a rate: after each, nothing may follow for the time that it takes at
// the rate. So an amount of any size may be sent, and time without any is not made up for.
type spacer struct {
	rate float64 // per second; 0: no bound
	next time.Duration
	upTo time.Duration // when the bound ends; 0: never
}

// slack is how late a timer may be without a delay of those that follow.
const slack = 5 * time.Millisecond

// turn returns when the next amount may be sent.
func (s *spacer) turn(now time.Duration) time.Duration {
	if s.rate == 0 || s.upTo > 0 && now >= s.upTo {
		return 0
	}
	if s.upTo > 0 {
		return min(s.next, s.upTo)
	}
	return s.next
}

// pass notes that an amount is sent.
func (s *spacer) pass(now time.Duration, amount float64) {
	if s.rate > 0 && amount > 0 {
		gap := seconds(amount / s.rate)
		s.next = max(s.next, now-min(gap, slack)) + gap
	}
}

// giveBack takes an amount back that was noted and not sent.
func (s *spacer) giveBack(amount float64) {
	if s.rate > 0 {
		s.next -= seconds(amount / s.rate)
	}
}

// heed sets the rate that follows from an allowance, until its reset; 0 removes the bound.
func (s *spacer) heed(now time.Duration, a allowance, rate float64) {
	if s.rate = rate; rate > 0 {
		s.next, s.upTo = min(max(s.next, now), now+seconds(1/rate)), now+a.reset
	}
}
