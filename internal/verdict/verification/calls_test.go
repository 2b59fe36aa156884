package verification

import (
	"net/http"
	"testing"

	"verbatim"
)

// someProbe is one of the two tests with calls of their own.
type someProbe interface {
	Items() []verbatim.Item
	Resume(side int, rec *verbatim.Record)
	Source(side int) verbatim.Source
	Progress() (ended, all int)
	Ended() bool
}

// someProbes are one of each. A tenth of their replies may be missing.
func someProbes() map[string]someProbe {
	limits := func(*verbatim.Item) (int, int) { return 5, 5 }
	return map[string]someProbe{
		"logprobs": NewLogprobs(1, verbatim.Params{}, 1, .1),
		"tools":    NewTools(ToolConfig{Seed: 1, Limits: limits, MostMissing: 1}),
	}
}

// sentBy sends the calls of a side, and answers the oldest one whenever no more are sent. It
// returns the number of calls that were in flight after each call, with it.
func sentBy(t *testing.T, source verbatim.Source, answer func(seq int64) verbatim.Record) (inFlight map[int64]int) {
	t.Helper()
	inFlight = map[int64]int{}
	var open []int64
	for done := []verbatim.Record(nil); ; {
		requests, err := source.Next(done)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range requests {
			open = append(open, r.Seq)
			inFlight[r.Seq] = len(open)
		}
		if len(open) == 0 {
			return inFlight
		}
		done = []verbatim.Record{answer(open[0])}
		open = open[1:]
	}
}

// listReply is a reply with log probabilities.
func listReply(seq int64) verbatim.Record {
	token := verbatim.Token{Text: "a", Logprob: -1, Top: []verbatim.Token{{Text: "a", Logprob: -1}, {Text: "b", Logprob: -2}, {Text: "c", Logprob: -3}, {Text: "d", Logprob: -4}, {Text: "e", Logprob: -5}}}
	return verbatim.Record{Seq: seq, Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: "a", Finish: verbatim.FinishCall, Tokens: []verbatim.Token{token}}}
}

func failedCall(seq int64, status int) verbatim.Record {
	return verbatim.Record{Seq: seq, Outcome: verbatim.Errored, Failure: &verbatim.Failure{Status: status}}
}

// TestInFlight: every call is sent once, and as many are in flight as the probe allows.
func TestInFlight(t *testing.T) {
	for name, probe := range someProbes() {
		got := sentBy(t, probe.Source(0), listReply)
		if len(got) != len(probe.Items()) {
			t.Errorf("%s: %d of %d calls", name, len(got), len(probe.Items()))
		}
		most := map[string]int{"logprobs": 8, "tools": 1}[name]
		seen := 0
		for seq, n := range got {
			seen = max(seen, n)
			if name == "logprobs" && seq <= logprobPrompts && n > 1 {
				t.Errorf("%s: %d in flight with call %d", name, n, seq)
			}
		}
		if seen != most {
			t.Errorf("%s: %d in flight, want %d", name, seen, most)
		}
		if sentBy(t, probe.Source(1), listReply); !probe.Ended() {
			t.Errorf("%s has not ended", name)
		}
	}
}

// TestForeignPositions: records of positions that are not in the plan change nothing.
func TestForeignPositions(t *testing.T) {
	for name, probe := range someProbes() {
		for _, seq := range []int64{-1, int64(len(probe.Items()))} {
			rec := listReply(seq)
			probe.Resume(0, &rec)
		}
		if ended, all := probe.Progress(); ended != 0 || all != 2*len(probe.Items()) {
			t.Errorf("%s: %d of %d", name, ended, all)
		}
	}
}

// TestCallsWithoutReplies: a side that does not answer, or refuses, gets few calls.
func TestCallsWithoutReplies(t *testing.T) {
	refusedIsEnded := map[string]bool{"logprobs": true, "tools": true}
	for _, c := range []struct {
		name   string
		answer func(seq int64) verbatim.Record
		most   map[string]int // calls
		ended  map[string]bool
	}{
		{"down", func(seq int64) verbatim.Record { return failedCall(seq, http.StatusServiceUnavailable) },
			map[string]int{"logprobs": 3, "tools": 2}, map[string]bool{"logprobs": true}},
		{"refuses", func(seq int64) verbatim.Record { return failedCall(seq, http.StatusUnprocessableEntity) },
			map[string]int{"logprobs": 3, "tools": 3}, refusedIsEnded},
		{"refuses later", func(seq int64) verbatim.Record {
			if seq == 0 {
				return listReply(seq)
			}
			return failedCall(seq, http.StatusBadRequest)
		}, map[string]int{"logprobs": 10, "tools": 3}, nil},
	} {
		for name, probe := range someProbes() {
			if sent := len(sentBy(t, probe.Source(0), c.answer)); sent != c.most[name] {
				t.Errorf("%s: %s gets %d calls, want %d", c.name, name, sent, c.most[name])
			}
			if probe.Ended() != c.ended[name] {
				t.Errorf("%s: %s has ended: %t", c.name, name, probe.Ended())
			}
		}
	}
}

// TestEmptyReplies: the reason of a side without log probabilities says whether its replies have
// text.
func TestEmptyReplies(t *testing.T) {
	for text, want := range map[string]string{"": "B gives none: its replies to single words are empty", "a": "B gives none: its replies have none"} {
		test := NewLogprobs(1, verbatim.Params{}, 1, .1)
		sentBy(t, test.Source(1), func(seq int64) verbatim.Record {
			return verbatim.Record{Seq: seq, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: text}}
		})
		if got := test.Absence(Names()); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// TestCallsAreSummed: a result counts the calls of all probes.
func TestCallsAreSummed(t *testing.T) {
	test, err := New(Config{Positions: [2][]int64{{0}, {1}}, Alpha: .01, Share: .5, Tools: true, MaxMissing: 1,
		Logprobs: &LogprobResult{P: 1, Calls: 7, Unanswered: [2]int{0, 2}, Finished: true}})
	if err != nil {
		t.Fatal(err)
	}
	test.AddTools(&toolResult{Calls: 5, Unanswered: [2]int{1, 0}}, "")
	if r := test.Result(); r.Calls != 12 || r.Unanswered != [2]int{1, 2} {
		t.Errorf("%d calls and %v unanswered, want 12 and [1 2]", r.Calls, r.Unanswered)
	}
}
