package pace

import (
	"cmp"
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
	case m.quota == 0 && gap >= time.Millisecond:
		m.next = max(m.next, now-min(gap, slack)) + gap
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
		m.rate, m.growth, m.from = max(minRate, m.rate/2), m.rate/40, now
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
