package fake_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/fake"
)

func TestParseFaults(t *testing.T) {
	got := faults(t, `429:0.05,after=2 cut:0.01,end=reset # the rest is a comment 500
		stall@4,at=0.5,for=1.5s
		503@2-7:0.5,tries=1,form=date 418 trickle,every=2ms 400,param=seed`)
	want := []fake.Fault{
		{Kind: "429", Share: 0.05, After: 2 * time.Second},
		{Kind: "cut", Share: 0.01, End: "reset"},
		{Kind: "stall", Share: 1, From: 4, To: 4, At: 0.5, For: 1500 * time.Millisecond},
		{Kind: "503", Share: 0.5, From: 2, To: 7, Attempts: 1, Form: "date"},
		{Kind: "418", Share: 1},
		{Kind: "trickle", Share: 1, Every: 2 * time.Millisecond},
		{Kind: "400", Share: 1, Param: "seed"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestParseFaultsRefuses(t *testing.T) {
	for text, part := range map[string]string{
		"fire":                "no fault",
		"399":                 "no fault",
		"600":                 "no fault",
		"429:2":               "between 0 and 1",
		"429:-1":              "between 0 and 1",
		"429:NaN":             "between 0 and 1",
		"429:lots":            "must be a number",
		"429@0":               "place",
		"429@3-2":             "place",
		"429@x":               "place",
		"429,after=soon":      "after",
		"429,after=-1s":       "negative",
		"429,form=telepathic": "form must be one of",
		"finish":              "word=",
		"429,word=x":          "word=",
		"cut,end=slowly":      "one of",
		"cut,at=-1":           "at must be",
		"cut,at=NaN":          "at must be",
		"500,tries=0":         "at least 1",
		"500,often=1":         "no such setting",
		"ok 500,tries=1,":     "no fault",
		"500,":                "no such setting",
	} {
		_, err := fake.ParseFaults(text)
		var f *fake.FaultError
		if !errors.As(err, &f) || !strings.Contains(err.Error(), part) || f.Hint() == "" || !f.Misuse() {
			t.Errorf("%q: %v, want %q", text, err, part)
		}
	}
}

// What String writes is read as the same fault.
func TestFaultRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := []string{"418"}
		for _, k := range fake.FaultKinds() {
			kinds = append(kinds, k.Name)
		}
		duration := rapid.Custom(func(t *rapid.T) time.Duration { return time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "ns")) })
		f := fake.Fault{
			Kind:     rapid.SampledFrom(kinds).Draw(t, "kind"),
			Share:    rapid.Float64Range(0, 1).Draw(t, "share"),
			Attempts: rapid.IntRange(0, 3).Draw(t, "tries"),
			After:    duration.Draw(t, "after"), Every: duration.Draw(t, "every"), For: duration.Draw(t, "for"),
			Form:  rapid.SampledFrom([]string{"", "seconds", "date", "ms", "none"}).Draw(t, "form"),
			End:   rapid.SampledFrom([]string{"", "clean", "reset", "short"}).Draw(t, "end"),
			Param: rapid.SampledFrom([]string{"", "seed", "max_tokens"}).Draw(t, "param"),
			At:    rapid.Float64Range(0, 1e6).Draw(t, "at"),
		}
		if f.Kind == "finish" {
			f.Word = rapid.SampledFrom([]string{"network_error", "x"}).Draw(t, "word")
		}
		if f.From = rapid.Int64Range(0, 9).Draw(t, "from"); f.From > 0 {
			f.To = f.From + rapid.Int64Range(0, 9).Draw(t, "more")
		}
		got, err := fake.ParseFaults(f.String())
		if err != nil || len(got) != 1 || got[0] != f {
			t.Errorf("%s: %+v, %v, want %+v", f, got, err, f)
		}
	})
}

func FuzzParseFaults(f *testing.F) {
	for _, seed := range []string{"429:0.05,after=2", "cut@3-5,at=0.5", "# x\n500", "500,tries=1,form=date,end=", "quota:1e-3\tstall,for=1h"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := fake.ParseFaults(text)
		if err != nil {
			return
		}
		for _, one := range got {
			again, err := fake.ParseFaults(one.String())
			if err != nil || len(again) != 1 {
				t.Errorf("%q: %q: %v", text, one, err)
			}
		}
	})
}

func TestConfigRefuses(t *testing.T) {
	for part, c := range map[string]fake.Config{
		"share of wrong":               {Wrong: 1.5},
		"share of failed":              {Batch: fake.Batch{Failed: -1}},
		"clock":                        {Pace: fake.Pace{Clock: -1}},
		"latency":                      {Pace: fake.Pace{Latency: -1}},
		"slots":                        {Limits: fake.Limits{Slots: -1}},
		"rate":                         {Limits: fake.Limits{Rate: -1}},
		"needs a length":               {Limits: fake.Limits{Requests: 3}},
		"no fault \"x\"":               {Faults: []fake.Fault{{Kind: "x"}}},
		"more than all requests":       {Faults: faults(t, "500:0.6 429:0.6")},
		"there are no positions from ": {Faults: []fake.Fault{{Kind: "500", From: 3, To: 2}}},
	} {
		if _, err := fake.New(c); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%+v: %v, want %q", c, err, part)
		}
	}
	// Faults that are bound to positions or attempts may add up to more.
	if _, err := fake.New(fake.Config{Faults: faults(t, "500:0.6 429@1 503,tries=1")}); err != nil {
		t.Error(err)
	}
}
