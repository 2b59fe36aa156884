package pace

import (
	"math"
	"math/bits"
	"time"

	"verbatim"
)

const (
	// At first start requests are in flight. They are sent over the time opening, if no answer comes
	// before.
	start   = 16
	opening = 240 * time.Millisecond
	// The limit rises to growth times as many, and later from a settled one to regrowth times as
	// many, in the time of an answer.
	growth, regrowth = 4, 2

	// The following are ratios of throughputs.
	plateau = 1.25 // that of twice as many in flight, at least, for the limit to rise further
	worth   = 1.1  // that of half as many more, at least, for a trial of more to succeed
	enough  = 0.93 // that of fewer in flight, at least, for the limit to be settled there

	slower    = 1.4 // the ratio of two latencies that shows another load of the server
	samples   = 96  // of a trial, at most, if its outcome is not clear before
	trialWait = 6   // rounds until the first trial of more
)

// A knee finds the number of requests in flight that a server has use for: the smallest that
// has nearly the best throughput. By Little's law the throughput is the number in flight
// divided by the latency. So every answer is a sample of the throughput at the number in
// flight when its request was sent. Samples are in bins by half octaves of that number.
//
// The first requests are spaced, so that a server that allows few refuses one of them and not many.
// While more in flight bring more throughput, every answer raises the limit, which multiplies it in
// the time of an answer. When twice as many bring little more, the limit is settled at the smallest
// number that is enough. From time to time half as many more are tried for a round or two, less and
// less often. If they bring no more, or if the server reports that requests wait in its queue, the
// limit returns to the settled one. Fewer are tried when answers have become slower, and when trials
// of more have become rare.
type knee struct {
	limit   float64
	target  float64 // limit moves to it, by one for each answer
	highest float64 // limit is never above it
	seen    bool    // there was an answer or a refusal
	bins    [64]bin

	base  float64 // the settled limit; 0: it is still rising
	usual float64 // latency at base; 0: not measured yet
	now   bin     // the newest samples at base
	count int     // answers at the limit since it was settled
	lean  bool    // fewer were tried and have less throughput
	wait  int     // rounds until the next trial of more
	trial *trial  // nil: none
	quiet int     // the number of answers for which limit stays
	// left is the level from which the limit rises again. If more in flight bring no more
	// throughput, the limit returns to it.
	left   level
	growth float64 // the number in flight relative to that a round of answers before, at most
	light  bin     // the first answers, when few requests were in flight
}

// A level is a settled limit, with the fields now and wait of the knee there.
type level struct {
	base float64
	now  bin
	wait int
}

// A trial has the samples at another number in flight.
type trial struct {
	bin
	to   float64
	skip int // the number of answers before the first sample: their requests were sent earlier
}

// newKnee returns a knee whose limit begins at first, at least start, and is at most highest.
func newKnee(first, highest int) *knee {
	return &knee{limit: float64(min(max(first, start), highest)), target: float64(highest), highest: float64(highest), wait: trialWait, growth: growth}
}

// room returns how many requests may be in flight.
func (k *knee) room() int { return max(1, int(min(k.limit, k.highest))) }

// see notes that there is an answer or a refusal. At the first, the limit begins at the greatest number
// that was in flight.
func (k *knee) see(peak int) {
	if !k.seen {
		k.seen, k.limit = true, float64(peak)
	}
}

// gap returns the time between requests while the limit rises for the first time, for a latency in
// seconds; 0: requests need not be spaced. It is the time between requests of growth times as many in
// flight. Without it, requests are sent in bursts, and a server that refuses one of them refuses many.
func (k *knee) gap(latency float64) time.Duration {
	switch {
	case !k.seen:
		return seconds(opening.Seconds() / k.limit)
	case k.base > 0 || k.growth < growth:
		return 0
	}
	return seconds(latency / (growth * k.limit))
}

// answered adds the sample of an answer. met is the number in flight when its request was sent,
// itself included. latency is in any unit, the same for all. full says that further requests wait
// because of the limit.
func (k *knee) answered(met int, latency float64, full bool) {
	b := &k.bins[binOf(met)]
	if b.n > 64 { // forget slowly
		*b = b.halved()
	}
	b.add(met, latency)
	if k.quiet > 0 {
		k.quiet--
		return
	}
	switch {
	case k.limit > k.target:
		k.limit = max(k.target, k.limit-1)
	case full && k.limit < k.target:
		step := 1.0
		if k.limit >= start/2 {
			step = k.growth - 1
		}
		if k.light.n < start/2 {
			k.light.add(met, latency)
		} else if latency*k.light.n > slower*k.light.time {
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

// refused lowers the limit at once. byNumber says that the reason is the number in flight, and not
// the rate: then the limit is settled below it.
func (k *knee) refused(met int, byNumber bool) {
	k.trial = nil
	k.limit = max(1, 0.8*min(k.limit, float64(met)))
	if byNumber {
		k.hold(float64(max(1, met-1)))
	}
}

// queued lowers the limit by the number of requests that wait in the server's queue, by half of
// those in flight at most: the waiting ones may be those of others.
func (k *knee) queued(inFlight, waiting int) {
	n := float64(max(1, inFlight-waiting, inFlight/2))
	if n >= k.limit {
		return
	}
	if k.trial != nil && n <= k.base && k.base < k.trial.to {
		k.delayTrial()
	}
	k.hold(n)
	k.limit = k.base
}

// failed keeps the limit for a round.
func (k *knee) failed() { k.quiet = int(k.limit) }

// flat reports whether the octave that ends with bin i has little more throughput than the octave
// below it. best is the throughput.
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
			return 0, false // more in flight are known to have more throughput
		}
	}
	return best, true
}

// settle settles the limit at the smallest number in flight with nearly the best throughput. It
// interpolates linearly between samples. The throughput is concave, so the result is rather too high
// than too low.
func (k *knee) settle(best float64) {
	if l := k.left; l.base > 0 && best < worth*l.now.through() {
		k.hold(l.base)
		k.wait, k.lean = min(2*l.wait, samples), true
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

// hold settles the limit at n.
func (k *knee) hold(n float64) {
	k.base = min(max(1, math.Floor(n)), k.highest)
	k.target, k.usual, k.now, k.count, k.trial, k.lean = k.base, 0, bin{}, 0, nil, false
}

// rise lets the limit rise again from the settled one.
func (k *knee) rise() {
	k.left = level{k.base, k.now, k.wait}
	k.bins = [64]bin{}
	k.bins[binOf(int(k.base))] = k.now
	k.base, k.target, k.trial, k.wait, k.growth = 0, k.highest, nil, trialWait, regrowth
}

// watch compares the latency at the settled limit with the usual one. Soon after the limit was
// settled fewer are tried, and from time to time more.
func (k *knee) watch(met int, latency float64) {
	k.count++
	round := max(k.base, 8)
	if float64(k.count) <= round {
		return // sent before it was settled
	}
	if k.now.n > max(samples, 2*k.base) {
		k.now = k.now.halved()
	}
	k.now.add(met, latency)
	recent := k.now.time / k.now.n
	switch rounds := float64(k.count) / round; {
	case rounds < 4 || k.now.n < samples/2:
	case k.usual == 0:
		k.usual = recent
	case recent > slower*k.usual:
		k.hold(k.base) // measure the usual latency again, and then try fewer
	case slower*recent < k.usual:
		k.rise()
	case !k.lean && k.base > 2:
		k.probe(0.75 * k.base)
	case rounds > float64(k.wait):
		k.probe(1.5*k.base + 1)
	}
}

// start begins a trial of another number in flight.
func (k *knee) probe(to float64) {
	to = min(max(1, math.Floor(to)), k.highest)
	k.trial = &trial{to: to, skip: int(2 * max(k.base, to))}
	k.target = to
}

// try adds a sample to the trial, and ends the trial as soon as its outcome is clear.
func (k *knee) try(met int, latency float64) {
	t := k.trial
	if t.skip--; t.skip >= 0 || math.Abs(float64(met)-t.to) > 0.1*t.to {
		return
	}
	t.add(met, latency)
	gain, err := t.against(k.now)
	up, need := t.to > k.base, enough
	if up {
		need = 1 + (worth-1)*(t.to/k.base-1)/0.5
	}
	isClear := math.Abs(gain-need) >= 2*err
	if up && gain < need { // decide early: answers take longer meanwhile, and a later trial corrects an error
		isClear = need-gain >= err
	}
	if t.n < 16 || !isClear && t.n < max(samples, 2*t.to) {
		return
	}
	switch {
	case up && gain >= need:
		k.rise()
	case !up && gain >= need:
		k.hold(t.to) // still fewer are tried next
		k.wait = trialWait
	default: // the settled limit is right: its latency is measured again
		if up {
			k.delayTrial()
		}
		k.hold(k.base)
		// That fewer had less throughput may have been chance: they are tried again when
		// trials of more are rare.
		k.lean = !up || k.wait < samples
	}
}

// delayTrial doubles the time until the next trial of more: the present one brings only latency.
func (k *knee) delayTrial() { k.wait = min(2*k.wait, samples) }

// usualSpread is the standard deviation of service times, relative to their mean, that is assumed
// at least. The latencies of answers that wait in a queue do not show it.
const usualSpread = 0.6

// A bin holds the samples of half an octave of the number in flight: how many they are, and the sums
// of the numbers in flight, of the latencies and of their squares.
type bin struct{ n, flight, time, square float64 }

// binOf returns the index of the half octave of a number: 4 and 5 have the same, 6 and 7, 8 to 11.
func binOf(n int) int {
	n = max(1, n)
	i := bits.Len(uint(n)) - 1
	if n >= 1<<i+1<<i>>1 && i > 0 {
		return min(2*i+1, 63)
	}
	return min(2*i, 63)
}

func (b bin) plus(o bin) bin {
	return bin{b.n + o.n, b.flight + o.flight, b.time + o.time, b.square + o.square}
}

// halved returns the bin with half the weight of its samples.
func (b bin) halved() bin { return bin{b.n / 2, b.flight / 2, b.time / 2, b.square / 2} }

func (b *bin) add(met int, latency float64) {
	b.n++
	b.flight += float64(met)
	b.time += latency
	b.square += latency * latency
}

// against returns the throughput of b as a multiple of that of o, and the standard error of this
// ratio.
func (b bin) against(o bin) (gain, err float64) {
	if o.through() == 0 {
		return 0, math.Inf(1)
	}
	gain = b.through() / o.through()
	return gain, gain * math.Sqrt(max(b.variance()+o.variance(), usualSpread*usualSpread*(1/b.n+1/o.n)))
}

// variance returns the variance of the mean latency, relative to the square of this mean. It is
// doubled, because answers that waited in the same queue are not independent.
func (b bin) variance() float64 {
	mean := b.time / b.n
	return 2 * max(0, b.square/b.n/mean/mean-1) / b.n
}

// through returns the throughput of a bin's samples.
func (b bin) through() float64 {
	if b.time <= 0 {
		return 0
	}
	return b.flight / b.time
}

// A sizes learns which part of the latency is proportional to the length of an answer, so that
// latencies of answers of different lengths can be compared. It has exponential means of the sizes
// and times, and their variance and covariance.
type sizes struct{ n, size, time, sizeSize, sizeTime float64 }

// latency returns the time that an answer of the mean length would have taken, for one of this size
// that took time. Times are in seconds. It learns from every call.
func (s *sizes) latency(time, size float64) float64 {
	if s.n < 128 {
		s.n++
	}
	w := 1 / s.n
	dSize, dTime := size-s.size, time-s.time
	s.size += w * dSize
	s.time += w * dTime
	s.sizeSize += w * (dSize*(size-s.size) - s.sizeSize)
	s.sizeTime += w * (dSize*(time-s.time) - s.sizeTime)
	if s.n < 16 || s.sizeSize <= 0 || s.size <= 0 || s.time <= 0 {
		return time
	}
	share := min(max(0, s.sizeTime/s.sizeSize*s.size/s.time), 0.98)
	return time / (1 - share + share*size/s.size)
}

// sizeOf returns the length of an answer: its tokens, or its bytes.
func sizeOf(r *verbatim.Reply) float64 {
	if c := r.Usage.Completion; c != nil && *c > 0 {
		return float64(*c)
	}
	return float64(len(r.Text) + len(r.Reasoning))
}
