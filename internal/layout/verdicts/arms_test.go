package verdicts_test

import (
	"strings"
	"testing"

	"verbatim/internal/layout"
	"verbatim/internal/layout/verdicts"
	"verbatim/internal/report/result"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/verification"
)

// inArms is a command with a test in each arm, without a difference.
func inArms() *result.Verifications {
	v := &result.Verifications{Alpha: .01}
	for _, arm := range verification.AllArms() {
		own := .08
		one := found(&verification.LogprobResult{Prompts: 16, Apart: &own, Own: &own}, .0025/4)
		one.Arm, one.Usable, one.Across, one.Own = arm, 48, 12, [2]int{5, 7}
		one.Sizes = []verification.Size{{Name: verification.NatsApart, Value: .08, Low: .06, High: .1}, {Name: verification.TextsBeyond, Value: .1, Low: .02, High: .3},
			{Name: verification.WordsBeyond, Value: 0, Low: 0, High: .2}, {Name: verification.ExactDifference, Value: -.05, Low: -.2, High: .1}}
		one.Sent = [2]result.Sent{{Calls: 288, Prompt: 9000, Completion: 4000, Unreported: 3}, {Calls: 288, Prompt: 9000, Completion: 4000}}
		v.Tests = append(v.Tests, one)
	}
	v.Loads = []*verification.Load{{Endpoint: "b", Few: verification.AllArms()[:2], Many: verification.AllArms()[2:], Prompts: 48, ExactFew: 90, ExactMany: 60, BetterFew: 30, P: 1e-6, Adjusted: 2e-6}}
	v.Complete()
	return v
}

// The tables of arms fit on a terminal of 80 columns, and every number of a size has its interval.
func TestArms(t *testing.T) {
	var b strings.Builder
	body := verdicts.Verifications(inArms(), layout.Options{}).Body(80)
	table.WriteText(&b, body, terminal.Style{})
	text := b.String()
	for line := range strings.SplitSeq(text, "\n") {
		if n := len([]rune(line)); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{"  2  16,cold,streamed  NO DIFFERENCE FOUND", "2–30 %", "18,000+", "b is exactly right less often with many requests in flight than with few", "This is no difference between the endpoints."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "NaN") {
		t.Error(text)
	}
}

// The page of one test and of several has one figure, which names the sizes.
func TestSizesOnPage(t *testing.T) {
	several := inArms()
	for name, doc := range map[string]*table.Document{"several": verdicts.Verifications(several, layout.Options{}), "one": verdicts.Verification(several.Tests[0], layout.Options{})} {
		pictures := 0
		for _, block := range doc.Body(0) {
			p, ok := block.(table.Picture)
			if !ok {
				continue
			}
			pictures++
			var b strings.Builder
			if err := p.Draw(&b); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"<svg", "Beyond the own spread", "Distance of the log probabilities", "Exactly right, B minus A", "A itself"} {
				if !strings.Contains(b.String(), want) {
					t.Errorf("%s: %q is missing in the figure", name, want)
				}
			}
		}
		if pictures != 1 {
			t.Errorf("%s: %d figures", name, pictures)
		}
	}
}
