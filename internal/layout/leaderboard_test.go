package layout

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/report"
	"verbatim/internal/table/tabletest"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/horizonsearch"
	"verbatim/internal/verdict/retest"
)

// leading ranks runs that are right as often as their shares say; names of models
// come with them.
func leading(t *testing.T, items int, models []string, shares []float64) *verdict.Leaderboard {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	var sides []verdict.Side
	for i, m := range models {
		var records []verbatim.Record
		for seq := range items {
			right := (float64(seq)+0.5)/float64(items) < shares[i] || shares[i] > 0.3 && shares[i] < 1 && r.IntN(20) == 0
			g := &verbatim.Grade{Outcome: verbatim.Wrong, Label: "altered", Grader: "text/1", Exact: right}
			score := 0.0
			if right {
				g.Outcome, g.Label, score = verbatim.Pass, "pass", 1
			}
			g.Score = &score
			it := &verbatim.Item{ID: fmt.Sprintf("copy@1/len=8/seed=1/%d", seq), Facts: map[string]string{verbatim.FactFamily: "copy", verbatim.FactLength: "8"}}
			rec := verbatim.Record{Seq: int64(seq), Item: it, Outcome: g.Outcome, Grade: g}
			if shares[i] == 0.25 && seq%9 == 0 {
				rec.Outcome, rec.Grade = verbatim.Errored, nil
			}
			records = append(records, rec)
		}
		sides = append(sides, verdict.Side{
			Run: verbatim.Run{N: int64(i + 1), Name: fmt.Sprintf("run-%d-77ab01-1", i+1), Model: m, Plan: verbatim.Plan{Hash: "p", Suite: "custom", Edition: verbatim.Standard, Trials: 1, Count: int64(items)}},
			Records: func(yield func(verbatim.Record, error) bool) {
				for _, rec := range records {
					if !yield(rec, nil) {
						return
					}
				}
			},
		})
	}
	metric := report.MetricScore
	l, err := verdict.Rank(sides, verdict.RankOptions{Metric: string(metric), Score: metric.Score})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// leaderboards are those that the golden files show.
func leaderboards(t *testing.T) map[string]*verdict.Leaderboard {
	models := []string{"openai:gpt-4o", "anthropic:claude-3-5-sonnet", "http://127.0.0.1:8080#small\x1b[31m", "sim:careful", "deepseek:r1|x", "ollama:llama3.1"}
	return map[string]*verdict.Leaderboard{
		"mixed":   leading(t, 180, models, []float64{0.9, 0.88, 0.5, 1, 0.25, 0.52}),
		"ties":    leading(t, 60, models[:3], []float64{1, 1, 1}),
		"open":    leading(t, 40, models[:2], []float64{0.7, 0.75}),
		"certain": leading(t, 200, slices.Concat(models[:3], models[5:]), []float64{1, 0.8, 0.2, 0.5}),
	}
}

func TestGoldenLeaderboards(t *testing.T) {
	all := leaderboards(t)
	for _, c := range []struct {
		board, file string
		write       func(io.Writer, *verdict.Leaderboard, terminal.Style) error
		style       terminal.Style
	}{
		{"mixed", "leaderboard-40.txt", leaderboardText, terminal.Style{Width: 40}},
		{"mixed", "leaderboard-80.txt", leaderboardText, terminal.Style{}},
		{"mixed", "leaderboard-120.txt", leaderboardText, terminal.Style{Width: 120}},
		{"mixed", "leaderboard-120-colour.txt", leaderboardText, terminal.Style{Width: 120, Color: true}},
		{"mixed", "leaderboard-200.txt", leaderboardText, terminal.Style{Width: 200}},
		{"mixed", "leaderboard.md", leaderboardMarkdown, terminal.Style{}},
		{"ties", "leaderboard-ties-80.txt", leaderboardText, terminal.Style{}},
		{"open", "leaderboard-open-80.txt", leaderboardText, terminal.Style{}},
		{"certain", "leaderboard-certain-80.txt", leaderboardText, terminal.Style{}},
	} {
		t.Run(c.file, func(t *testing.T) {
			var out bytes.Buffer
			if err := c.write(&out, all[c.board], c.style); err != nil {
				t.Fatal(err)
			}
			if bad := terminaltest.Unsafe(out.String()); bad != "" {
				t.Errorf("the leaderboard lets %s through", bad)
			}
			if !c.style.Color && strings.Contains(out.String(), "\x1b") {
				t.Error("colour that the style does not ask for")
			}
			terminaltest.Golden(t, *update, c.file, out.Bytes())
		})
	}
}

// TestLeaderboardFitsEveryWidth: no line is wider than the terminal.
func TestLeaderboardFitsEveryWidth(t *testing.T) {
	for name, l := range leaderboards(t) {
		for width := 40; width <= 220; width += 3 {
			var out, coloured bytes.Buffer
			if err := leaderboardText(&out, l, terminal.Style{Width: width}); err != nil {
				t.Fatal(err)
			}
			if err := leaderboardText(&coloured, l, terminal.Style{Width: width, Color: true}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.SplitSeq(out.String(), "\n") {
				if terminal.Width(line) > width || strings.TrimRight(line, " ") != line {
					t.Errorf("%s at %d columns has the line %q", name, width, line)
				}
			}
			if terminaltest.TrimLineEnds(terminaltest.WithoutColor(coloured.String())) != terminaltest.TrimLineEnds(out.String()) {
				t.Errorf("%s at %d columns reads differently in colour", name, width)
			}
			for i := range l.Places {
				if label := report.RankText(l, i); !strings.Contains(out.String(), label) {
					t.Errorf("%s at %d columns has no rank %s", name, width, label)
				}
			}
		}
	}
}

func TestLeadSentence(t *testing.T) {
	all := leaderboards(t)
	for name, want := range map[string]string{
		"mixed":   "Who is first is undecided: openai:gpt-4o and anthropic:claude-3-5-sonnet are indistinguishable; ",
		"ties":    "small␛[31m are indistinguishable: all have the same score.",
		"open":    "openai:gpt-4o are indistinguishable.",
		"certain": "openai:gpt-4o is first, with 95 % confidence; the order of all 4 is certain at 95 %.",
	} {
		if got := leadSentence(all[name]); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q in it", name, got, want)
		}
	}
	many := &verdict.Leaderboard{Confidence: 0.95, Ahead: make([][]float64, 12)}
	for i := range 12 {
		p := verdict.RankPlace{Rank: i + 1, RankLow: 1, RankHigh: 12, RankProbabilities: slices.Repeat([]float64{1. / 12}, 12)}
		p.Model = fmt.Sprint("m", i)
		many.Places = append(many.Places, p)
	}
	for i := 1; i+1 < 12; i += 2 {
		many.IndistinguishableSets = append(many.IndistinguishableSets, []int{i, i + 1})
	}
	if got, want := leadSentence(many), "m0 is first, with 95 % confidence; m1 and m2 are indistinguishable; m3 and m4 are indistinguishable; m5 and m6 are indistinguishable; further sets of runs are indistinguishable: see their ranks."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	many.Places[0].Indistinguishable = []int{1, 2}
	many.IndistinguishableSets = [][]int{{0, 1}, {0, 2}, {3, 4, 5}}
	if got, want := leadSentence(many), "Who is first is undecided: m0 is indistinguishable from m1 and m2; m3, m4 and m5 are indistinguishable."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	many.IndistinguishableSets = [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}
	if got, want := leadSentence(many), "m0, m1, m2, m3 and 8 more are indistinguishable."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

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
		{report.HorizonSearch{Limit: found(func(l *horizonsearch.Horizon) {
			l.Hole = &horizonsearch.Hole{From: 16, To: 64, Right: 3, Of: 30, Longest: 256, RightAgain: 14, OfAgain: 15}
		}), Ended: horizonsearch.AboveRange}, []string{
			"reverse: not monotone: 3 of 30 right at 16–64 characters, but 14 of 15 from\nthere to 256: there is no single horizon\n", "the curve does not fit the answers."}},
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
