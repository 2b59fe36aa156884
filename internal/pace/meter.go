package pace

import (
	"time"
)

const (
	// usualBurst is the size that is taken for a bucket of which only one refusal
	// is known. A second one tells the true size.
	usualBurst = 5
	// below is how far under a measured rate we stay.
	below = 0.985
	// precise is the error of a rate, relative to it, from which on it is held
	// instead of being crept up on.
	precise = 0.03
	// slowCreep is how long the way takes from the least that a somewhat uncertain
	// rate can be to the most; quickCreep, where more than a tenth of it is in doubt.
	slowCreep, quickCreep = 20 * time.Second, 4 * time.Second
	// firstProbe is how long a measured rate is held before it is tried whether
	// there is more; twice as long after each trial that found nothing.
	firstProbe, longProbe = 30 * time.Second, 16 * time.Minute
	// probeTurn is after how long the way up has become twice as steep.
	probeTurn = 10 * time.Second
	// trickle is the least time between requests that are sent to find out whether
	// a window is over.
	trickle = 20 * time.Millisecond
	// rolled is how many of those must be admitted before it is.
	rolled = 8
)

// A meter learns from refusals how many requests a server admits in a time. All
// its times are since one moment. It knows two kinds of servers: buckets that are
// filled at a rate, of which it paces requests just below that rate; and windows
// that admit so many and then none until they end, of which it sends that many as
// fast as they are answered, and then one to hear when the window ends.
type meter struct {
	since   time.Duration   // when sending began, after the last pause
	sent    []time.Duration // admissions since, the newest mostSent, refused ones taken out
	count   int             // how many in all since then
	refusal *refusal        // not yet learned from

	rate   float64       // requests a second at from; 0: not known
	growth float64       // by which the rate grows every second, after from
	from   time.Duration // when growing begins
	next   time.Duration // when the next request may go
	hold   time.Duration // the last time between a measurement and a trial
	size   float64       // of the bucket; 0: not known
	short  episode       // the shortest so far

	quota  int           // of a window; 0: there are none
	clean  bool          // count is that of one window
	extra  int           // requests beyond the quota
	answer time.Duration // how long a refusal takes
}

// A refusal is the first of those that belong to one pause.
type refusal struct {
	sent  time.Duration
	after time.Duration // what the server asked for; 0: nothing
}

// turn returns when the next request may go, by what is known of the server.
func (m *meter) turn() time.Duration { return m.next }

// pace returns the rate at a time, requests a second.
func (m *meter) pace(now time.Duration) float64 {
	up := max(0, now-m.from)
	return m.rate + m.growth*up.Seconds()*(1+up.Seconds()/probeTurn.Seconds())
}

// admit notes that a request is sent. gap is how long the next should wait for
// its own sake, while nothing is known.
func (m *meter) admit(now, gap time.Duration) {
	if len(m.sent) == mostSent {
		m.sent = append(m.sent[:0], m.sent[mostSent/2:]...)
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
		// A late timer's time is made good, as far as the bucket surely has it.
		gap := seconds(1 / m.pace(now))
		m.next = max(m.next, now-max(min(gap, slack), seconds((m.size-2)/2/m.pace(now)))) + gap
	case m.quota == 0 && gap >= time.Millisecond:
		m.next = max(m.next, now-min(gap, slack)) + gap
	}
}

// refuse notes that a request that was sent at a time was refused.
func (m *meter) refuse(sent, now, after time.Duration) {
	m.answer += (now - sent - m.answer) / 4
	if sent < m.since {
		return // of an episode that is learned from already
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

// resume learns from the refusals before a pause that is over, and starts again.
func (m *meter) resume(now time.Duration) {
	if m.refusal != nil {
		m.learn(now, *m.refusal)
		m.sent, m.count, m.extra, m.clean = m.sent[:0], 0, 0, true
		m.since, m.refusal = now, nil
	}
}

func (m *meter) learn(now time.Duration, r refusal) {
	// A bucket asks for the time until its next token; who has admitted many times
	// what such a bucket would have admitted counts by windows. Waits are rounded
	// up to whole seconds, so one of a second says nothing.
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

// measure estimates a bucket's rate.
func (m *meter) measure(now time.Duration, r refusal) {
	var e episode
	for i := len(m.sent) - 1; i >= 0; i-- {
		if m.sent[i] <= r.sent {
			e = append(e, (r.sent - m.sent[i]).Seconds())
		}
	}
	least := 0.1
	if r.after > 0 {
		least = 0.5 / r.after.Seconds()
	}
	if len(e) == 0 {
		m.rate, m.growth, m.from = max(least, m.rate/2), m.rate/40, now
		return
	}
	size := m.size
	if size == 0 {
		size = min(usualBurst, float64(len(e))*0.8)
	}
	rate, span := e.rate(size)
	if both, size, ok := agree(e, m.short, max(rate, m.rate, least)); m.short != nil && ok {
		m.size, rate = size, both
		_, span = e.burst(rate)
	}
	if _, s := m.short.burst(max(rate, least)); m.short == nil || span < s {
		m.short = e
	}
	m.aim(now, rate, span, least)
}

// aim sets the pace by a measured rate: it is held just below it where it was
// measured well, and begins low and creeps up where it was not.
func (m *meter) aim(now time.Duration, rate, span, least float64) {
	before := m.rate
	doubt := 1e6
	if span > 0 {
		doubt = 1 / span
	}
	if doubt > precise*rate {
		low := max(below*(rate-doubt), rate/2, least)
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
	m.rate, m.growth, m.from = max(below*rate, least), rate/100, now+m.hold
}

// innocent reports whether the rate cannot be why a request that was sent at a
// time was refused: a bucket as it is known was nearly full.
func (m *meter) innocent(sent time.Duration) bool {
	if m.rate == 0 || len(m.sent) == 0 || m.quota > 0 {
		return false
	}
	var e episode
	for i := len(m.sent) - 1; i >= 0 && len(e) < 64; i-- {
		e = append(e, max(0, sent-m.sent[i]).Seconds())
	}
	size := m.size
	if size == 0 {
		size = usualBurst
	}
	used, _ := e.burst(m.rate / below)
	return used < 0.5*size
}

// foreseen reports whether a refusal is what the meter waits for: a window's
// quota is used up.
func (m *meter) foreseen() bool { return m.quota > 0 && m.count >= m.quota }
