package verification_test

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/verdict/verification"
)

func TestParseArms(t *testing.T) {
	for text, want := range map[string]string{
		"all":                     "1,cold,plain 1,warm,streamed 16,cold,streamed 16,warm,plain",
		"1,new":                   "1,new",
		"1":                       "1,cold",
		"warm":                    "1,warm",
		"1,cold/16,warm,plain":    "1,cold 16,warm,plain",
		" streamed,4 / cold , 8 ": "4,cold,streamed 8,cold",
		"1,new/16,cold":           "1,new 16,cold",
	} {
		arms, err := verification.ParseArms(text)
		var names []string
		for _, a := range arms {
			names = append(names, a.String())
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	for text, reason := range map[string]string{
		"":              "empty word",
		"1,cold/":       "empty word",
		"tepid":         "new, cold, warm, streamed, plain",
		"1,all":         "all is a word for a whole list",
		"0,cold":        "1 to 256",
		"257":           "1 to 256",
		"1,2":           "two words of a kind",
		"cold,warm":     "two words of a kind",
		"1,cold/cold,1": "named twice",
		"16,warm/1,new": "must be the first",
	} {
		if _, err := verification.ParseArms(text); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, want an error with %q", text, err, reason)
		}
	}
}

// Each arm reads back, and each value of AllArms meets each value of another kind once.
func TestAllArms(t *testing.T) {
	arms := verification.AllArms()
	count := map[[2]string]int{}
	for _, a := range arms {
		if back, err := verification.ParseArms(a.String()); err != nil || !slices.Equal(back, []verification.Arm{a}) {
			t.Errorf("%s: %v, %v", a, back, err)
		}
		words := strings.Split(a.String(), ",")
		for i, x := range words {
			for _, y := range words[i+1:] {
				count[[2]string{x, y}]++
			}
		}
	}
	if len(count) != 12 {
		t.Errorf("%d pairs of values, want 12: %v", len(count), count)
	}
	for pair, n := range count {
		if n != 1 {
			t.Errorf("%v is in %d arms", pair, n)
		}
	}
}

func userText(texts ...string) (p verbatim.Prompt) {
	p = append(p, verbatim.Message{Role: "system", Content: []verbatim.Part{{Text: "be short"}}})
	for _, text := range texts {
		p = append(p, verbatim.Message{Role: "user", Content: []verbatim.Part{{Text: text}}})
	}
	return p
}

// A cold arm has a nonce of eight digits at the front of the first user text: the same one for the
// same key, and another one in another arm, or with another seed or key.
func TestNonce(t *testing.T) {
	cold, wide := verification.Arm{Concurrency: 1, Prefix: verification.Cold}, verification.Arm{Concurrency: 16, Prefix: verification.Cold}
	given := userText("first", "second")
	text := func(a verification.Arm, seed uint64, key string) string {
		p := a.Nonced(seed, key, given)
		if p[0].Content[0].Text != "be short" || p[2].Content[0].Text != "second" || given[1].Content[0].Text != "first" {
			t.Fatalf("%+v", p)
		}
		return p[1].Content[0].Text
	}
	one := text(cold, 1, "key")
	if !regexp.MustCompile(`^[0-9a-f]{8}\nfirst$`).MatchString(one) {
		t.Errorf("%q", one)
	}
	if again := text(cold, 1, "key"); again != one {
		t.Errorf("%q and %q", one, again)
	}
	for _, other := range []string{text(wide, 1, "key"), text(cold, 2, "key"), text(cold, 1, "other")} {
		if other == one {
			t.Errorf("%q twice", one)
		}
	}
	for _, prefix := range []verification.Prefix{verification.NewPrompts, verification.Warm} {
		if got := text(verification.Arm{Concurrency: 1, Prefix: prefix}, 1, "key"); got != "first" {
			t.Errorf("%s: %q", prefix, got)
		}
	}
}

// An arm has its number of requests in flight while each prompt is sent for the first
// time, and no prompt is sent again before its first request is answered.
func TestArmInFlight(t *testing.T) {
	for _, concurrency := range []int{1, 3, 16, 40} {
		arm := verification.Arm{Concurrency: concurrency, Prefix: verification.Cold}
		test, err := verification.New(verification.Config{Positions: positions(90), Alpha: .01, Share: .5, Arm: arm,
			Request: func(position int64) (verbatim.Request, error) { return verbatim.Request{Seq: position}, nil }})
		if err != nil {
			t.Fatal(err)
		}
		source := test.Source(0)
		open := map[int64]bool{} // by position
		most, mostFirst := 0, 0
		for {
			var done []verbatim.Record
			for seq := range open { // one is answered at a time, the earliest last
				done = []verbatim.Record{{Seq: seq, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: "x"}, Grade: &verbatim.Grade{}}}
			}
			if done != nil {
				delete(open, done[0].Seq)
			}
			requests, err := source.Next(done)
			if err != nil {
				t.Fatal(err)
			}
			if requests == nil {
				break
			}
			first := true
			for _, r := range requests {
				if r.Seq >= 90 && open[r.Seq-90] {
					t.Fatalf("%d: prompt %d is sent again before it is answered", concurrency, r.Seq-90)
				}
				open[r.Seq] = true
			}
			for seq := range open {
				first = first && seq < 90
			}
			most = max(most, len(open))
			if first {
				mostFirst = max(mostFirst, len(open))
			}
		}
		if mostFirst != concurrency || most != arm.MaxInFlight() {
			t.Errorf("%d: %d in flight the first time, %d at most", concurrency, mostFirst, most)
		}
	}
}

// A command over all arms has its rate of false alarms in all of them together, at the edge of the
// null hypothesis of the texts: half of them differ.
func TestArmFalseAlarms(t *testing.T) {
	exhaustive.Only(t)
	const attempts = 250
	arms := verification.AllArms()
	alarms := 0
	for i := range attempts {
		var results []*verification.Result
		for k, arm := range arms {
			w := world{prompts: 48, other: .5, own: .1, r: rand.New(rand.NewPCG(uint64(len(arms)*i+k), 11))}
			test, err := verification.New(verification.Config{Positions: positions(48), Alpha: .01, Tests: len(arms), Share: .5, MaxMissing: .02, Arm: arm,
				Request: func(position int64) (verbatim.Request, error) { return verbatim.Request{Seq: position}, nil }})
			if err != nil {
				t.Fatal(err)
			}
			result, _ := w.run(t, test)
			results = append(results, result)
		}
		verification.Combine(results)
		if slices.ContainsFunc(results, func(r *verification.Result) bool { return r.Word == verification.Differ }) {
			alarms++
		}
	}
	if limit := attempts*.01 + 4*math.Sqrt(attempts*.01); float64(alarms) > limit {
		t.Errorf("%d of %d commands, at most %.0f", alarms, attempts, limit)
	}
}
