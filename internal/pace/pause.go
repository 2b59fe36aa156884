package pace

import "time"

// A pause stops all requests to the endpoint.
type pause struct {
	on      bool // there is one, and no request was sent since its end
	from    time.Duration
	until   time.Duration
	why     string
	resumed time.Duration // when the last one ended
	bad     int           // failures since without an answer between them
	rounds  int           // pauses since without an answer
}

// hold begins a pause, or makes it longer.
func (p *pause) hold(now, d time.Duration, why string) {
	if !p.on {
		p.on, p.from = true, now
	}
	if now+d > p.until {
		p.until, p.why = now+d, why
	}
}

// A spread lets workers come back one after the other after a pause: where base
// were in flight at its begin, one more may be after every gap.
type spread struct {
	base  int
	gap   time.Duration // 0: it is over
	begun time.Duration
}
