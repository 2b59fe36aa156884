package pace

import (
	"math/bits"
	"time"
)

const (
	// Before the first answer nothing is known: few go at once, and one more every
	// openEvery, up to openMost.
	openFew, openMost = 4, 32
	openEvery         = 25 * time.Millisecond

	plateau   = 1.25 // what twice as many must bring, at least, for more to be tried
	worth     = 1.2  // what half as many more must bring
	enough    = 0.95 // the share of the best throughput that the fewest are looked for at
	slower    = 1.4  // the latency, relative to what was usual, from which fewer are tried
	faster    = 0.75 // and from which more are
	trialWait = 8    // rounds until a first trial of more
	longTrial = 128  // and at most
)

// A knee finds how many requests in flight a server has use for: the fewest
// that bring nearly its best throughput. By Little's law a throughput is the
// number in flight over the time that each takes; so every answer is a sample of
// the throughput at the number in flight that it met. Samples are kept by half
// octaves of that number.
//
// While more bring more, every answer makes room for one more, which doubles the
// number in the time of an answer. When twice as many bring little, the limit is
// set to the fewest that are enough, and is held. From time to time half as many
// more are tried for a round or two, ever more rarely; and fewer are tried when
// answers have become slower.
type knee struct {
	limit  float64 // now
	target float64 // that limit moves to, by one for each answer
	most   float64 // that may ever be
	begun  bool    // the first request was sent, at first
	first  time.Duration
	seen   bool // there was an answer
	bins   [64]bin

	base   float64 // where it was settled; 0: it is still rising
	usual  float64 // latency there; 0: not measured yet
	recent float64 // latency now, smoothed
	count  int     // answers at the limit since it was settled
	wait   int     // rounds until the next trial
	trial  *trial
	quiet  int // answers for which nothing grows
}

// A bin holds the samples of half an octave.
type bin struct{ n, flight, time float64 }

// A trial is an attempt at another number in flight.
type trial struct {
	to   float64
	skip int // answers that are not its own
	n    int
	time float64
}

func newKnee(most int) *knee {
	return &knee{limit: openFew, target: float64(most), most: float64(most), wait: trialWait}
}

// room returns how many may be in flight, and when more may be if no answer comes
// before; 0 is never.
func (k *knee) room(now time.Duration) (limit int, at time.Duration) {
	if k.seen || !k.begun {
		return max(1, int(min(k.limit, k.most))), 0
	}
	n := openFew + int((now-k.first)/openEvery)
	if n < openMost {
		at = k.first + time.Duration(n-openFew+1)*openEvery
	}
	return int(min(float64(min(n, openMost)), k.most)), at
}

// begin notes that a request is sent.
func (k *knee) begin(now time.Duration) {
	if !k.begun {
		k.begun, k.first = true, now
	}
}

// answered takes a sample: met is the number in flight when the request was sent,
// itself included, latency how long it took, in any unit; full says that the
// limit is what holds others back.
func (k *knee) answered(now time.Duration, met int, latency float64, full bool) {
	if !k.seen {
		open, _ := k.room(now)
		k.seen, k.limit = true, float64(open)
	}
	b := &k.bins[binOf(met)]
	if b.n > 64 { // forget slowly
		b.n, b.flight, b.time = b.n/2, b.flight/2, b.time/2
	}
	b.n, b.flight, b.time = b.n+1, b.flight+float64(met), b.time+latency
	if k.quiet > 0 {
		k.quiet--
		return
	}
	switch {
	case k.limit > k.target:
		k.limit = max(k.target, k.limit-1)
	case full && k.limit < k.target && k.limit < 4*float64(met)+1:
		k.limit = min(k.target, k.limit+1)
	}
	switch {
	case k.base == 0:
		if k.flat(binOf(met)) {
			k.settle()
		}
	case k.trial != nil:
		k.try(met, latency)
	case full && float64(met) >= 0.9*k.limit:
		k.watch(latency)
	}
}

// refused shrinks at once. apart says that the number in flight is the reason,
// and not the rate: then it is held below.
func (k *knee) refused(now time.Duration, met int, apart bool) {
	if !k.seen {
		open, _ := k.room(now)
		k.seen, k.limit = true, float64(open)
	}
	k.trial = nil
	k.limit = max(1, 0.8*min(k.limit, float64(met)))
	if apart {
		k.hold(float64(max(1, met-1)))
	}
}

// failed stops growth for a round.
func (k *knee) failed() { k.quiet = int(k.limit) }

// flat reports whether the octave that ends with bin i brings little more than
// the octave below it.
func (k *knee) flat(i int) bool {
	if i < 4 {
		return false
	}
	up, down := k.bins[i].plus(k.bins[i-1]), k.bins[i-2].plus(k.bins[i-3])
	return up.n >= 12 && down.n >= 6 && up.through() < plateau*down.through()
}

// settle sets the limit to the fewest that bring nearly the best throughput.
// Between samples a straight line is taken; the truth bends above it, so what is
// found is rather too many than too few.
func (k *knee) settle() {
	best := 0.0
	for _, b := range k.bins {
		if b.n >= 6 {
			best = max(best, b.through())
		}
	}
	var last bin
	for _, b := range k.bins {
		if b.n < 4 {
			continue
		}
		if y := b.through(); y >= enough*best {
			at := b.flight / b.n
			if last.n > 0 {
				from, y0 := last.flight/last.n, last.through()
				at = from + (at-from)*max(0, enough*best-y0)/(y-y0)
			}
			k.hold(at*1.1 + 1)
			return
		}
		last = b
	}
	k.hold(k.limit)
}

// hold settles at a number in flight.
func (k *knee) hold(n float64) {
	k.base = min(max(1, n), k.most)
	k.target, k.usual, k.recent, k.count, k.trial = k.base, 0, 0, 0, nil
}

// rise looks for the knee upwards from the present limit.
func (k *knee) rise() {
	k.bins = [64]bin{}
	k.base, k.target, k.trial, k.wait = 0, k.most, nil, trialWait
}

// watch compares the latency at the settled limit with what it was.
func (k *knee) watch(latency float64) {
	k.count++
	round := max(k.base, 8)
	if float64(k.count) <= round {
		return // sent before it was settled
	}
	if k.recent == 0 {
		k.recent = latency
	}
	k.recent += (latency - k.recent) / min(float64(k.count)-round, 4*round)
	switch rounds := float64(k.count) / round; {
	case rounds < 5:
	case k.usual == 0:
		k.usual = k.recent
	case k.recent > slower*k.usual && k.base > 1:
		k.start(max(1, k.base/2))
	case k.recent < faster*k.usual:
		k.rise()
	case rounds > float64(k.wait) && k.base < k.most:
		k.start(min(k.most, 1.5*k.base+1))
	}
}

func (k *knee) start(to float64) {
	k.trial = &trial{to: to, skip: int(2 * max(k.base, to))}
	k.target = to
}

// try takes a sample of a trial, and judges it when there are enough.
func (k *knee) try(met int, latency float64) {
	t := k.trial
	if t.skip--; t.skip >= 0 || float64(met) < 0.8*t.to || float64(met) > 1.2*t.to+1 {
		return
	}
	t.n++
	t.time += latency
	if t.n < max(16, int(t.to)) {
		return
	}
	gain := (t.to / t.time * float64(t.n)) / (k.base / k.recent)
	switch up := t.to > k.base; {
	case up && gain >= 1+(worth-1)*(t.to/k.base-1)/0.5:
		k.rise()
	case !up && gain >= enough:
		k.hold(t.to)
		k.wait = trialWait
	case up:
		k.wait = min(2*k.wait, longTrial)
		k.hold(k.base)
	default:
		k.hold(k.base) // it is slow with fewer, too: that is usual now
	}
}

// binOf returns the half octave of a number: 4 and 5 share one, 6 and 7, 8 to 11.
func binOf(n int) int {
	n = max(1, n)
	i := bits.Len(uint(n)) - 1
	if n >= 1<<i+1<<i>>1 && i > 0 {
		return min(2*i+1, 63)
	}
	return min(2*i, 63)
}

func (b bin) plus(o bin) bin { return bin{b.n + o.n, b.flight + o.flight, b.time + o.time} }

// through returns the throughput of a bin's samples.
func (b bin) through() float64 {
	if b.time <= 0 {
		return 0
	}
	return b.flight / b.time
}
