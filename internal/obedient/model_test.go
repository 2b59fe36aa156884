package obedient

import (
	"encoding/json"
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
)

func ask(t *testing.T, m *Model, text string, maxTokens int, p verbatim.Params) verbatim.Reply {
	t.Helper()
	r, err := recordtest.Ask(t.Context(), m, verbatim.Request{Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}, MaxTokens: maxTokens, Params: p})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestObeys answers the wordings that the tests of endpoints use.
func TestObeys(t *testing.T) {
	m, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	stop := verbatim.Params{Extra: map[string]json.RawMessage{"stop": json.RawMessage(`["4"]`)}}
	for _, c := range []struct {
		text      string
		maxTokens int
		params    verbatim.Params
		want      string
		finish    verbatim.Finish
	}{
		{"Count from 1 to 5. Write only the numbers, separated by spaces.", 0, verbatim.Params{}, "1 2 3 4 5", verbatim.FinishStop},
		{"Count from 1 to 5. Write only the numbers, separated by spaces.", 2, verbatim.Params{}, "1 2 ", verbatim.FinishLength},
		{"Count from 1 to 5. Write only the numbers, separated by spaces.", 0, stop, "1 2 3 ", verbatim.FinishStop},
		{"Copy this line exactly. Write nothing else.\n\né x", 0, verbatim.Params{}, "é x", verbatim.FinishStop},
		{"What is 17 + 25? Reply with the number only.", 0, verbatim.Params{}, "42", verbatim.FinishStop},
		{"The secret code is 123.\n\nwords.\n\nWhat is the secret code? Reply with the code only.", 0, verbatim.Params{}, "123", verbatim.FinishStop},
	} {
		if r := ask(t, m, c.text, c.maxTokens, c.params); r.Text != c.want || r.Finish != c.finish {
			t.Errorf("%q: %q, %s, want %q, %s", c.text, r.Text, r.Finish, c.want, c.finish)
		}
	}
}

// TestLanguage compares builds: the same one answers alike, another one lies some sigma apart.
func TestLanguage(t *testing.T) {
	models := map[string]*Model{}
	for name, knobs := range map[string]url.Values{"a": nil, "same": {"build": {"3"}}, "other": {"build": {"3"}, "sigma": {"0.3"}}, "jitter": {"jitter": {"0.3"}}} {
		m, err := New(knobs)
		if err != nil {
			t.Fatal(err)
		}
		models[name] = m
	}
	p := verbatim.Params{Logprobs: 20}
	apart := func(x, y *Model) (mean float64) {
		for _, word := range strings.Fields(words) {
			a, b := ask(t, x, word, 1, p).Tokens[0].Top, ask(t, y, word, 1, p).Tokens[0].Top
			of := map[string]float64{}
			for _, other := range b {
				of[other.Text] = other.Logprob
			}
			n, sum := 0, 0.0
			for _, other := range a {
				if q, ok := of[other.Text]; ok {
					n, sum = n+1, sum+math.Abs(q-other.Logprob)
				}
			}
			mean += sum / float64(n) / float64(len(strings.Fields(words)))
		}
		return mean
	}
	if d := apart(models["a"], models["same"]); d != 0 {
		t.Errorf("another build without sigma lies %v apart", d)
	}
	if d := apart(models["a"], models["other"]); d < 0.15 || d > 0.35 {
		t.Errorf("sigma 0.3 lies %v apart", d)
	}
	if d := apart(models["jitter"], models["jitter"]); d < 0.15 || d > 0.6 {
		t.Errorf("jitter 0.3 lies %v apart", d)
	}
	hot := 1.5
	if a, b := ask(t, models["a"], "go on", 20, verbatim.Params{Temperature: &hot}), ask(t, models["a"], "go on", 20, verbatim.Params{Temperature: &hot}); a.Text == b.Text {
		t.Errorf("the same text twice at temperature 1.5: %q", a.Text)
	}
	for _, knobs := range []url.Values{{"sigma": {"x"}}, {"nosuch": {"1"}}, {"build": {"-1"}}, {"jitter": {"NaN"}}} {
		if _, err := New(knobs); err == nil {
			t.Errorf("%v is accepted", knobs)
		}
	}
}

// TestStates tests numeric states: a process repeats itself, two processes share the states of
// their build and settle in different ones, and a call may be in another state.
func TestStates(t *testing.T) {
	first := func(knobs url.Values, word string) float64 {
		t.Helper()
		m, err := New(knobs)
		if err != nil {
			t.Fatal(err)
		}
		return ask(t, m, word, 1, verbatim.Params{Logprobs: 20}).Tokens[0].Logprob
	}
	process := func(n string) url.Values { return url.Values{"sigma": {"0.1"}, "states": {"3"}, "process": {n}} }
	differ, states := 0, map[float64]bool{}
	for _, word := range strings.Fields(words) {
		if first(process("1"), word) != first(process("1"), word) {
			t.Errorf("%q: a process differs from itself", word)
		}
		if first(process("1"), word) != first(process("2"), word) {
			differ++
		}
	}
	for n := range 40 {
		states[first(process(strconv.Itoa(n)), "day")] = true
	}
	if all := len(strings.Fields(words)); differ < all/3 || differ == all || len(states) != 3 {
		t.Errorf("two processes differ at %d of %d words, and 40 processes have %d states, want two thirds and 3", differ, all, len(states))
	}
	moving := process("1")
	moving.Set("moves", "0.5")
	m, err := New(moving)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[float64]bool{}
	for range 40 {
		seen[ask(t, m, "day", 1, verbatim.Params{Logprobs: 20}).Tokens[0].Logprob] = true
	}
	if len(seen) != 3 {
		t.Errorf("40 calls are in %d states, want 3", len(seen))
	}
}
