package pace

import (
	"math"
	"time"
)

const (
	// Before the first answer nothing is known: few go at once, and one more every
	// openEvery, up to openMost.
	openFew, openMost = 4, 16
	openEvery         = 30 * time.Millisecond

	plateau = 1.25 // what twice as many must bring, at least, for more to be tried
	worth   = 1.1  // what half as many more must bring
	enough  = 0.93 // the share of the best throughput that the fewest are looked for at
	samples = 128  // of a trial, at most, where it is not clear before
	// lightMost first answers say how long one takes without a queue; one that takes
	// queued times as long makes little room.
	lightMost, queued = 8, 1.7
	asGood            = 0.97 // the share that fewer must bring to be as good
	slower            = 1.4  // the latency, relative to what was usual, from which fewer are tried
	faster            = 0.75 // and from which more are
	steady            = 48   // samples that say what latency is usual, at least
	trialWait         = 6    // rounds until a first trial of more
	longTrial         = 128  // and at most
)

// A knee finds how many requests in flight a server has use for: the fewest
// that bring nearly its best throughput. By Little's law a throughput is the
// number in flight over the time that each takes; so every answer is a sample of
// the throughput at the number in flight that it met. Samples are kept by half
// octaves of that number.
//
// While more bring more, every answer makes room for one or two more, which
// doubles the number, or more, in the time of an answer. When twice as many bring little, the limit is
// set to the fewest that are enough, and is held. From time to time half as many
// more are tried for a round or two, less and less often. When they bring no more, or
// the server says that they wait in its queue, the limit goes back to that level. Fewer
// are tried when answers have become slower, and after trials of more have become rare.
type knee struct {
	limit  float64 // now
	target float64 // that limit moves to, by one for each answer
	most   float64 // that may ever be
	begun  bool    // the first request was sent, at first
	first  time.Duration
	seen   bool // there was an answer
	bins   [64]bin

	base  float64 // where it was settled; 0: it is still rising
	usual float64 // latency there; 0: not measured yet
	now   bin     // the newest samples there
	count int     // answers at the limit since it was settled
	lean  bool    // fewer were tried and bring less
	wait  int     // rounds until the next trial of more
	trial *trial
	quiet int // answers for which nothing grows
	// left is the level from which the limit rises again, with the samples and the wait
	// there: if more brings no more, the limit goes back to it.
	left level
	// sight is how far the limit may be ahead of the numbers that answers have met:
	// the first time far, so that it starts fast.
	sight float64
	light bin // the first answers, when there was little in flight
}

// A level is a number in flight at which the limit was settled.
type level struct {
	base float64
	now  bin
	wait int
}

// A trial is an attempt at another number in flight.
type trial struct {
	bin
	to   float64
	skip int // answers that are not its own
}

func newKnee(most int) *knee {
	return &knee{limit: openFew, target: float64(most), most: float64(most), wait: trialWait, sight: 4}
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

// gap returns how far apart requests should be sent while the limit rises for the
// first time, where answers take so many seconds: as twice as many as there are
// would be. A limit that rises by leaps would meet a server's limits by chance.
func (k *knee) gap(latency float64) time.Duration {
	if k.base > 0 || k.sight < 4 || !k.seen {
		return 0
	}
	return seconds(latency / (2 * k.limit))
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
		b.n, b.flight, b.time, b.square = b.n/2, b.flight/2, b.time/2, b.square/2
	}
	b.add(met, latency)
	if k.quiet > 0 {
		k.quiet--
		return
	}
	switch {
	case k.limit > k.target:
		k.limit = max(k.target, k.limit-1)
	case full && k.limit < k.target && k.limit < k.sight*float64(met)+1:
		step := 1.0
		if k.limit >= openMost/2 {
			step = k.sight / 2
		}
		if k.light.n < lightMost {
			k.light.add(met, latency)
		} else if latency*k.light.n > queued*k.light.time {
			step = 0.25
		}
		k.limit = min(k.target, k.limit+step)
	}
	switch {
	case k.base == 0:
		if best, ok := k.flat(binOf(met)); ok {
			k.settle(best)
		}
	case k.trial != nil:
		k.try(met, latency)
	case full && float64(met) >= 0.9*k.limit:
		k.watch(met, latency)
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

// queued lowers the limit because so many of the requests in flight wait in the server's
// queue, at most by half at a time: others may use the server too.
func (k *knee) queued(inFlight, waiting int) {
	n := float64(max(1, inFlight-waiting, inFlight/2))
	if n >= k.limit {
		return
	}
	if k.trial != nil && n <= k.base && k.base < k.trial.to {
		k.triedInVain()
	}
	k.hold(n)
	k.limit = k.base
}

// failed stops growth for a round.
func (k *knee) failed() { k.quiet = int(k.limit) }

// flat reports whether the octave that ends with bin i brings little more than
// the octave below it, and what they bring.
func (k *knee) flat(i int) (best float64, ok bool) {
	if i < 4 {
		return 0, false
	}
	up, down := k.bins[i].plus(k.bins[i-1]), k.bins[i-2].plus(k.bins[i-3])
	if up.n < 6 || down.n < 6 {
		return 0, false
	}
	gain, err := up.against(down)
	if gain+err > plateau || gain+2*err > plateau+0.3 {
		return 0, false
	}
	best = max(up.through(), up.plus(down).through())
	for _, b := range k.bins[i+1:] {
		if b.n >= 3 && b.through() > plateau*best {
			return 0, false // what more brought is known already
		}
	}
	return best, true
}

// settle sets the limit to the fewest that bring nearly the best throughput.
// Between samples a straight line is taken; the truth bends above it, so what is
// found is rather too many than too few.
func (k *knee) settle(best float64) {
	if l := k.left; l.base > 0 && best < worth*l.now.through() {
		k.hold(l.base)
		k.wait, k.lean = min(2*l.wait, longTrial), true
		return
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
			k.hold(math.Ceil(at*1.1 + 0.5))
			return
		}
		last = b
	}
	k.hold(k.limit)
}

// hold settles at a number in flight.
func (k *knee) hold(n float64) {
	k.base = min(max(1, math.Floor(n)), k.most)
	k.target, k.usual, k.now, k.count, k.trial, k.lean = k.base, 0, bin{}, 0, nil, false
}

// rise looks for the knee upwards from the present limit.
func (k *knee) rise() {
	k.left = level{k.base, k.now, k.wait}
	k.bins = [64]bin{}
	k.bins[binOf(int(k.base))] = k.now
	k.base, k.target, k.trial, k.wait, k.sight = 0, k.most, nil, trialWait, 2
}

// watch compares the latency at the settled limit with what it was. Right after
// settling fewer are tried, and from time to time more.
func (k *knee) watch(met int, latency float64) {
	k.count++
	round := max(k.base, 8)
	if float64(k.count) <= round {
		return // sent before it was settled
	}
	if k.now.n > max(samples/2, 2*k.base) {
		k.now = bin{k.now.n / 2, k.now.flight / 2, k.now.time / 2, k.now.square / 2}
	}
	k.now.add(met, latency)
	recent := k.now.time / k.now.n
	switch rounds := float64(k.count) / round; {
	case rounds < 4 || k.now.n < steady:
	case k.usual == 0:
		k.usual = recent
	case recent > slower*k.usual:
		k.hold(k.base) // it has changed: measure it again, and then fewer
	case recent < faster*k.usual:
		k.rise()
	case !k.lean && k.base > 2:
		k.start(0.75 * k.base)
	case rounds > float64(k.wait):
		k.start(1.5*k.base + 1)
	}
}

// start begins a trial of another number in flight.
func (k *knee) start(to float64) {
	to = min(max(1, math.Floor(to)), k.most)
	k.trial = &trial{to: to, skip: int(2 * max(k.base, to))}
	k.target = to
}

// try takes a sample of a trial, and judges it as soon as it is clear.
func (k *knee) try(met int, latency float64) {
	t := k.trial
	if t.skip--; t.skip >= 0 || math.Abs(float64(met)-t.to) > 0.1*t.to {
		return
	}
	t.add(met, latency)
	gain, err := t.against(k.now)
	need := asGood
	if t.to > k.base {
		need = 1 + (worth-1)*(t.to/k.base-1)/0.5
	}
	up := t.to > k.base
	clear := math.Abs(gain-need) >= 2*err
	if up && gain < need { // each answer takes longer meanwhile; a later trial mends an error
		clear = need-gain >= err
	}
	if t.n < 16 || !clear && t.n < max(samples, 2*t.to) {
		return
	}
	switch {
	case up && gain >= need:
		k.rise()
	case !up && gain >= need:
		k.hold(t.to) // and then still fewer
		k.wait = trialWait
	default: // as many as these are needed, and no more: what they take is usual now
		if up {
			k.triedInVain()
		}
		k.hold(k.base)
		// That fewer brought less may have been chance: they are tried again when trials
		// of more are rare.
		k.lean = !up || k.wait < longTrial
	}
}

// triedInVain puts the next trial of more off: the present one brings only latency.
func (k *knee) triedInVain() {
	k.wait = min(2*k.wait, longTrial)
}
