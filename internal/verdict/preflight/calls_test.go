package preflight

import (
	"errors"
	"math"
	"slices"
	"testing"

	"verbatim"
)

// TestOrder: the calls that may not be needed come last: second calls, and then spare ones.
func TestOrder(t *testing.T) {
	again, spare := 0, 0
	for _, c := range Calls(Config{Wire: "chat", Streams: true, Renames: true, Context: 8000, Seed: 1}) {
		switch {
		case c.spare:
			spare++
		case c.again:
			again++
		}
		if !c.spare && spare > 0 || !c.again && !c.spare && again > 0 {
			t.Errorf("%s comes after a call that may not be needed", c.Name)
		}
	}
	if again == 0 || spare == 0 {
		t.Errorf("%d second calls and %d spare ones", again, spare)
	}
}

// TestReasoningTokens: the first call has room for reasoning, and the others have it if a reply
// has shown some.
func TestReasoningTokens(t *testing.T) {
	counted := int64(3)
	for name, c := range map[string]struct {
		reply verbatim.Reply
		room  bool
	}{
		"no reasoning":      {verbatim.Reply{Text: "a"}, false},
		"reasoning":         {verbatim.Reply{Text: "a", Reasoning: "b"}, true},
		"counted reasoning": {verbatim.Reply{Text: "a", Usage: verbatim.Usage{Reasoning: &counted}}, true},
	} {
		test := New(Config{Wire: "chat", Seed: 1, Reasoning: 1000})
		first, err := test.Next(nil)
		if err != nil || len(first) != 1 || first[0].MaxTokens <= 1000 {
			t.Fatalf("%s: %v, %v", name, first, err)
		}
		second, err := test.Next([]verbatim.Record{{Outcome: verbatim.Pass, Reply: &c.reply}})
		if err != nil || len(second) != 1 || second[0].MaxTokens > 1000 != c.room {
			t.Errorf("%s: %v, %v", name, second, err)
		}
	}
}

// TestSameList: log probabilities are the same up to what a temperature of 0.1 moves.
func TestSameList(t *testing.T) {
	list := func(p float64, texts ...string) (tokens []verbatim.Token) {
		for _, text := range texts {
			tokens = append(tokens, verbatim.Token{Text: text, Logprob: p})
		}
		return tokens
	}
	for _, c := range []struct {
		a, b []verbatim.Token
		want bool
	}{
		{list(-1, "a", "b"), list(-1.4, "a", "b"), true},
		{list(-1, "a", "b"), list(-1.6, "a", "b"), false},
		{list(-1, "a", "b"), list(-1, "b", "a"), false},
		{list(-1, "a", "b"), list(-1, "a"), false},
		{list(math.Inf(-1), "a"), list(math.Inf(-1), "a"), true},
	} {
		if got := sameList(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %t", c.a, c.b, got)
		}
	}
}

// answerAll sends every call of a test, and answers each with the function: a reply, or the
// server's refusal.
func answerAll(t *testing.T, c Config, answer func(*Call) (text, refusal string)) map[Contract]Line {
	t.Helper()
	test := New(c)
	var done []verbatim.Record
	for range 2 * MaxCalls {
		requests, err := test.Next(done)
		if err != nil {
			t.Fatal(err)
		}
		if done = nil; len(requests) == 0 {
			break
		}
		for _, r := range requests {
			text, refusal := answer(&test.calls[r.Seq])
			rec := verbatim.Record{Seq: r.Seq, Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: text, Finish: verbatim.FinishStop}}
			if refusal != "" {
				rec.Reply, rec.Outcome = nil, verbatim.Errored
				rec.Failure = &verbatim.Failure{Class: verbatim.BadAsk, Status: 400, Err: errors.New(refusal)}
			}
			done = append(done, rec)
		}
	}
	lines := map[Contract]Line{}
	for _, l := range test.Result().Lines {
		lines[l.Contract] = l
	}
	return lines
}

// TestRefusedPrompt tests that a refusal is laid to the parameter only where the call has one.
func TestRefusedPrompt(t *testing.T) {
	lines := answerAll(t, Config{Wire: "chat", Context: 1000}, func(c *Call) (string, string) {
		if c.Name == "usage-long" || c.Name == "needle-short" {
			return "", "the prompt is too long"
		}
		if c.Contract == Logprobs {
			return "", "no such parameter: logprobs"
		}
		return "OK", ""
	})
	for contract, want := range map[Contract]State{Usage: NotTestable, Context: NotTestable, Logprobs: NotOffered} {
		if l := lines[contract]; l.State != want || len(l.Evidence) == 0 {
			t.Errorf("%s is %s: %s %q, want %s with the server's words", contract, l.State, l.Says, l.Evidence, want)
		}
	}
}

// TestNoParameter tests the words for a parameter that a protocol does not have: nothing was sent.
func TestNoParameter(t *testing.T) {
	lines := answerAll(t, Config{Wire: "responses"}, func(*Call) (string, string) { return "OK", "" })
	for _, contract := range []Contract{Seed, Stop} {
		if l := lines[contract]; l.State != NotOffered || l.Says != noParameter || l.Calls != 0 || len(l.Evidence) != 0 {
			t.Errorf("%s is %s: %s %q after %d calls", contract, l.State, l.Says, l.Evidence, l.Calls)
		}
	}
}

// TestFailedUpstreams tests that the line on who serves names upstreams that failed, and counts no
// request that the server refused for its parameters.
func TestFailedUpstreams(t *testing.T) {
	test := New(Config{Wire: "chat", Upstream: func(*verbatim.Reply) string { return "up" }})
	fails := func(class verbatim.Class) []verbatim.Attempt {
		return []verbatim.Attempt{{N: 1, Class: class, Upstream: "down"}, {N: 2, Class: class, Upstream: "down"}, {N: 3}}
	}
	done := []verbatim.Record{
		{Seq: 0, Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: "a", Finish: verbatim.FinishStop, Attempts: fails(verbatim.Overload)}},
		{Seq: 1, Outcome: verbatim.Errored, Failure: &verbatim.Failure{Class: verbatim.BadAsk, Attempts: fails(verbatim.BadAsk)}},
		{Seq: 2, Outcome: verbatim.Errored, Failure: &verbatim.Failure{Class: verbatim.Rate, Attempts: fails(verbatim.Rate)}},
	}
	if _, err := test.Next(done); err != nil {
		t.Fatal(err)
	}
	for _, l := range test.Result().Lines {
		if want := "all replies name the same server; failed upstreams: down: 4 attempts at 2 requests failed (overload 2, rate 2)"; l.Contract == Upstream && l.Says != want {
			t.Errorf("it says %q, want %q", l.Says, want)
		}
	}
}

// TestEmptyReplies tests that replies without text are no evidence that a contract is held.
func TestEmptyReplies(t *testing.T) {
	for contract, l := range answerAll(t, Config{Wire: "chat", Streams: true, Context: 1000}, func(*Call) (string, string) { return "", "" }) {
		if l.State == Held && !slices.Contains([]Contract{Finish}, contract) || l.State == Broken {
			t.Errorf("%s is %s: %s", contract, l.State, l.Says)
		}
	}
}

// TestStopSeparators tests that numbers separated by commas show what the stop sequence does, too.
func TestStopSeparators(t *testing.T) {
	for text, want := range map[string]State{"1, 2, 10, 11, ": Held, "1, 2, 11, 12, 13": Broken, "one, two": NotTestable, "1, 2, 3": NotTestable} {
		lines := answerAll(t, Config{Wire: "chat"}, func(c *Call) (string, string) {
			if c.Name == "stop-again" {
				return "101, 111, 112", ""
			}
			return text, ""
		})
		if l := lines[Stop]; l.State != want {
			t.Errorf("%q: %s: %s, want %s", text, l.State, l.Says, want)
		}
	}
}
