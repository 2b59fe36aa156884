package sim

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/input"
	"verbatim/internal/recordtest"
)

func TestSimLimit(t *testing.T) {
	it := simItem(copyTask, 400, 1)
	for _, c := range []struct {
		query     string
		maxTokens int
		bytes     int
		finish    verbatim.Finish
	}{
		{"", 0, 400, verbatim.FinishStop},
		{"", 100, 400, verbatim.FinishStop},
		{"", 99, 396, verbatim.FinishLength},
		{"limit=50", 0, 200, verbatim.FinishLength},
		{"limit=50", 464, 200, verbatim.FinishLength},
		{"limit=50", 20, 80, verbatim.FinishLength},
		{"limit=500", 464, 400, verbatim.FinishStop},
	} {
		r := simRequest(it)
		r.MaxTokens = c.maxTokens
		reply, err := recordtest.Ask(context.Background(), mustSim(t, "perfect", c.query), r)
		if err != nil || len(reply.Text) != c.bytes || reply.Finish != c.finish {
			t.Errorf("%q, limit of %d tokens: %d bytes, finish %s, %v", c.query, c.maxTokens, len(reply.Text), reply.Finish, err)
		}
		if want := int64((c.bytes + 3) / 4); *reply.Usage.Completion != want || reply.Usage.Reasoning != nil {
			t.Errorf("%q: %d tokens, want %d", c.query, *reply.Usage.Completion, want)
		}
		if reply.Finish == verbatim.FinishLength {
			if g := grade.Of(it, reply.Text, reply.Finish); g.Outcome != verbatim.Truncated || g.Detail != "prefix" {
				t.Errorf("%q: %s %s", c.query, g.Outcome, g.Detail)
			}
		}
	}
	// Reasoning eats into the same budget, and characters stay whole.
	it.Want = verbatim.TextAnswer(strings.Repeat("é", 200))
	r := simRequest(it)
	r.MaxTokens = 10
	reply, _ := recordtest.Ask(context.Background(), mustSim(t, "perfect", "think=1000"), r)
	if reply.Text != "" || len(reply.Reasoning) != 40 || reply.Finish != verbatim.FinishLength || *reply.Usage.Reasoning != 10 || reply.Times.FirstContent != nil {
		t.Errorf("%+v", reply)
	}
	r.MaxTokens = 0
	reply, _ = recordtest.Ask(context.Background(), mustSim(t, "perfect", "think=100"), r)
	if reply.Text != it.Want.Text || reply.Reasoning == "" || reply.ReasoningField == "" || *reply.Usage.Completion != *reply.Usage.Reasoning+100 {
		t.Errorf("%+v", reply)
	}
	if got := prefix("aéé", 2); got != "a" {
		t.Errorf("a character was broken: %q", got)
	}
}

func TestSimTimes(t *testing.T) {
	it := simItem(copyTask, 400, 1)
	reply, err := recordtest.Ask(context.Background(), mustSim(t, "perfect", "latency=20ms&rate=5000&think=50"), simRequest(it))
	if err != nil {
		t.Fatal(err)
	}
	x := reply.Times
	if x.Start.IsZero() || *x.FirstByte < 20*time.Millisecond || *x.FirstReasoning != *x.FirstByte || *x.FirstContent <= *x.FirstByte || x.Total < *x.FirstContent+20*time.Millisecond {
		t.Errorf("%+v", x)
	}
	if len(reply.Attempts) != 1 || reply.Attempts[0].Total != x.Total || reply.Attempts[0].N != 1 {
		t.Errorf("%+v", reply.Attempts)
	}
	// A model that takes no time has no times, not even those of our own computation.
	if reply, err = recordtest.Ask(context.Background(), mustSim(t, "perfect", ""), simRequest(it)); err != nil {
		t.Fatal(err)
	}
	if x := reply.Times; x.Start.IsZero() || x.Total != 0 || x.FirstByte != nil || x.FirstContent != nil {
		t.Errorf("a model that takes no time has times %+v", x)
	}
	// The median of the drawn times is the latency, and spread spreads them.
	k := settings{latency: 50 * time.Millisecond, spread: 0.5}
	r := rand.New(rand.NewPCG(1, 1))
	drawn := make([]float64, 4000)
	for i := range drawn {
		drawn[i] = k.firstToken(r).Seconds()
	}
	slices.Sort(drawn)
	near(t, "median", drawn[2000], 0.05, 0.002)
	near(t, "84th percentile", drawn[3365], 0.05*math.Exp(0.5), 0.004)
}

func TestSimStops(t *testing.T) {
	for _, query := range []string{"latency=1h", "rate=0.001", "think=1000&rate=0.001", "latency=1h&down=1"} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		_, err := recordtest.Ask(ctx, mustSim(t, "perfect", query), simRequest(simItem(copyTask, 100, 1)))
		cancel()
		var f *verbatim.Failure
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &f) || f.Class != verbatim.Deadline || len(f.Attempts) != 1 {
			t.Errorf("%s: %v", query, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := recordtest.Ask(ctx, mustSim(t, "perfect", ""), simRequest(simItem(copyTask, 10, 1))); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestSimNames(t *testing.T) {
	for _, c := range []struct{ kind, query, says string }{
		{"carefull", "", "did you mean careful?"},
		{"xyzzy", "", "no simulated model"},
		{"", "", "no simulated model"},
		{"sloppy", "wrpa=1", `no knob "wrpa" (did you mean wrap?)`},
		{"sloppy", "wrap=2", "knob wrap: want a number from 0 to 1"},
		{"sloppy", "wrap=x", "knob wrap: want a number"},
		{"sloppy", "wrap=NaN", "knob wrap: want a number"},
		{"sloppy", "wrap=", "knob wrap: want a number"},
		{"sloppy", "half=-1", "knob half"},
		{"sloppy", "label=caes", "did you mean case?"},
		{"sloppy", "label=", "no failure is labelled"},
		{"sloppy", "latency=50", "want a duration"},
		{"sloppy", "latency=-1s", "want a duration"},
		{"sloppy", "seed=-1", "whole number"},
		{"sloppy", "say=nothing", "answer or question"},
		{"sloppy", "limit=-3", "knob limit"},
	} {
		knobs, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		_, err = New(c.kind, knobs)
		var n *input.NameError
		if !errors.As(err, &n) || !strings.Contains(err.Error(), c.says) || n.Advice == "" {
			t.Errorf("sim:%s?%s: %v, want %q", c.kind, c.query, err, c.says)
		}
	}
}
