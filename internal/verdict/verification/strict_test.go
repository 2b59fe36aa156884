package verification

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
)

// A strictSide replies to the calls of a strict test.
type strictSide struct {
	shift float64                   // of its log probabilities
	text  func(text, id int) string // of a prompt; the id counts the calls
	down  func(call int) bool       // calls without a reply
	calls int
}

func (s *strictSide) reply(r verbatim.Request, k int) verbatim.Record {
	s.calls++
	if s.down != nil && s.down(s.calls) {
		return verbatim.Record{Seq: r.Seq, Outcome: verbatim.Errored, Failure: &verbatim.Failure{}}
	}
	rec := verbatim.Record{Seq: r.Seq, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: "a"}}
	if r.Params.Logprobs > 0 {
		var first verbatim.Token
		for i := range 6 {
			first.Top = append(first.Top, verbatim.Token{Text: fmt.Sprint(i), Logprob: -1 - float64(i) - s.shift})
		}
		rec.Reply.Tokens = []verbatim.Token{first}
	} else if s.text != nil {
		rec.Reply.Text = s.text(k, s.calls)
	}
	return rec
}

// play sends all calls of a part.
func (t *Repeats) play(test *testing.T, sides [2]*strictSide) {
	var done [2][]verbatim.Record
	for ended := [2]bool{}; ended != [2]bool{true, true}; {
		for side, s := range sides {
			if ended[side] {
				continue
			}
			requests, err := t.Source(side).Next(done[side])
			if err != nil || len(requests) > 1 {
				test.Fatalf("%d requests, %v", len(requests), err)
			}
			ended[side], done[side] = requests == nil, nil
			for _, r := range requests {
				done[side] = append(done[side], s.reply(r, int(r.Item.Facts["k"][0])))
			}
		}
	}
}

// strict runs a strict test.
func strict(t *testing.T, seed uint64, sides [2]*strictSide) *Result {
	t.Helper()
	limits := func(*verbatim.Item) (int, int) { return 9, 0 }
	s := &Strict{Alpha: .01, MaxMissing: .02, Logprobs: StrictLogprobs(seed, verbatim.Params{}, 1)}
	for i := range s.Logprobs.items {
		s.Logprobs.items[i].Facts = map[string]string{"k": "-"}
	}
	s.Logprobs.play(t, sides)
	s.NoLogprobs = s.Logprobs.Absence(Names())
	result := func() *Result {
		r, err := s.Result()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := result(); r.Word == Differ || r.TooMany {
		return r
	}
	var prompts []verbatim.Item
	for i := range 30 {
		prompts = append(prompts, verbatim.Item{ID: fmt.Sprint(i), Facts: map[string]string{"k": string(rune('A' + i))}})
	}
	s.Texts = StrictTexts(seed, prompts, verbatim.Params{}, limits)
	s.Texts.play(t, sides)
	for {
		needed, err := s.NeedsConfirmation()
		if err != nil {
			t.Fatal(err)
		}
		if !needed {
			break
		}
		s.Fresh = append(s.Fresh, s.Texts.Confirm(seed, len(s.Fresh)))
		s.Fresh[len(s.Fresh)-1].play(t, sides)
	}
	s.Screened = true
	return result()
}

func TestStrict(t *testing.T) {
	other := func(which string) func(int, int) string {
		return func(k, _ int) string {
			for i, one := range which {
				if k == int(one) {
					return "aaaaaaaa"[:i+1] + "b"
				}
			}
			return "a"
		}
	}
	once := func(k, call int) string {
		if call <= 2*strictRepeats+screened && k == 'C' {
			return "b"
		}
		return "a"
	}
	for _, c := range []struct {
		name             string
		b                strictSide
		word             Word
		differing, fresh int
		p                float64 // of the part that decides
	}{
		{"alike", strictSide{}, NoDifference, 0, 0, 1},
		{"log probabilities", strictSide{shift: 1e-6}, Differ, 0, 0, 4. / 63504},
		{"one text", strictSide{text: other("D")}, Differ, 1, oneChosen, 4. / 3432},
		{"two texts", strictSide{text: other("DF")}, Differ, 2, 2 * twoChosen, 8. / 4900},
		{"five texts", strictSide{text: other("BDFHT")}, Differ, 5, 2 * twoChosen, 8. / 4900},
		{"a text beyond the screened ones", strictSide{text: other("Z")}, NoDifference, 0, 0, 1},
		{"a text that is not confirmed", strictSide{text: once}, NoDifference, 1, oneChosen, 1},
		{"goes away", strictSide{down: func(call int) bool { return call > 4 }}, Undecided, 0, 0, 1},
	} {
		r := strict(t, 5, [2]*strictSide{{}, &c.b})
		p := 1.0
		for _, probe := range r.Probes {
			p = min(p, probe.P)
		}
		if r.Word != c.word || r.Strict.Differing != c.differing || r.Strict.Fresh != c.fresh || p-c.p > 1e-12 || c.p-p > 1e-12 {
			t.Errorf("%s: %s, want %s: p %v, %+v", c.name, r.Word, c.word, p, r.Strict)
		}
	}
}

// Replies that vary by themselves are confirmed up to three times, with twice the calls each time: so
// a change of their distribution is found that four calls of each cannot show.
func TestStrictDoubles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	vary := func(share float64) func(int, int) string {
		return func(int, int) string {
			if r.Float64() < share {
				return "b"
			}
			return "a"
		}
	}
	found, confirmations := 0, map[int]int{}
	for seed := range uint64(100) {
		result := strict(t, seed, [2]*strictSide{{text: vary(.1)}, {text: vary(.8)}})
		if result.Word == Differ {
			found++
		}
		n := result.Strict.Confirmations
		confirmations[n]++
		if want := 2 * twoChosen * (1<<n - 1); result.Strict.Fresh != want && result.Strict.Fresh != oneChosen*(1<<n-1) {
			t.Fatalf("%d fresh calls in %d confirmations", result.Strict.Fresh, n)
		}
	}
	if found < 95 || confirmations[1] > 30 || confirmations[2]+confirmations[3] < 70 {
		t.Errorf("%d found, by confirmations: %v", found, confirmations)
	}
	if result := strict(t, 1, [2]*strictSide{{text: vary(.5)}, {text: vary(.5)}}); result.Word == Differ || result.Strict.Fresh > MostConfirmed {
		t.Errorf("alike: %s, %+v", result.Word, result.Strict)
	}
}

// Texts that vary by themselves, on both sides alike, are a difference no more often than alpha.
func TestStrictFalseAlarms(t *testing.T) {
	exhaustive.Only(t)
	runs, most := uint64(1000), 20 // one in 100 is expected at most; one more alarm than most has a probability below 0.001
	r := rand.New(rand.NewPCG(1, 2))
	for _, texts := range []int{2, 3, 50} {
		vary := func(int, int) string { return fmt.Sprint(r.IntN(texts)) }
		alarms := 0
		for seed := range runs {
			if strict(t, seed, [2]*strictSide{{text: vary}, {text: vary}}).Word == Differ {
				alarms++
			}
		}
		if alarms > most {
			t.Errorf("%d texts: %d false alarms in %d", texts, alarms, runs)
		}
	}
}
