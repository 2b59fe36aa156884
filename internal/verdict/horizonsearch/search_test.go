package horizonsearch

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/stats/horizon"
	"verbatim/internal/testmain"
)

// The intervals of searches cover a limit that is known about as often as they say, and
// 80 items of a search give shorter intervals than 80 items at eight fixed lengths.
func TestSearchCovers(t *testing.T) {
	exhaustive.Only(t)
	for _, c := range []struct {
		name  string
		runs  int
		model madeUp
		width float64
		ahead int
	}{
		{"one at a time", 240, madeUp{24, 1.5, 0, 0}, 0, 1},
		{"lapses, eight at a time, stopping early", 80, madeUp{40, 2, 0.08, 0}, 0.75, 8},
	} {
		covered, width, items := 0, 0.0, 0
		fixedCovered, fixedWidth := 0, 0.0
		luck := rand.New(rand.NewPCG(3, 3))
		for i := range c.runs {
			config := searchOf(80, c.width, c.ahead)
			config.Seed = uint64(i)
			s := start(t, config, nil)
			items += len(play(t, s, luck.IntN, luckily(c.model, uint64(i))))
			in, wide := found(s.posterior.Estimate(), c.model)
			covered, width = covered+in, width+wide
			in, wide = found(design(t, c.model, uint64(i)), c.model)
			fixedCovered, fixedWidth = fixedCovered+in, fixedWidth+wide
		}
		n := float64(c.runs)
		t.Logf("%s: %d of %d intervals cover, %.2f doublings wide, %.0f items; 10 at each of 8 lengths: %d, %.2f",
			c.name, covered, c.runs, width/n, float64(items)/n, fixedCovered, fixedWidth/n)
		// Four standard errors below 95 %.
		if float64(covered) < n*0.95-4*math.Sqrt(n*0.95*0.05) {
			t.Errorf("%s: %d of %d intervals cover the limit, %.1f", c.name, covered, c.runs, c.model.limit())
		}
		if width >= 0.95*fixedWidth {
			t.Errorf("%s: intervals of searches are %.2f doublings wide, those of fixed lengths %.2f", c.name, width/n, fixedWidth/n)
		}
	}
}

// found reports whether the interval holds the limit, as 1 or 0, and its width. One that
// begins at no length is as wide as one that begins at the shortest.
func found(l horizon.Estimate, m madeUp) (covers int, width float64) {
	if l.Interval.Low <= m.limit() && m.limit() <= l.Interval.High {
		covers = 1
	}
	return covers, math.Log2(l.Interval.High / max(l.Interval.Low, float64(l.Shortest)))
}

// design estimates the limit from ten items at each of eight lengths.
func design(t *testing.T, m madeUp, seed uint64) horizon.Estimate {
	t.Helper()
	counts := make([]horizon.Counts, 9)
	for _, r := range fixed(m, seed) {
		n, _ := lengthOf(&r)
		c := &counts[bits.Len(uint(n))-1]
		c.Length = n
		c.N++
		if r.Grade.Exact {
			c.Right++
		}
	}
	f, err := horizon.Fit(counts[1:])
	if err != nil {
		t.Fatal(err)
	}
	return f.Estimate()
}

// fixed sends ten items at each of eight lengths.
func fixed(m madeUp, seed uint64) (records []verbatim.Record) {
	ask := luckily(m, seed)
	for i := range int64(80) {
		records = append(records, ask(verbatim.Request{Seq: i, Item: itemOf(i, 2<<(i%8))}))
	}
	return records
}

// A search that stops at any point and goes on from its records sends what it would
// have sent.
func TestSearchContinues(t *testing.T) {
	answer := luckily(madeUp{24, 1.5, 0.05, 0}, 5)
	whole := play(t, start(t, searchOf(60, 0, 1), nil), first, answer)
	if len(whole) != 60 {
		t.Fatalf("%d items were sent", len(whole))
	}
	rapid.Check(t, func(rt *rapid.T) {
		cut := rapid.IntRange(0, 60).Draw(rt, "cut")
		saved := whole[:cut:cut]
		// A store returns them in planned order.
		sorted := slices.SortedFunc(slices.Values(saved), func(a, b verbatim.Record) int { return int(a.Seq - b.Seq) })
		rest := play(t, start(t, searchOf(60, 0, 1), sorted), first, answer)
		for i, r := range append(saved, rest...) {
			if r.Seq != whole[i].Seq {
				rt.Fatalf("request %d is for position %d, without the interruption for %d", i, r.Seq, whole[i].Seq)
			}
		}
		if len(saved)+len(rest) != len(whole) {
			rt.Fatalf("%d items were sent, without the interruption %d", len(saved)+len(rest), len(whole))
		}
	})
}

func TestSearchEnds(t *testing.T) {
	always := func(right bool) func(verbatim.Request) verbatim.Record {
		return func(r verbatim.Request) verbatim.Record { return answeredAs(r.Seq, r.Item, right) }
	}
	for _, c := range []struct {
		want   StopReason
		width  float64
		answer func(verbatim.Request) verbatim.Record
	}{
		{AboveRange, 0, always(true)},
		{BelowRange, 0, always(false)},
		{NeverHalf, 0, luckily(madeUp{1e6, 2, 0.75, 0}, 1)},
		{Narrow, 0.75, luckily(madeUp{24, 6, 0, 0}, 1)},
		{ItemsUsed, 0, luckily(madeUp{24, 6, 0, 0}, 1)},
	} {
		s := start(t, searchOf(80, c.width, 1), nil)
		saved := play(t, s, first, c.answer)
		if s.StopReason() != c.want || !s.Finished() {
			t.Errorf("the search ended with %q after %d items, want %q", s.StopReason(), len(saved), c.want)
		}
		if spent := len(saved) == 80; spent != (c.want == ItemsUsed) || len(saved) < minAnswers {
			t.Errorf("%s: %d items", c.want, len(saved))
		}
		if again := start(t, searchOf(80, c.width, 1), saved); !again.Finished() {
			t.Errorf("%s: the same command would send more", c.want)
		}
		if again := start(t, searchOf(160, 0.1, 1), saved); (c.want == ItemsUsed || c.want == Narrow) && again.Finished() {
			t.Errorf("%s: with more items and a smaller width it would send no more", c.want)
		}
	}
}

// The end of a search with several requests in flight depends on all records that are
// saved, including answers that came after its end.
func TestSearchEndsByAll(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it computes for seconds, and nothing in it runs concurrently")
	}
	luck := rand.New(rand.NewPCG(9, 9))
	for seed := range uint64(20) {
		c := searchOf(80, 0.9, 8)
		c.Seed = seed
		saved := play(t, start(t, c, nil), luck.IntN, luckily(madeUp{24, 2, 0, 0}, seed))
		if s := start(t, c, saved); !s.Finished() {
			t.Errorf("seed %d: after %d items the same command would send more", seed, len(saved))
		}
	}
}

// An item without an answer counts as sent, carries no information, and is sent again
// first.
func TestSearchUnanswered(t *testing.T) {
	answer := luckily(madeUp{24, 1.5, 0, 0}, 1)
	lose := func(r verbatim.Request) verbatim.Record {
		if r.Seq%4 == 0 {
			return verbatim.Record{Seq: r.Seq, Item: r.Item, Outcome: verbatim.Errored}
		}
		return answer(r)
	}
	s := start(t, searchOf(40, 0, 1), nil)
	saved := play(t, s, first, lose)
	var lost []int64
	for _, r := range saved {
		if !r.Outcome.Answered() {
			lost = append(lost, r.Seq)
		}
	}
	if len(saved) != 40 || len(lost) == 0 {
		t.Fatalf("%d items were sent, %d of them without an answer", len(saved), len(lost))
	}
	l, err := HorizonOf(searched, saved, strictly)
	if err != nil || l.Unanswered != int64(len(lost)) || l.Answered != int64(40-len(lost)) {
		t.Errorf("%+v, %v", l, err)
	}
	again := start(t, searchOf(40, 0, 1), saved)
	if again.Finished() {
		t.Error("an item without an answer is not sent again")
	}
	var seqs []int64
	for _, r := range play(t, again, first, answer) {
		seqs = append(seqs, r.Seq)
	}
	if !slices.Equal(seqs, lost) {
		t.Errorf("sent again: %v, want %v", seqs, lost)
	}
}

// No more requests are sent than may be in flight.
func TestSearchWaits(t *testing.T) {
	s := start(t, searchOf(80, 0, 3), nil)
	var asked []verbatim.Request
	for range 10 {
		requests, err := s.Next(nil)
		if err != nil || requests == nil {
			t.Fatalf("%v, %v", requests, err)
		}
		asked = append(asked, requests...)
	}
	if len(asked) != 3 {
		t.Fatalf("%d requests are in flight", len(asked))
	}
	requests, err := s.Next([]verbatim.Record{answeredAs(asked[1].Seq, asked[1].Item, true)})
	if err != nil || len(requests) != 1 {
		t.Errorf("after an answer: %v, %v", requests, err)
	}
	if now := s.Progress(); now.Sent != 3 || now.Allowed != 80 || now.Known {
		t.Errorf("%+v", now)
	}
}

// No position is sent twice, and none outside the allowed lengths, even where a length
// has run out of items.
func TestSearchPlaces(t *testing.T) {
	c := searchOf(100, 0, 3)
	for n := range c.Positions {
		c.Positions[n] = c.Positions[n][:8]
	}
	c.Lengths = []int{8, 11, 16, 23, 32, 45}
	luck := rand.New(rand.NewPCG(1, 1))
	s := start(t, c, nil)
	saved := play(t, s, luck.IntN, luckily(madeUp{20, 2, 0, 0}, 2))
	seen := map[int64]bool{}
	for _, r := range saved {
		if n, _ := lengthOf(&r); seen[r.Seq] || !slices.Contains(c.Lengths, n) {
			t.Errorf("position %d of length %d is sent, before: %v", r.Seq, n, seen[r.Seq])
		}
		seen[r.Seq] = true
	}
	if len(saved) != 48 {
		t.Errorf("%d of 48 items were sent", len(saved))
	}
}

func TestSearchRefuses(t *testing.T) {
	for _, lengths := range [][]int{nil, {8}, {8, 4}, {0, 4}} {
		c := searchOf(10, 0, 1)
		c.Lengths = lengths
		if _, err := New(c, nil); err == nil {
			t.Errorf("lengths %v are searched", lengths)
		}
	}
	odd := answeredAs(0, &verbatim.Item{ID: "odd"}, true)
	if _, err := New(searchOf(10, 0, 1), []verbatim.Record{odd}); err == nil {
		t.Error("an item without a length is searched")
	}
	if _, err := HorizonOf(searched, nil, strictly); err == nil {
		t.Error("a search without answers has a limit")
	}
}

func TestLimitOf(t *testing.T) {
	l, err := HorizonOf(searched, fixed(madeUp{24, 2, 0, 0}, 4), strictly)
	if err != nil {
		t.Fatal(err)
	}
	if l.L50 == nil || !(l.Low < *l.L50 && *l.L50 < l.High) || l.Text == "" || l.Answered != 80 {
		t.Errorf("%+v", l)
	}
	right, of, last := int64(0), int64(0), 1.0
	for _, n := range l.Lengths {
		right, of = right+n.Right, of+n.Of
		if !(0 <= n.Low && n.Low <= n.Share && n.Share <= n.High && n.High <= 1 && n.Share <= last) {
			t.Errorf("the curve at %d: %+v", n.Length, n)
		}
		last = n.Share
	}
	if of != 80 || right < 20 || right > 60 || len(l.Lengths) != len(searched) {
		t.Errorf("%d of %d right at %d lengths", right, of, len(l.Lengths))
	}
	beyond, err := HorizonOf(searched, fixed(madeUp{1e6, 2, 0, 0}, 4), strictly)
	if err != nil || beyond.L50 != nil || beyond.Text != "> 256" || beyond.Above < 0.9 {
		t.Errorf("%+v, %v", beyond, err)
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }

// A madeUp model is right with the probabilities of a known curve.
type madeUp struct{ half, slope, lapse, floor float64 }

func (m madeUp) share(length int) float64 {
	return m.floor + (1-m.lapse-m.floor)/(1+math.Exp(m.slope*math.Log2(float64(length)/m.half)))
}

// limit is the length at which it is right half of the time; 0 if no length is.
func (m madeUp) limit() float64 {
	if m.lapse >= 0.5 {
		return 0
	}
	p := (0.5 - m.floor) / (1 - m.lapse - m.floor)
	return m.half * math.Exp2(-math.Log(p/(1-p))/m.slope)
}

var searched = []int{2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256}

func strictly(r *verbatim.Record) bool { return r.Grade.Exact }

// searchOf deals the positions of the lengths in turn, as a plan does.
func searchOf(items int, width float64, ahead int) Config {
	places := map[int][]int64{}
	for i := range int64(1000) {
		for j, n := range searched {
			places[n] = append(places[n], i*int64(len(searched))+int64(j))
		}
	}
	return Config{Lengths: searched, Positions: places, Items: items, Width: width, MaxInFlight: ahead, Right: strictly, Seed: 1,
		Request: func(position int64) (verbatim.Request, error) {
			return verbatim.Request{Seq: position, Item: itemOf(position, searched[position%int64(len(searched))])}, nil
		}}
}

func itemOf(position int64, length int) *verbatim.Item {
	return &verbatim.Item{ID: fmt.Sprintf("x/%d", position), Facts: map[string]string{verbatim.FactLength: strconv.Itoa(length)}}
}

func answeredAs(position int64, item *verbatim.Item, right bool) verbatim.Record {
	outcome := verbatim.Wrong
	if right {
		outcome = verbatim.Pass
	}
	return verbatim.Record{Seq: position, Item: item, Outcome: outcome, Grade: &verbatim.Grade{Outcome: outcome, Exact: right}}
}

func start(t testing.TB, c Config, saved []verbatim.Record) *Search {
	t.Helper()
	s, err := New(c, saved)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// play answers the requests of a search, in virtual time, as a run does: pick chooses
// the request in flight that is answered next, and the search gets nothing after it has
// ended. It returns the records in the order in which they came.
func play(t testing.TB, s *Search, pick func(n int) int, answer func(verbatim.Request) verbatim.Record) []verbatim.Record {
	t.Helper()
	var flight []verbatim.Request
	var saved, done []verbatim.Record
	ended := false
	for {
		if !ended {
			requests, err := s.Next(done)
			if err != nil {
				t.Fatal(err)
			}
			if flight = append(flight, requests...); len(flight) > s.MaxInFlight {
				t.Fatalf("%d requests are in flight, at most %d may be", len(flight), s.MaxInFlight)
			}
			done, ended = nil, requests == nil
			if len(requests) > 0 && len(flight) < s.MaxInFlight {
				continue
			}
		}
		if len(flight) == 0 {
			if !ended {
				t.Fatal("the search waits for answers, and nothing is in flight")
			}
			return saved
		}
		i := pick(len(flight))
		done = []verbatim.Record{answer(flight[i])}
		flight = slices.Delete(flight, i, i+1)
		saved = append(saved, done...)
	}
}

// luckily answers as a made-up model does. An item has the same answer whenever it is
// sent.
func luckily(m madeUp, seed uint64) func(verbatim.Request) verbatim.Record {
	return func(r verbatim.Request) verbatim.Record {
		n, _ := strconv.Atoi(r.Item.Facts[verbatim.FactLength])
		return answeredAs(r.Seq, r.Item, rand.New(rand.NewPCG(seed, uint64(r.Seq))).Float64() < m.share(n))
	}
}

func first(int) int { return 0 }
