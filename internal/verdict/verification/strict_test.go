package verification

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/stats/change"
)

// A strictSide replies to the calls of a strict test.
type strictSide struct {
	shift float64                   // of its log probabilities
	text  func(text, id int) string // of a prompt; the id counts the calls
	right func(text string) bool    // whether the text is exactly right; nil: never
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
	rec.Grade = &verbatim.Grade{Exact: s.right != nil && s.right(rec.Reply.Text)}
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

// strict runs a strict test. The prompts are called A, B and so on.
func strict(t *testing.T, seed uint64, all bool, sides [2]*strictSide) *Result {
	t.Helper()
	s := NewStrict(StrictConfig{Seed: seed, Alpha: .01, All: all, MaxMissing: .02})
	s.Logprobs = StrictLogprobs(seed, verbatim.Params{}, 1)
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
	if r := result(); r.Word == Differ && !all || r.TooMany {
		return r
	}
	var prompts []verbatim.Item
	for i := range StrictPrompts(60, all) {
		prompts = append(prompts, verbatim.Item{ID: fmt.Sprint(i), Facts: map[string]string{"k": string(rune('A' + i))}})
	}
	part := StrictTexts(seed, prompts, verbatim.Params{}, func(*verbatim.Item) (int, int) { return 9, 0 })
	s.Compare(part)
	for part != nil {
		part.play(t, sides)
		if ended, all := part.Progress(); ended < all {
			break
		}
		var err error
		if part, _, err = s.Next(); err != nil {
			t.Fatal(err)
		}
	}
	return result()
}

// pOf returns the p value of a probe.
func (r *Result) pOf(name ProbeName) float64 {
	for _, p := range r.Probes {
		if p.Name == name {
			return p.P
		}
	}
	return 1
}

func TestStrict(t *testing.T) {
	other := func(which string) func(int, int) string {
		return func(k, _ int) string {
			if strings.ContainsRune(which, rune(k)) {
				return "b"
			}
			return "a"
		}
	}
	once := func(which string, then func(int, int) string) func(int, int) string {
		sent := map[int]bool{}
		return func(k, call int) string {
			if strings.ContainsRune(which, rune(k)) && !sent[k] {
				sent[k] = true
				return "b"
			}
			return then(k, call)
		}
	}
	const every = "ABCDEFGHIJKLMNOPQRST"
	bet := func(r int) float64 { // what is left of a bet on a prompt that one side replies to differently, always
		firstA, firstB := change.LabelBet(1, 0, 1)
		a, b := change.LabelBet(r, 0, r)
		return (firstA*a + firstB*b) / 2
	}
	for _, c := range []struct {
		name                       string
		b                          strictSide
		word                       Word
		compared, differing, fresh int
		p                          float64 // of the part that decides
	}{
		{"alike", strictSide{}, NoDifference, screened, 0, 0, 1},
		{"log probabilities", strictSide{shift: 1e-6}, Differ, 0, 0, 0, 4. / 63504},
		{"one text of all", strictSide{text: other("A")}, Differ, 12, 1, oneChosen, 4. / 3432},
		{"every text", strictSide{text: other(every)}, Differ, screenedGroup, 4, 2 * twoChosen, betWeight / (bet(twoChosen) * bet(twoChosen))},
		{"a text beyond the compared ones", strictSide{text: other("Z")}, NoDifference, screened, 0, 0, 1},
		{"a text that is not confirmed", strictSide{text: once("C", other(""))}, NoDifference, screened, 1, oneChosen, 1},
		{"one that is not confirmed, and one that is", strictSide{text: once("D", other("B"))}, Differ, screened, 2, 2 * oneChosen, betWeight / bet(oneChosen)},
		{"goes away", strictSide{down: func(call int) bool { return call > 4 }}, Undecided, 0, 0, 0, 1},
	} {
		r := strict(t, 5, false, [2]*strictSide{{}, &c.b})
		p := 1.0
		for _, probe := range r.Probes {
			p = min(p, probe.P)
		}
		if r.Word != c.word || r.Strict.Screened != c.compared || r.Strict.Differing != c.differing || r.Strict.Fresh != c.fresh || p-c.p > 1e-12 || c.p-p > 1e-12 {
			t.Errorf("%s: %s, want %s: p %v, %+v", c.name, r.Word, c.word, p, r.Strict)
		}
	}
}

// Texts that vary on both sides alike hide that one side is right and the other one wrong. The exact
// answers show it.
func TestStrictAnswers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	vary := func(int, int) string { return fmt.Sprint(r.IntN(1e9)) }
	always := func(right bool) func(string) bool { return func(string) bool { return right } }
	flipped := strict(t, 5, false, [2]*strictSide{{text: vary, right: always(true)}, {text: vary, right: always(false)}})
	if a := flipped.Strict.Answers; flipped.Word != Differ || a.Compared != screenedGroup || a.Differing != screenedGroup || a.Fresh != 2*twoChosen || *a.Variation != 2 ||
		flipped.pOf(Exact) > flipped.Level || flipped.pOf(Texts) <= flipped.Level || flipped.ExactAlone != [2]int{screenedGroup, 0} {
		t.Errorf("%s, %+v, %+v", flipped.Word, a, flipped.Probes)
	}
	alike := strict(t, 5, false, [2]*strictSide{{text: vary, right: always(true)}, {text: vary, right: always(true)}})
	if alike.Word != NoDifference || alike.Strict.Answers.Differing != 0 || alike.ExactAlone != [2]int{} || alike.Exact != [2]int{alike.Prompts, alike.Prompts} {
		t.Errorf("alike: %s, %+v", alike.Word, alike.Strict)
	}
}

// Of several texts that differ, the two that differ earliest are sent again.
func TestStrictEarliest(t *testing.T) {
	sent := map[int]int{}
	b := &strictSide{text: func(k, _ int) string {
		sent[k]++
		return "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"[:1+(k*7)%32] + "b"
	}}
	a := &strictSide{text: func(int, int) string { return "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }}
	if r := strict(t, 5, false, [2]*strictSide{a, b}); r.Word != Differ || len(sent) != screenedGroup {
		t.Fatalf("%s, %v", r.Word, sent)
	}
	again, once := 0, 99 // the latest difference of a text that was sent again, the earliest of one that was not
	for k, n := range sent {
		if at := (k * 7) % 32; n > 1 {
			again = max(again, at)
		} else {
			once = min(once, at)
		}
	}
	if again >= once {
		t.Errorf("a text that differs at %d was sent again, and one that differs at %d was not", again, once)
	}
}

// With All the prompts that one probe needs no more are compared for the other one.
func TestStrictAll(t *testing.T) {
	b := &strictSide{text: func(k, _ int) string { return "b" }, right: func(text string) bool { return text == "b" }}
	r := strict(t, 5, true, [2]*strictSide{{}, b})
	if s := r.Strict; s.Screened != screenedGroup || s.Answers.Compared != screenedGroup || r.pOf(Texts) > r.Level || r.pOf(Exact) > r.Level {
		t.Errorf("%+v", s)
	}
	b.right = nil
	r = strict(t, 5, true, [2]*strictSide{{}, b})
	if s := r.Strict; s.Screened != screenedGroup || s.Answers.Compared != 60 || r.pOf(Exact) != 1 || !r.Finished {
		t.Errorf("%+v", s)
	}
}

// The calls that find a share of texts that differ with probability 0.8 are near the reference's:
// prompts up to the first that differs, and 14 fresh calls (verify.md, section 4).
func TestStrictCalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, share := range []float64{.25, .28, .32, .38, .4, .67, .83, .87, .92} {
		var calls []int
		for seed := range some(100, 400) {
			differs := map[int]bool{}
			for k := range screened {
				differs['A'+k] = rng.Float64() < share
			}
			b := &strictSide{text: func(k, _ int) string {
				if differs[k] {
					return "b"
				}
				return "a"
			}}
			r := strict(t, seed, false, [2]*strictSide{{}, b})
			n := 1 << 20
			if r.Word == Differ {
				n = 2 * (r.Strict.Screened + r.Strict.Fresh)
			}
			calls = append(calls, n)
		}
		slices.Sort(calls)
		reference := math.Ceil(2*math.Log(.2)/math.Log(1-share)) + 14
		if got := calls[len(calls)*8/10]; float64(got) > 1.5*reference {
			t.Errorf("a share of %v: %d calls, the reference has %v", share, got, reference)
		}
	}
}

// A side that varies by itself is found with at most 1.5 times the reference's calls in three of four
// tests: by texts, and by right answers. At temperature 0.1, 33 % of measured texts differ from the
// usual one and 3.3 % of right answers do, those of one prompt with any probability from 0 to 1.
func TestStrictVaries(t *testing.T) {
	for _, c := range []struct {
		name    string
		vary    float64 // share of the prompts whose replies vary
		most    int     // calls
		atLeast float64
	}{{"texts", .66, 72, .75}, {"exact", .066, 205, .75}} {
		rng := rand.New(rand.NewPCG(3, 9))
		within, runs := 0, some(100, 400)
		for seed := range runs {
			vary := map[int]float64{}
			for k := range 60 {
				if rng.Float64() < c.vary {
					vary['A'+k] = rng.Float64()
				}
			}
			b := &strictSide{text: func(k, call int) string {
				if rng.Float64() < vary[k] {
					return fmt.Sprint(call)
				}
				return "a"
			}}
			right := func(text string) bool { return text == "a" }
			r := strict(t, seed, true, [2]*strictSide{{right: right}, {text: b.text, right: right}})
			calls, p := r.Strict.Screened+r.Strict.Fresh, r.pOf(Texts)
			if c.name == "exact" {
				calls, p = r.Strict.Answers.Compared+r.Strict.Answers.Fresh, r.pOf(Exact)
			}
			if p <= r.Level && 2*calls <= c.most {
				within++
			}
		}
		if share := float64(within) / float64(runs); share < c.atLeast {
			t.Errorf("%s: found within %d calls in %v of the tests", c.name, c.most, share)
		}
	}
}

// Replies that vary by themselves are confirmed more than once, with more calls each time: so
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
		result := strict(t, seed, false, [2]*strictSide{{text: vary(.1)}, {text: vary(.8)}})
		if result.Word == Differ {
			found++
		}
		n := result.Strict.Confirmations
		confirmations[n]++
		times := 0
		for i := range n {
			times += timesFirst(i)
		}
		if fresh := result.Strict.Fresh; fresh < oneChosen*times || fresh > 2*twoChosen*times {
			t.Fatalf("%d fresh calls in %d confirmations", fresh, n)
		}
	}
	if found < 95 || confirmations[1] > 30 || confirmations[2]+confirmations[3] < 70 || confirmations[mostConfirmations] > 5 {
		t.Errorf("%d found, by confirmations: %v", found, confirmations)
	}
	if result := strict(t, 1, false, [2]*strictSide{{text: vary(.5)}, {text: vary(.5)}}); result.Word == Differ || result.Strict.Fresh > MostConfirmed {
		t.Errorf("alike: %s, %+v", result.Word, result.Strict)
	}
}

// Texts that vary by themselves, on both sides alike, are a difference no more often than alpha. So
// are texts of prompts that vary more and less, or hardly ever; states that last for many calls, and
// load that comes and goes, for both sides at once; and right answers that vary.
func TestStrictFalseAlarms(t *testing.T) {
	exhaustive.Only(t)
	runs, most := uint64(1000), 20 // one in 100 is expected at most; one more alarm than most has a probability below 0.001
	r := rand.New(rand.NewPCG(1, 2))
	uniform := func(texts int) func(uint64, int, int) string {
		return func(uint64, int, int) string { return fmt.Sprint(r.IntN(texts)) }
	}
	// of returns the same number from 0 to 1 for the same arguments.
	of := func(numbers ...uint64) float64 {
		h := uint64(0)
		for _, n := range numbers {
			h = rand.NewPCG(h, n).Uint64()
		}
		return rand.New(rand.NewPCG(h, 1)).Float64()
	}
	for _, c := range []struct {
		name string
		text func(seed uint64, k, call int) string
	}{
		{"two texts", uniform(2)},
		{"three texts", uniform(3)},
		{"50 texts", uniform(50)},
		{"prompts that vary more and less", func(seed uint64, k, call int) string {
			if r.Float64() < of(seed, uint64(k)) {
				return fmt.Sprint(5 + r.IntN(3))
			}
			return "0"
		}},
		{"few texts that vary", func(seed uint64, k, call int) string {
			if r.Float64() < .06 {
				return fmt.Sprint(5 + r.IntN(3))
			}
			return "0"
		}},
		{"states that last", func(seed uint64, k, call int) string {
			state := of(seed, uint64(k), uint64(call/6))
			if r.Float64() < .9 {
				return fmt.Sprint(int(10 * state))
			}
			return "9"
		}},
		{"load that comes and goes", func(seed uint64, k, call int) string {
			if of(seed, uint64(call/10)) < .5 && r.Float64() < of(seed, uint64(k)) {
				return fmt.Sprint(4 + r.IntN(3))
			}
			return "0"
		}},
	} {
		right := func(text string) bool { return text <= "4" }
		alarms, varied := 0, 0
		for seed := range runs {
			side := func() *strictSide {
				return &strictSide{text: func(k, call int) string { return c.text(seed, k, call) }, right: right}
			}
			result := strict(t, seed, seed%2 == 0, [2]*strictSide{side(), side()})
			if result.Word == Differ {
				alarms++
			}
			if result.Strict.Confirmations > 1 {
				varied++
			}
		}
		if alarms > most || varied < int(runs)/4 {
			t.Errorf("%s: %d false alarms in %d, %d with more than one confirmation", c.name, alarms, runs, varied)
		}
		t.Logf("%s: %d false alarms in %d", c.name, alarms, runs)
	}
}

// some returns few, or all where tests take all cases.
func some(few, all uint64) uint64 {
	if exhaustive.All() {
		return all
	}
	return few
}
