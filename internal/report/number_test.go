package report

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// 100.0 means all, 0.0 means none, and 1.000 means that every score was full.
func TestRoundingKeepsTheEndsApart(t *testing.T) {
	for share, want := range map[float64]string{
		0: "0.0", 1: "100.0", 0.5: "50.0", 0.0001: "<0.1", 2999.0 / 3000: ">99.9", 0.9994: "99.9", 0.0006: "0.1",
	} {
		if got := percent(&share); got != want {
			t.Errorf("percent(%v) = %s, want %s", share, got, want)
		}
	}
	for mean, want := range map[float64]string{0: "0.000", 1: "1.000", 0.9999: "0.999", 1 - 1e-15: "1.000", 0.12345: "0.123", -1.319: "-1.319"} {
		if got := score(Mean{Value: &mean}); got != want {
			t.Errorf("score(%v) = %s, want %s", mean, got, want)
		}
	}
	if percent(nil) != missing || score(Mean{}) != missing || interval(Rate{}, 1) != missing || seconds(nil) != missing || tokens(Sum{}) != missing {
		t.Error("what is not known has a number")
	}
}

func TestSeconds(t *testing.T) {
	for v, want := range map[float64]string{
		0.000123: "0.12 ms", 0.012: "12 ms", 0.0994: "99 ms", 0.0999: "0.10 s", 0.82: "0.82 s", 9.99: "9.99 s", 9.999: "10.0 s",
		61.5: "61.5 s", 99.99: "1 m 39 s", 3599: "59 m 59 s", 3600: "1 h 00 m", 90061: "25 h 01 m",
	} {
		if got := seconds(&v); got != want {
			t.Errorf("seconds(%v) = %s, want %s", v, got, want)
		}
	}
}

func TestCounts(t *testing.T) {
	for n, want := range map[int64][2]string{
		0: {"0", "0"}, 999: {"999", "999"}, 1000: {"1,000", "1,000"}, 9999: {"9,999", "9,999"}, 12345: {"12,345", "12.3k"},
		999_400: {"999,400", "999k"}, 999_600: {"999,600", "1M"}, 1_234_567: {"1,234,567", "1.23M"}, 5e9: {"5,000,000,000", "5G"}, -1234: {"-1,234", "-1,234"},
	} {
		if got := [2]string{count(n), short(n)}; got != want {
			t.Errorf("%d: %v, want %v", n, got, want)
		}
	}
}

// Names come from files and servers: none of them becomes markup, another
// column, or something that a terminal obeys.
func TestHostileNames(t *testing.T) {
	const evil = "a|b <img src=x> [l](http://x) `c` *d* & \x1b[2J\u202e\n"
	r := rec(evil, evil, verbatim.Wrong, evil)
	r.Reply.ServedModel, r.Grade.Grader, r.Grade.Flags = evil, evil, []string{evil}
	out := must(Of(Options{}, Input{Note: evil, Run: verbatim.Run{Name: evil, Model: evil, Tool: evil, Params: verbatim.Params{Effort: evil}, Plan: verbatim.Plan{Suite: evil, Hash: evil}}, Records: each(r, r)}))(t)
	for _, f := range Formats() {
		var b bytes.Buffer
		if err := f.Write(&b, out, Style{}); err != nil {
			t.Fatal(err)
		}
		if bad := harmless(b.String()); bad != "" {
			t.Errorf("%s lets %s through", f.Name, bad)
		}
		if f.Name != "md" {
			continue
		}
		plainText := regexp.MustCompile(`\\.`).ReplaceAllString(b.String(), "")
		for _, markup := range []string{"<img", "[l](", "a|b", "`c`", "*d*"} {
			if strings.Contains(plainText, markup) {
				t.Errorf("Markdown lets %s through", markup)
			}
		}
	}
}

// TestParameters: what was sent is said whole, and the model's defaults only where that is
// nothing.
func TestParameters(t *testing.T) {
	half, budget := 0.5, int64(100)
	for _, c := range []struct {
		params verbatim.Params
		want   string
	}{
		{verbatim.Params{}, "the model's defaults"},
		{verbatim.Params{Thinking: 7}, "thinking 7"},
		{verbatim.Params{ReasoningBudget: &budget}, "reasoning budget 100"},
		{verbatim.Params{Temperature: &half, Effort: "low"}, "temperature 0.5, effort low"},
	} {
		if got := Parameters(c.params); got != c.want {
			t.Errorf("%+v: %q, want %q", c.params, got, c.want)
		}
	}
	runs := []Block{{Head: Head{Name: "a"}}, {Head: Head{Name: "b", Params: verbatim.Params{ReasoningBudget: &budget}}}}
	warned := func() bool {
		return slices.ContainsFunc(comparing(runs), func(w Warning) bool { return w.Kind == "parameters" })
	}
	if !warned() {
		t.Error("two reasoning budgets side by side, and no warning")
	}
	if runs[0].Head.Params.ReasoningBudget = &budget; warned() {
		t.Error("the same budget, and a warning")
	}
}
