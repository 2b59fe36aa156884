package horizonsearch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"verbatim"
)

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
