package sentinel

import (
	"math"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/draw"
)

// A scripted endpoint answers each request as a function says.
type scripted func(r verbatim.Request) verbatim.Record

func (f scripted) play(t *testing.T, s verbatim.Source) (sent int) {
	t.Helper()
	var done []verbatim.Record
	for {
		requests, err := s.Next(done)
		if err != nil {
			t.Fatal(err)
		}
		if requests == nil {
			return sent
		}
		done = nil
		for _, r := range requests {
			sent++
			done = append(done, f(r))
		}
	}
}

func says(r verbatim.Request, text string) verbatim.Record {
	return verbatim.Record{Seq: r.Seq, Item: r.Item, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: text}}
}

// withList adds log probabilities of two tokens to a reply: those of a gap, moved.
func withList(rec verbatim.Record, gap, moved float64) verbatim.Record {
	rec.Reply.Tokens = []verbatim.Token{{Text: rec.Reply.Text, Top: []verbatim.Token{{Text: "a", Logprob: -0.5 - moved}, {Text: "b", Logprob: -0.5 - moved - gap}}}}
	return rec
}

// TestEnrolmentWords draws single words.
func TestEnrolmentWords(t *testing.T) {
	mild := map[string]bool{}
	for w := range draw.MildWords().All() {
		mild[w] = true
	}
	for seed := range uint64(20) {
		for _, it := range NewEnrolment(EnrolmentConfig{Seed: seed}).Items() {
			if word := it.Prompt[0].Content[0].Text; strings.ContainsAny(word, " _") || !mild[word] {
				t.Fatalf("seed %d: the prompt %q", seed, word)
			}
		}
	}
}

// TestEnrolmentEmpty chooses no word whose answer is empty, and refuses an endpoint without others.
func TestEnrolmentEmpty(t *testing.T) {
	silent := NewEnrolment(EnrolmentConfig{Params: verbatim.Params{Logprobs: 20}})
	n := scripted(func(r verbatim.Request) verbatim.Record { return says(r, " ") }).play(t, silent)
	r := silent.Result()
	if n != candidates || r.Refusal == "" || !strings.Contains(r.Advice, "reason") || r.Empty != candidates || silent.Verdict() != refused {
		t.Errorf("after %d calls: %+v", n, r)
	}
	// Log probabilities come only with a token, here at every tenth word.
	rare := NewEnrolment(EnrolmentConfig{Params: verbatim.Params{Logprobs: 20}, Tolerance: 0.05})
	n = scripted(func(r verbatim.Request) verbatim.Record {
		if _, word, _ := readName(nameOf(&verbatim.Record{Item: r.Item})); word%10 != 7 {
			return says(r, "")
		}
		return withList(says(r, "x"), 0.4, 0)
	}).play(t, rare)
	if r := rare.Result(); !r.Logprobs || len(r.Items) != 12 || r.Refusal != "" || n != candidates+12*rounds {
		t.Errorf("after %d calls: %+v", n, r)
	}
}

// TestEnrolmentBand chooses words that have an answer and whose first two tokens lie in the band.
func TestEnrolmentBand(t *testing.T) {
	e := NewEnrolment(EnrolmentConfig{Params: verbatim.Params{Logprobs: 20}, Tolerance: 0.05})
	scripted(func(r verbatim.Request) verbatim.Record {
		_, word, _ := readName(nameOf(&verbatim.Record{Item: r.Item}))
		gap, text := []float64{0.1, 0.4, 0.7, 0.4}[word%4], []string{"x", "x", "x", ""}[word%4]
		return withList(says(r, text), gap, 0)
	}).play(t, e)
	r := e.Result()
	if len(r.Items) != enrolled {
		t.Errorf("%d items", len(r.Items))
	}
	for _, it := range r.Items {
		for word := range candidates {
			if e.prompts[word] == it.Word && word%4 != 1 {
				t.Errorf("word %d is chosen", word)
			}
		}
	}
}

// TestEnrolmentDraws chooses words by draws where there are no log probabilities: those of which
// the greedy answer is that of 6 to 9 of 10.
func TestEnrolmentDraws(t *testing.T) {
	same := func(word int) int { return []int{10, 8, 5, 9, 3, 10, 6}[word%7] }
	seen := map[string]int{}
	e := NewEnrolment(EnrolmentConfig{Params: verbatim.Params{Logprobs: 20}, Tolerance: 0.05})
	n := scripted(func(r verbatim.Request) verbatim.Record {
		name := nameOf(&verbatim.Record{Item: r.Item})
		word, k, ok := scan(name, "draw")
		seen[strings.SplitN(name, "/", 2)[0]]++
		switch {
		case !ok:
			return says(r, "g")
		case r.Params.Temperature == nil || *r.Params.Temperature != drawTemperature:
			t.Errorf("%s is sent at the temperature %v", name, r.Params.Temperature)
		case k < draws-same(word):
			return says(r, "other")
		}
		return says(r, "g")
	}).play(t, e)
	r := e.Result()
	if !r.Drawn || r.Logprobs || len(r.Items) != enrolled || r.Refusal != "" || seen["draw"] > mostDraws || n > e.config.most() {
		t.Errorf("after %d calls, %v: %+v", n, seen, r)
	}
	for _, it := range r.Items {
		for word := range candidates {
			if e.prompts[word] == it.Word && (same(word) < leastSame || same(word) > mostSame) {
				t.Errorf("%s is chosen with %d of %d draws", it.Word, same(word), draws)
			}
		}
	}
	// An endpoint that does not let us choose the temperature is watched with any
	// words.
	fixed := NewEnrolment(EnrolmentConfig{Tolerance: 0.05})
	scripted(func(r verbatim.Request) verbatim.Record {
		if strings.HasPrefix(nameOf(&verbatim.Record{Item: r.Item}), "draw/") {
			return verbatim.Record{Seq: r.Seq, Item: r.Item, Outcome: verbatim.Errored, Failure: &verbatim.Failure{Class: verbatim.BadAsk}}
		}
		return says(r, "g")
	}).play(t, fixed)
	if r := fixed.Result(); r.Drawn || len(r.Items) != enrolled || r.Refusal != "" {
		t.Errorf("%+v", r)
	}
}

// TestEnrolmentTexts adds whole texts, with a token limit of their own.
func TestEnrolmentTexts(t *testing.T) {
	e := NewEnrolment(EnrolmentConfig{Params: verbatim.Params{Logprobs: 20}, Tolerance: 0.05, Limit: 1, Texts: true})
	n := scripted(func(r verbatim.Request) verbatim.Record {
		if strings.Contains(r.Prompt[0].Content[0].Text, " ") != (r.MaxTokens == textTokens) {
			t.Errorf("%q has a limit of %d tokens", r.Prompt[0].Content[0].Text, r.MaxTokens)
		}
		return withList(says(r, "x"), 0.4, 0)
	}).play(t, e)
	r := e.Result()
	if len(r.Items) != enrolled+texts || !r.Items[enrolled].Text || r.Items[0].Text || n != enrolled+rounds*(enrolled+texts) {
		t.Errorf("after %d calls: %+v", n, r)
	}
	w, err := NewWatch(r, 0.01, 30, 1, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	long := 0
	for day := range 10 {
		today, err := w.Today(date(day), 0, verbatim.Params{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		scripted(func(r verbatim.Request) verbatim.Record {
			if r.MaxTokens == textTokens {
				long++
				return says(r, "another text")
			}
			return says(r, "x")
		}).play(t, today)
	}
	if _, alarm := w.Alarm(); !alarm || long == 0 {
		t.Errorf("alarm %t after %d texts", alarm, long)
	}
}

// TestDistances counts a call whose log probabilities lie further from the enrolled ones than all
// of these and than 0.2 nats, although its answer is the same.
func TestDistances(t *testing.T) {
	for _, c := range []struct {
		spread, moved float64 // of the enrolled calls, and of the later ones
		want          bool
	}{{0, 0.19, false}, {0, 0.21, true}, {0.3, 0.29, false}, {0.3, 0.4, true}} {
		e := NewEnrolment(EnrolmentConfig{Params: verbatim.Params{Logprobs: 20}, Tolerance: 0.05, Distances: true})
		calls := 0
		scripted(func(r verbatim.Request) verbatim.Record {
			moved := 0.0
			if round, _, _ := readName(nameOf(&verbatim.Record{Item: r.Item})); round == 3 || round == 12 {
				moved = c.spread
			}
			calls++
			return withList(says(r, "x"), 0.4, moved)
		}).play(t, e)
		r := e.Result()
		if len(r.Items) != enrolled || r.Deviations != 0 || r.Items[0].Radius == nil || math.Abs(*r.Items[0].Radius-max(c.spread, leastRadius)) > 1e-9 {
			t.Fatalf("%+v: %+v", c, r)
		}
		later := newCall(new(withList(says(verbatim.Request{Item: &e.items[0]}, "x"), 0.4, c.moved)), nil)
		if got := r.Items[0].deviates(&later); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
		if bare := newCall(new(says(verbatim.Request{Item: &e.items[0]}, "x")), nil); r.Items[0].deviates(&bare) {
			t.Errorf("%+v: a reply without log probabilities deviates", c)
		}
	}
}
