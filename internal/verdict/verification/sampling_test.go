package verification

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
)

// A sampler replies to each question with one of some words. To greedy requests it
// always replies with the first.
type sampler struct {
	r       *rand.Rand
	words   int     // different replies to each question
	decay   float64 // the probability of each word is this share of the one before
	greedy  bool
	down    func(call int) bool
	refuses bool
	calls   int
}

func (s *sampler) reply(seq int64) verbatim.Record {
	s.calls++
	rec := verbatim.Record{Seq: seq, Outcome: verbatim.Errored}
	switch {
	case s.refuses:
		rec.Failure = &verbatim.Failure{Class: verbatim.BadAsk, Status: http.StatusBadRequest}
		return rec
	case s.down != nil && s.down(s.calls):
		rec.Failure = &verbatim.Failure{Class: verbatim.Overload, Status: http.StatusServiceUnavailable}
		return rec
	}
	word := 0
	for !s.greedy && word < s.words-1 && s.r.Float64() < s.decay {
		word++
	}
	return verbatim.Record{Seq: seq, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: fmt.Sprintf(" word %d \nand more %d", word, s.calls)}}
}

// playSampled sends all requests of a test.
func playSampled(t *testing.T, test *samplingTest, a, b *sampler) *SamplingResult {
	t.Helper()
	var done [2][]verbatim.Record
	var ended [2]bool
	for ended != [2]bool{true, true} {
		for side, s := range []*sampler{a, b} {
			if ended[side] {
				continue
			}
			requests, err := test.Source(side).Next(done[side])
			if err != nil {
				t.Fatal(err)
			}
			ended[side], done[side] = requests == nil, nil
			if len(requests) > InFlight {
				t.Fatalf("%d in flight", len(requests))
			}
			for _, r := range requests {
				if r.MaxTokens != SampledTokens+7 || *r.Params.Temperature != 1 {
					t.Fatalf("%+v", r)
				}
				done[side] = append(done[side], s.reply(r.Seq))
			}
		}
	}
	return test.Result()
}

// TestSampling compares endpoints of known distributions.
func TestSampling(t *testing.T) {
	zero := 0.0
	for _, c := range []struct {
		name          string
		a, b          sampler
		offered, full bool
		rejects       float64 // the least share of the tests that rejects
	}{
		{"the same", sampler{words: 10, decay: .5}, sampler{words: 10, decay: .5}, true, true, 0},
		{"one ignores the temperature", sampler{words: 10, decay: .5}, sampler{words: 10, greedy: true}, true, false, .9},
		{"another model", sampler{words: 10, decay: .3}, sampler{words: 10, decay: .9}, true, false, .95},
		{"always the same reply", sampler{words: 10, greedy: true}, sampler{words: 10, greedy: true}, true, true, 0},
		{"one refuses", sampler{words: 10, decay: .5}, sampler{refuses: true}, false, false, 0},
		{"an outage", sampler{words: 10, decay: .5}, sampler{words: 10, decay: .5, down: func(call int) bool { return call%4 == 0 }}, true, true, 0},
	} {
		rejected := 0
		tests := uint64(exhaustive.Of(20, 60))
		for seed := range tests {
			a, b := c.a, c.b
			a.r, b.r = rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 2))
			r := playSampled(t, NewSampling(verbatim.Params{Temperature: &zero}, 7, 0.0025, 1), &a, &b)
			if r.Offered != c.offered || !r.Finished || c.full && r.Calls+r.Unanswered[0]+r.Unanswered[1] != 2*samplingBlocks || r.Temperature != 1 {
				t.Fatalf("%s: %+v", c.name, *r)
			}
			if r.P <= 0.0025 {
				rejected++
			}
			if c.name == "an outage" && (r.Unanswered != [2]int{0, 25} || r.Pairs != 75) {
				t.Fatalf("%s: %+v", c.name, *r)
			}
			if c.name == "always the same reply" && (r.Different != [2]int{2, 2} || r.P != 1) {
				t.Fatalf("%s: %+v", c.name, *r)
			}
			if c.name == "one refuses" && b.calls > 2*InFlight {
				t.Fatalf("%s: %d requests to it", c.name, b.calls)
			}
		}
		if share := float64(rejected) / float64(tests); share < c.rejects || c.rejects == 0 && rejected > 0 {
			t.Errorf("%s: %.2f reject, want at least %.2f", c.name, share, c.rejects)
		}
	}
}

// A temperature of the user is used, if there is any randomness at it.
func TestSamplingTemperature(t *testing.T) {
	for given, want := range map[float64]float64{0: 1, 0.3: 0.3, 1.5: 1.5} {
		if got := NewSampling(verbatim.Params{Temperature: &given}, 0, .01, 1).Temperature(); got != want {
			t.Errorf("%v: %v, want %v", given, got, want)
		}
	}
	if got := NewSampling(verbatim.Params{}, 0, .01, 1).Temperature(); got != 1 {
		t.Errorf("no temperature: %v", got)
	}
}

// TestSamplingResume continues a test at every point: nothing is sent twice, and the result is
// that of a test without a break.
func TestSamplingResume(t *testing.T) {
	reply := func(seq int64, shift int64) verbatim.Record {
		return verbatim.Record{Seq: seq, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: strings.Repeat("x", int((seq*seq+shift)%5))}}
	}
	whole := NewSampling(verbatim.Params{}, 0, 0, 1)
	for side := range int64(2) {
		for seq := range int64(samplingBlocks) {
			rec := reply(seq, side*seq)
			whole.Resume(int(side), &rec)
		}
	}
	want := whole.Result()
	if !want.Finished || want.Pairs != samplingBlocks || math.IsNaN(want.P) {
		t.Fatalf("%+v", *want)
	}
	for cut := int64(0); cut < samplingBlocks; cut += 9 {
		test := NewSampling(verbatim.Params{}, 0, 0, 1)
		for side := range int64(2) {
			for seq := range cut {
				rec := reply(seq, side*seq)
				test.Resume(int(side), &rec)
			}
		}
		sent := 0
		for side := range int64(2) {
			source := test.Source(int(side))
			var done []verbatim.Record
			for {
				requests, err := source.Next(done)
				if err != nil {
					t.Fatal(err)
				}
				if requests == nil {
					break
				}
				done = nil
				for _, r := range requests {
					sent++
					done = append(done, reply(r.Seq, side*r.Seq))
				}
			}
		}
		if got := test.Result(); !reflect.DeepEqual(got, want) || sent != 2*int(samplingBlocks-cut) {
			t.Errorf("after %d: %+v with %d requests, want %+v", cut, *got, sent, *want)
		}
	}
}
