package pace

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"
)

const (
	// usualBurst is the size that a bucket is assumed to have after the first refusal. A
	// second one shows the true size.
	usualBurst = 5
	// below is the rate of requests relative to the measured rate.
	below = 0.985
	// precise is the relative error of a measured rate up to which the rate is held. With a
	// larger error it begins low and grows.
	precise = 0.03
	// slowCreep is how long the rate grows from the lowest value within the error to the
	// highest. It is quickCreep if the error is more than a tenth of the rate.
	slowCreep, quickCreep = 20 * time.Second, 4 * time.Second
	// firstProbe is how long a measured rate is held before it grows to probe for more. The
	// time doubles after each probe that found no more, up to longProbe.
	firstProbe, longProbe = 30 * time.Second, 16 * time.Minute
	// probeTurn is the time after which the rate grows twice as fast.
	probeTurn = 10 * time.Second
	// trickle is the shortest time between requests that are sent to see whether a window
	// has ended.
	trickle = 20 * time.Millisecond
	// rolled is how many of these must be admitted for the window to have ended.
	rolled = 8
)

// A meter learns from refusals how many requests a server admits per time. All its times are
// since one moment. It knows two kinds of servers. A bucket is filled at a rate: the meter spaces
// requests just below this rate. A window admits a quota of requests, and then none until it ends:
// the meter sends the quota as fast as requests are answered, and then single ones until one is
// admitted.
type meter struct {
	since   time.Duration   // when sending began, after the last pause
	sent    []time.Duration // admissions since then without the refused ones, the newest maxSent
	count   int             // the number of all admissions since then
	refusal *refusal        // not yet learned from

	rate   float64       // requests per second at from; 0: unknown
	growth float64       // of rate per second, after from
	from   time.Duration // when rate begins to grow
	next   time.Duration // when the next request may be sent
	hold   time.Duration // how long the last measured rate was held before a probe
	size   float64       // of the bucket; 0: unknown
	short  episode       // the shortest so far

	quota  int           // of a window; 0: there are no windows
	clean  bool          // count is that of a single window
	extra  int           // requests beyond the quota
	answer time.Duration // how long a refusal takes
}

// A refusal is the first of the refusals before a pause.
type refusal struct {
	sent  time.Duration
	after time.Duration // the wait that the server asked for; 0: none
}

// pace returns the rate at a time, in requests per second.
func (m *meter) pace(now time.Duration) float64 {
	up := max(0, now-m.from)
	return m.rate + m.growth*up.Seconds()*(1+up.Seconds()/probeTurn.Seconds())
}

// admit notes that a request is sent. gap is how long the next one waits while no limit is known.
func (m *meter) admit(now, gap time.Duration) {
	if len(m.sent) == maxSent {
		m.sent = append(m.sent[:0], m.sent[maxSent/2:]...)
	}
	m.sent = append(m.sent, now)
	m.count++
	switch {
	case m.quota > 0 && m.count >= m.quota:
		if m.extra++; m.extra > rolled {
			m.count, m.extra, m.clean = rolled, 0, false
			break
		}
		m.next = now + max(trickle, m.answer*3/2)
	case m.rate > 0:
		// The delay of a late timer is made up for, as far as the bucket has enough.
		gap := seconds(1 / m.pace(now))
		m.next = max(m.next, now-max(min(gap, slack), seconds((m.size-2)/2/m.pace(now)))) + gap
	case m.quota == 0 && gap > 0:
		if m.next < now-min(gap, slack) { // the request waited for something other than its turn
			m.next = now
		}
		m.next += gap
	}
}

// refuse notes that a request, sent at the time sent, was refused. after is the wait that the server
// asked for.
func (m *meter) refuse(sent, now, after time.Duration) {
	m.answer += (now - sent - m.answer) / 4
	if sent < m.since {
		return // it belongs to an episode that is learned from already
	}
	for i := len(m.sent) - 1; i >= 0 && m.sent[i] >= sent; i-- {
		if m.sent[i] == sent {
			m.sent = append(m.sent[:i], m.sent[i+1:]...)
			break
		}
	}
	m.count--
	switch {
	case m.refusal == nil:
		m.refusal = &refusal{sent: sent, after: after}
	case sent < m.refusal.sent:
		m.refusal.sent = sent
	}
}

// resume learns from the refusals before a pause that is over, and begins a new episode.
func (m *meter) resume(now time.Duration) {
	if m.refusal != nil {
		m.learn(now, *m.refusal)
		m.sent, m.count, m.extra, m.clean = m.sent[:0], 0, 0, true
		m.since, m.refusal = now, nil
	}
}

func (m *meter) learn(now time.Duration, r refusal) {
	// A bucket asks for the time until its next token. A server that has admitted many
	// times as many requests as a bucket with this time counts by windows. Waits are
	// rounded up to whole seconds, so a wait of a second shows nothing.
	slow := (r.after - time.Second).Seconds()
	windowed := slow > 0 && float64(m.count) > 10+4*(r.sent-m.since).Seconds()/slow
	switch {
	case windowed && (m.quota == 0 || m.clean || m.count > m.quota):
		m.quota, m.rate = m.count, 0
	case windowed:
		m.rate = 0
	case m.quota > 0 && m.count > rolled: // the end of a window comes within a second
		if m.clean {
			m.quota = m.count
		}
	default:
		m.quota = 0
		m.measure(now, r)
	}
}

// measure estimates the rate of a bucket.
func (m *meter) measure(now time.Duration, r refusal) {
	var e episode
	for i := len(m.sent) - 1; i >= 0; i-- {
		if m.sent[i] <= r.sent {
			e = append(e, (r.sent - m.sent[i]).Seconds())
		}
	}
	minRate := 0.1
	if r.after > 0 {
		minRate = 0.5 / r.after.Seconds()
	}
	if len(e) == 0 {
		m.rate = max(minRate, m.rate/2)
		m.growth, m.from = m.rate/40, now
		return
	}
	size := cmp.Or(m.size, min(usualBurst, float64(len(e))*0.8))
	rate, span := e.rate(size)
	if common, size, ok := agree(e, m.short, max(rate, m.rate, minRate)); m.short != nil && ok {
		m.size, rate = size, common
		_, span = e.burst(rate)
	}
	if _, s := m.short.burst(max(rate, minRate)); m.short == nil || span < s {
		m.short = e
	}
	m.aim(now, rate, span, minRate)
}

// aim sets the rate by a measured one. A precise one is held just below. Otherwise the rate begins at
// the lowest value within the error and grows. rate and minRate are per second, span is in seconds.
func (m *meter) aim(now time.Duration, rate, span, minRate float64) {
	before := m.rate
	doubt := 1e6
	if span > 0 {
		doubt = 1 / span
	}
	if doubt > precise*rate {
		low := max(below*(rate-doubt), rate/2, minRate)
		creep := slowCreep
		if doubt > 0.1*rate {
			creep = quickCreep
		}
		m.rate, m.growth, m.from = low, max(min(2*doubt, rate, 2*low+10), low*precise)/creep.Seconds(), now
		return
	}
	if m.hold > 0 && rate < 1.1*before {
		m.hold = min(2*m.hold, longProbe)
	} else {
		m.hold = firstProbe
	}
	m.rate, m.growth, m.from = max(below*rate, minRate), rate/100, now+m.hold
}

// innocent reports whether the rate cannot be the reason why a request sent at the time sent was
// refused: a bucket of the known rate and size was nearly full.
func (m *meter) innocent(sent time.Duration) bool {
	if m.rate == 0 || len(m.sent) == 0 || m.quota > 0 {
		return false
	}
	var e episode
	for i := len(m.sent) - 1; i >= 0 && len(e) < 64; i-- {
		e = append(e, max(0, sent-m.sent[i]).Seconds())
	}
	used, _ := e.burst(m.rate / below)
	return used < 0.5*cmp.Or(m.size, usualBurst)
}

// foreseen reports whether the meter expects a refusal: the quota of a window is used up.
func (m *meter) foreseen() bool { return m.quota > 0 && m.count >= m.quota }

// maxSent bounds how many admissions an episode has.
const maxSent = 2048

// An episode is the admitted requests before a refusal: how many seconds before it each of them
// was sent, the newest first.
//
// A token bucket of size b that gains R tokens per second admits at most b + R·t requests in any
// time t. When it refuses a request, it is empty. So the bound holds with equality for the time
// from the moment when the bucket was last full to the refusal. Of all times that end with the
// refusal, this one requires the largest b for a given R: burst.
type episode []float64

// burst returns the size that a bucket of the given rate must have had, and how many seconds
// before the refusal it was last full. When the bucket refused, it had less than one token: a half
// is assumed.
func (e episode) burst(rate float64) (size, span float64) {
	size = math.Inf(-1)
	for i, ago := range e {
		if b := float64(i+1) - rate*ago; b > size {
			size, span = b, ago
		}
	}
	return size + 0.5, span
}

// rate returns the rate of a bucket of the given size, and the span in seconds over which it was
// measured: an error of one token is an error of 1/span in the rate. The rate is 0 if the bucket
// alone had enough for all that was sent.
func (e episode) rate(size float64) (rate, span float64) {
	low, high := 0.0, 1e6
	for range 60 {
		mid := (low + high) / 2
		if b, _ := e.burst(mid); b > size {
			low = mid
		} else {
			high = mid
		}
	}
	_, span = e.burst(low)
	return low, span
}

// agree returns the rate and the size of a bucket that explain both episodes. about is an estimate
// of the rate. ok is false if the episodes are too similar to determine them.
func agree(a, b episode, about float64) (rate, size float64, ok bool) {
	excess := func(r float64) float64 {
		x, _ := a.burst(r)
		y, _ := b.burst(r)
		return x - y
	}
	low, high := 0.0, 3*about
	if excess(low) < 0 {
		a, b = b, a
	}
	if excess(low) <= 0 || excess(high) >= 0 {
		return 0, 0, false
	}
	for range 60 {
		if mid := (low + high) / 2; excess(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	size, long := a.burst(low)
	_, short := b.burst(low)
	return low, size, size >= 1 && long > 2*short
}

// seconds returns a number of seconds as a Duration.
func seconds(s float64) time.Duration {
	if s >= 1e9 {
		return 1e9 * time.Second
	}
	return time.Duration(s * float64(time.Second))
}

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
