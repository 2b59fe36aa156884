package layout_test

import (
	"strings"
	"testing"

	"verbatim/internal/layout"

	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/verification"
)

// found is a test of 48 prompts without a difference, whose log probabilities are as given.
func found(l *verification.LogprobResult, level float64) *report.Verification {
	l.Least, l.Detectable = nil, nil
	share := .8
	v := &report.Verification{Result: &verification.Result{Word: verification.NoDifference, Alpha: .01, Level: level, Share: .5, Planned: 48, Prompts: 48, Calls: 352, Finished: true,
		Detectable: &share, Logprobs: l.At(level), Probes: []verification.Probe{{Name: verification.Texts, P: 1, Adjusted: 1}, {Name: verification.Exact, P: 1, Adjusted: 1}}}}
	v.Sides[0].Model, v.Sides[1].Model = "a", "b"
	return v
}

func printed(v *report.Verification) string {
	var b strings.Builder
	table.WriteText(&b, layout.Verification(v, layout.Options{}).Body(80), terminal.Style{})
	return strings.Join(strings.Fields(b.String()), " ")
}

// What the log probabilities would have shown follows from the number of words and the level. A
// distance is called numerics only where numerics reach.
func TestLogprobSentences(t *testing.T) {
	nats := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		name      string
		l         verification.LogprobResult
		level     float64
		want, not []string
	}{
		{"16 words", verification.LogprobResult{Prompts: 16, Shared: 16, Apart: nats(0), Own: nats(0)}, .0025,
			[]string{"with power 0.8, log probabilities more than 0.2 nats apart on average, and other ones at 90.3 % of words", "coincide to 5 digits at all 16 words"}, []string{"9 of 10"}},
		{"of three tests", verification.LogprobResult{Prompts: 16, Shared: 3, Apart: nats(.02), Own: nats(.08), SpreadSeen: true}, .01 / 12,
			[]string{"further apart than an endpoint's own spread (0.080 nats) at 94.8 % of words"}, nil},
		{"4 words", verification.LogprobResult{Prompts: 4, Beyond: 4, Apart: nats(1.667), Own: nats(0)}, .0025,
			[]string{"1.667 nats apart, beyond either endpoint's own spread at 4 of 4 words: so few words cannot decide", "The log probabilities could not decide: 4 words have them in every call, too few for a p-value of 0.0025"},
			[]string{"arithmetic", "power 0.8, log probabilities"}},
		{"numerics", verification.LogprobResult{Prompts: 16, Beyond: 16, Apart: nats(.07), Own: nats(0)}, .0025, []string{"other arithmetic with the same weights does that"}, nil},
		{"beyond numerics", verification.LogprobResult{Prompts: 16, Beyond: 16, Apart: nats(.15), Own: nats(0)}, .0025,
			[]string{"only a mean distance above 0.2 nats is a difference", "by up to 0.09"}, []string{"does that"}},
		{"not enough words beyond", verification.LogprobResult{Prompts: 16, Beyond: 12, Apart: nats(1.5), Own: nats(.1), SpreadSeen: true}, .0025,
			[]string{"at 12 of 16 words; 14 would be a difference"}, []string{"arithmetic"}},
		{"no word", verification.LogprobResult{}, .0025, []string{"No word has log probabilities in every call", "logprobs no word has them in every call"}, []string{"0.000 nats", "0 of 0"}},
	} {
		text := printed(found(&c.l, c.level))
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in\n%s", c.name, want, text)
			}
		}
		for _, not := range c.not {
			if strings.Contains(text, not) {
				t.Errorf("%s: %q is wrong in\n%s", c.name, not, text)
			}
		}
	}
}

// A count of one has its noun in the singular.
func TestVerificationOfOne(t *testing.T) {
	one := 1
	v := found(&verification.LogprobResult{Prompts: 16, Shared: 16, Apart: new(0.0), Own: new(0.0), Mixed: 1, Upstreams: &[2]string{"x", "y"}}, .0025)
	v.Late, v.DetectableAlone = 1, &one
	text := printed(v)
	for _, want := range []string{"first prompts: 1 prompt", "1 prompt that one endpoint alone", "1 word of other upstreams left out"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
