package layout

import (
	"strings"
	"testing"

	"verbatim/internal/table/tabletest"

	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/retest"
)

func TestTwiceText(t *testing.T) {
	share := func(n, of int64) retest.Proportion {
		return retest.Proportion{N: n, Of: of, Share: float64(n) / float64(of), Low: 0.0123, High: 0.0456}
	}
	icc, passed := 0.5, share(812, 1000)
	size := func(items int) retest.SizeRates {
		return retest.SizeRates{Items: items,
			Compare: retest.CompareRates{Worse: share(0, 1000), Better: share(13, 1000), Equivalent: share(1000, 1000), Inconclusive: share(987, 1000)},
			Check:   retest.CheckRates{Worse: share(1, 1000), Pass: share(999, 1000), Undecided: share(0, 1000), MeanItems: 1234.5}}
	}
	run := report.Retest{N: 3, Run: "m-1", Model: "m\x1b[2J", Note: "simulated", Twice: &retest.Result{
		Metric: "exact", Items: 1200, Unanswered: 7, Undefined: 2, MaxAnswers: 3, Flips: share(12, 1200), Within: 0.2, Between: 0.2, ICC: &icc,
		Drift: retest.Drift{Value: -0.05, Range: verdict.Range{Low: -0.08, High: -0.02}, Seen: true},
		Rope:  0.02, Margin: 0.05, Alpha: 0.05, Resamples: 1000, Sizes: []retest.SizeRates{size(100), size(100_000)},
		RequiredItems:   []retest.RequiredItems{{Margin: 0.02, Share: 0.8, Items: 12345}, {Margin: 0.1, Share: 0.95, Items: 99, Passed: &passed}},
		RequiredMargins: []retest.RequiredMargin{{Share: 0.8, Margin: 0.0312}, {Share: 0.95, Margin: 0.0404}},
	}}
	var b strings.Builder
	if err := tabletest.Write(&b, "text", Retest([]report.Retest{run, {N: 4, Run: "n-1", Model: "n"}}, Options{}), terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	folded := strings.Join(strings.Fields(text), " ")
	for _, want := range []string{
		"m␛[2J · run 3 · m-1 simulated",
		"items 1,200 with two to 3 answers · 7 without, which are left out",
		"flips 1.0 % of the items are right in one answer and wrong in another (1.2–4.6; 12 of 1,200)",
		"scores metric: exact · SD 0.200 within an item · 0.200 between items intraclass correlation 0.50",
		"drift last pass minus first -0.050 (95 %: -0.080 to -0.020): the endpoint changed between them",
		"100 0.0 1.3 100.0 98.7 0.1 99.9 0.0 1234",
		"Shares in %, within 3.1 points. Compare with a ROPE of ±0.02, check with a margin of 0.05.",
		"passes 80 % of checks with a margin of 0.031, 95 % of checks with a margin of 0.040 with these 1,200 items",
		"0.02 80 % 12,345 –", "0.1 95 % 99 81.2 (1.2–4.6)",
		"n · run 4 · n-1 No item has two answers.",
	} {
		if !strings.Contains(folded, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if terminal.Width(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("%q is wider than 80 columns", line)
		}
	}
}
