package pace

import (
	"fmt"
	"time"

	"verbatim"
)

// report reports the outcome of an attempt to the gate: a reply that took took, a failure, or neither
// if it was not sent. Its slot is free again.
func (p *Pacer) report(t *ticket, took time.Duration, reply *verbatim.Reply, f *verbatim.Failure) {
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	t.reported = true
	limit, _ := p.room(now)
	full := p.inFlight >= limit && p.waiting > 0
	p.inFlight--
	switch {
	case f != nil:
		p.failed(now, *t, f)
	case reply != nil:
		p.answered(now, *t, took, reply, full)
	}
	p.pump(now)
}

func (p *Pacer) answered(now time.Duration, t ticket, took time.Duration, reply *verbatim.Reply, full bool) {
	p.pause.bad, p.pause.rounds, p.hasAnswered = 0, 0, true
	if reply.Cost != nil {
		p.spent = plus(p.spent, max(0, *reply.Cost))
	}
	if u := reply.Usage; t.tokens > 0 && u.Prompt != nil && u.Completion != nil {
		over := t.tokens - float64(*u.Prompt) - float64(*u.Completion)
		p.tokens.giveBack(max(0, over))
	}
	if len(reply.Limits) > 0 && t.at >= p.headers.as {
		p.headers.as = t.at
		limit, _ := p.room(now)
		clock := p.start.Add(now)
		if a, ok := readAllowance(reply.Limits, requestHeaders, clock); ok {
			p.headers.requests.heed(now, a, a.rate(float64(p.inFlight), float64(limit)))
		}
		if a, ok := readAllowance(reply.Limits, tokenHeaders, clock); ok {
			p.headers.tokens.heed(now, a, a.rate(0, 0))
		}
	}
	if p.knee != nil {
		p.knee.answered(now, t.met, p.sizes.latency(took.Seconds(), sizeOf(reply)), full)
	}
}

// failed decides what a failure means for all requests: the end of the endpoint, a pause, or no
// further growth of the concurrency.
func (p *Pacer) failed(now time.Duration, t ticket, f *verbatim.Failure) {
	late := t.at < p.pause.resumed || p.pause.on && t.at < p.pause.from // it was sent before the pause
	switch {
	case ends(f.Class):
		p.stop(f)
	case f.Class == verbatim.Rate && f.After > longAfter:
		p.stop(&verbatim.Failure{Class: verbatim.Quota, Status: f.Status, After: f.After, Who: f.Who,
			Err:  fmt.Errorf("the server asks for a pause of %v", f.After.Round(time.Second)),
			Hint: "run the same command again when that time is over: answered items are saved"})
	case f.Class == verbatim.Rate:
		p.refused(now, t, f, late)
	case f.Class == verbatim.Overload && f.After > 0 && f.After <= longAfter:
		p.pause.hold(now, jittered(f.After), because(f))
		p.calm()
	case f.Class == verbatim.Deadline: // too many requests in flight may be the reason
		p.calm()
	case f.Class == verbatim.Overload || f.Class == verbatim.Transport:
		p.calm()
		if late || t.again {
			return
		}
		// Failures between answers are failures of single requests, even if every third
		// fails. Many failures without an answer between them are those of the endpoint.
		// Retries do not count: their requests fail more often than others.
		limit, _ := p.room(now)
		if p.pause.bad++; p.pause.bad >= min(manyBad, 2*limit) {
			p.pause.bad = 0
			p.pause.rounds++
			p.pause.hold(now, backoff(p.pause.rounds), because(f))
		}
	}
}

// manyBad is the number of failures without an answer between them after which all requests pause.
// If 30 % of requests fail, about one in 10,000 begins that many by chance.
const manyBad = 8

// refused handles a refusal of class rate.
func (p *Pacer) refused(now time.Duration, t ticket, f *verbatim.Failure, late bool) {
	if p.knee != nil {
		byNumber := f.After == 0 && p.meter.innocent(t.at)
		if !late && !p.meter.foreseen() {
			p.knee.refused(now, t.met, byNumber)
		}
		p.meter.refuse(t.at, now, f.After)
	}
	switch {
	case f.After > 0:
		p.pause.hold(now, jittered(f.After), because(f))
	case !late:
		p.pause.rounds++
		p.pause.hold(now, backoff(p.pause.rounds), because(f))
	}
}

// calm keeps the concurrency for a round: the latencies of a broken server do not show its capacity.
func (p *Pacer) calm() {
	if p.knee != nil {
		p.knee.failed()
	}
}

// because returns the reason of a pause in a few words.
func because(f *verbatim.Failure) string {
	s := string(f.Class)
	if f.Status != 0 {
		s = fmt.Sprintf("%s, HTTP %d", s, f.Status)
	}
	if f.After > 0 {
		s += fmt.Sprintf(", asked to wait %v", f.After.Round(time.Millisecond))
	}
	return s
}
