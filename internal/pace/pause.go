package pace

import "time"

// A pause stops all requests to the endpoint.
type pause struct {
	on      bool // there is a pause, and no request was sent since its end
	from    time.Duration
	until   time.Duration
	why     string
	resumed time.Duration // when the last pause ended
	bad     int           // failures since the last pause or answer
	rounds  int           // pauses since the last answer
}

// hold begins a pause, or extends the current one to d from now.
func (p *pause) hold(now, d time.Duration, why string) {
	if !p.on {
		p.on, p.from = true, now
	}
	if now+d > p.until {
		p.until, p.why = now+d, why
	}
}

// A spread lets workers continue one after the other after a pause. base requests were in flight
// when it began, and one more may be after every gap.
type spread struct {
	base  int
	gap   time.Duration // 0: it is over
	begun time.Duration
}
