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

	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
	"verbatim/internal/verdict"
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
		"mixed":   "Who is first is undecided: openai:gpt-4o and anthropic:claude-3-5-sonnet are indistinguishable (openai:gpt-4o is first with probability 0.",
		"ties":    "small␛[31m are indistinguishable: all have the same score.",
		"open":    "openai:gpt-4o are indistinguishable; ",
		"certain": "openai:gpt-4o is first with probability >0.99; the order of all 4 is certain at 95 %.",
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
	if got, want := leadSentence(many), "m0 is first with probability 0.08; m1 and m2 are indistinguishable; m3 and m4 are indistinguishable; m5 and m6 are indistinguishable; further sets of runs are indistinguishable: see their ranks."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	many.Places[0].Indistinguishable = []int{1, 2}
	many.IndistinguishableSets = [][]int{{0, 1}, {0, 2}, {3, 4, 5}}
	if got, want := leadSentence(many), "Who is first is undecided: m0, first with probability 0.08, is indistinguishable from m1 and m2; m3, m4 and m5 are indistinguishable."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	many.IndistinguishableSets = [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}
	if got, want := leadSentence(many), "m0, m1, m2, m3 and 8 others are indistinguishable; m0 has the highest score, and is first with probability 0.08."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
