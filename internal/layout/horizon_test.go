package layout

import (
	"strings"
	"testing"

	"verbatim/internal/table/tabletest"

	"verbatim/internal/report"

	"verbatim/internal/terminal"
	"verbatim/internal/verdict/horizonsearch"
)

func TestLimitText(t *testing.T) {
	l50 := 22.9
	found := func(change func(*horizonsearch.Horizon)) *horizonsearch.Horizon {
		l := &horizonsearch.Horizon{Text: "23", L50: &l50, Low: 19.2, High: 27.6, Shortest: 2, Longest: 256, Answered: 79, Unanswered: 1,
			Lengths: []horizonsearch.LengthShare{
				{Length: 2, Right: 3, Of: 3, Share: 0.97, Low: 0.9, High: 0.999},
				{Length: 181, Share: 0.02, Low: 0, High: 0.1},
				{Length: 4096, Right: 0, Of: 12, Share: 0, Low: 0, High: 0.01}}}
		if change != nil {
			change(l)
		}
		return l
	}
	for _, c := range []struct {
		search report.HorizonSearch
		want   []string
	}{
		{report.HorizonSearch{Limit: found(nil), Ended: horizonsearch.Narrow, More: "verbatim horizon m\x1b[2J"}, []string{
			"reverse: right half of the time up to 23 characters (95 %: 19 to 28)",
			"     2    3/3   97.0  90–100  ████████████████████████████████████████████▓▓▓▓░",
			"   181      –    2.0    0–10  ▓░░░░",
			" 4,096   0/12    0.0     0–1\n",
			"79 items answered, 1 sent without an answer; the interval is as narrow as requested. Continue with:   verbatim horizon m␛[2J"}},
		{report.HorizonSearch{Metric: report.MetricExtracted, Limit: found(nil)}, []string{"reverse: right (extracted) half of the time up to 23 characters", "the search is not finished."}},
		{report.HorizonSearch{Limit: found(func(l *horizonsearch.Horizon) { l.L50, l.Above, l.Low, l.High = nil, 0.9999, 300, 2000 }), Ended: horizonsearch.AboveRange}, []string{
			"reverse: right more than half of the time up to 256 characters, the longest tested (probability >0.999; 95 %: more than 256)", "longer ones are needed"}},
		{report.HorizonSearch{Limit: found(func(l *horizonsearch.Horizon) { l.Above, l.High = 0.3, 300 }), Ended: horizonsearch.ItemsUsed}, []string{"(95 %: 19 to more than 256)", "that is the requested number"}},
		{report.HorizonSearch{Limit: found(func(l *horizonsearch.Horizon) { l.Below, l.Low, l.High = 0.96, 0.5, 1.9 }), Ended: horizonsearch.BelowRange}, []string{
			"less than half of the time at 2 characters, the shortest tested", "probability 0.960; 95 %: less than 2", "shorter ones are needed"}},
		{report.HorizonSearch{Limit: found(func(l *horizonsearch.Horizon) { l.Below, l.Low, l.High = 0.3, 1.1, 7.25 })}, []string{"(95 %: less than 2 to 7.2)"}},
		{report.HorizonSearch{Limit: found(func(l *horizonsearch.Horizon) {
			l.Text, l.L50, l.Below, l.Never, l.Low, l.High = "none", nil, 0.97, 0.96, 0, 3
		}), Ended: horizonsearch.NeverHalf}, []string{
			"reverse: right not more than half of the time at any length (probability 0.960; 95 %: no length to 3.0)", "at no length are more than half of the answers right"}},
		{report.HorizonSearch{Limit: found(func(l *horizonsearch.Horizon) { l.Never, l.Low = 0.3, 0 })}, []string{"(95 %: no length to 28)"}},
		{report.HorizonSearch{Limit: found(func(l *horizonsearch.Horizon) { l.Answered, l.Unanswered = 1, 0 })}, []string{"\n1 item answered; the search"}},
		{report.HorizonSearch{}, []string{"reverse: no request was answered\n"}},
	} {
		c.search.N, c.search.Run, c.search.Model, c.search.Task, c.search.Unit = 7, "m-1", "m\x1b[2J", "reverse", "characters"
		var b strings.Builder
		if err := tabletest.Write(&b, "text", Horizons([]report.HorizonSearch{c.search}, Options{}), terminal.Style{}); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for _, want := range append(c.want, "m␛[2J · run 7 · m-1\n") {
			folded := strings.ReplaceAll(text, "\n", " ")
			if !strings.Contains(text, want) && !strings.Contains(folded, want) {
				t.Errorf("there is no %q in\n%s", want, text)
			}
		}
		for line := range strings.Lines(text) {
			if terminal.Width(strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("%q is wider than 80 columns", line)
			}
		}
	}
}
