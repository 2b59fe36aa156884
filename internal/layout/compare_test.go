package layout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"verbatim/internal/table/tabletest"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/recordtest"
	"verbatim/internal/report"

	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/autorank"
)

// A comparedSample makes two runs of the same items, with hostile names.
type comparedSample struct {
	families, lengths []string
	items, trials     int
	wrong             [2]int // a side is wrong at every n-th item; 0: never
	lost              int    // B has no answer at every n-th item; 0: never
	short             int    // every n-th answer of B is cut short
}

func (c comparedSample) side(i int) verdict.Side {
	var records []verbatim.Record
	for trial := range c.trials {
		for n := range c.items {
			for f, family := range c.families {
				for l, length := range c.lengths {
					records = append(records, c.record(i, len(records), n*7+f*3+l*(i+1)+trial, verbatim.Item{
						ID:    fmt.Sprintf("%s@1/len=%s/seed=1/%d", family, length, n),
						Facts: map[string]string{verbatim.FactFamily: family, verbatim.FactLength: length},
					}, trial))
				}
			}
		}
	}
	run := verbatim.Run{N: int64(i + 3), Name: []string{"small-77ab01-1", "large-77ab01-1"}[i], Model: []string{"small", "large\x1b[31m 'x'"}[i],
		Plan: verbatim.Plan{Hash: "77ab01", Suite: "custom", Edition: verbatim.Standard, Trials: c.trials}}
	run.Started = time.Date(2026, 5, 1, 9, i, 0, 0, time.UTC)
	if i == 1 {
		run.Params.Effort = "low"
	}
	return verdict.Side{Run: run, Ref: strconv.Itoa(i + 3), Records: recordtest.Each(records...)}
}

func (c comparedSample) record(side, seq, n int, it verbatim.Item, trial int) verbatim.Record {
	g := &verbatim.Grade{Outcome: verbatim.Pass, Label: "pass", Exact: true, Extracted: true, Grader: "text/1"}
	if w := c.wrong[side]; w > 0 && n%w == 0 {
		g.Outcome, g.Label, g.Exact, g.Extracted = verbatim.Wrong, []string{"cut_short", "dropped_char\x1b]0;x\x07"}[n%2], false, false
	}
	if side == 1 && c.short > 0 && n%c.short == 1 {
		*g = verbatim.Grade{Outcome: verbatim.Truncated, Label: "cut_short", Detail: "prefix", Grader: "text/1"}
	}
	score, _ := report.MetricExact.Score(nil, g)
	g.Score = &score
	r := verbatim.Record{Seq: int64(seq), Item: &it, Trial: trial, Outcome: g.Outcome, Grade: g}
	if side == 1 && c.lost > 0 && n%c.lost == 2 {
		r.Outcome, r.Grade = verbatim.Errored, nil
	}
	return r
}

func (c comparedSample) compare(t *testing.T) *verdict.Comparison {
	t.Helper()
	o := verdict.Defaults("score", report.MetricScore.Score)
	o.Flips, o.Resamples = 4, 50
	one, err := verdict.Compare(c.side(0), c.side(1), o)
	if err != nil {
		t.Fatal(err)
	}
	return one
}

// comparedSamples are what the golden files show.
func comparedSamples(t *testing.T) map[string]*report.Compared {
	t.Helper()
	grid := comparedSample{families: []string{"reverse", "copy", "it's\x1b[2J a task"}, lengths: []string{"8", "16", "32", "64"}, items: 10, trials: 1, wrong: [2]int{17, 4}}
	few := comparedSample{families: []string{"copy"}, lengths: []string{"8"}, items: 12, trials: 1, wrong: [2]int{5, 7}}
	missing := grid
	missing.lost, missing.short = 9, 11
	repeats := comparedSample{families: []string{"copy"}, lengths: []string{"8", "16"}, items: 15, trials: 3, wrong: [2]int{4, 5}}
	ranking, err := autorank.Rank([]verdict.Side{grid.side(0), grid.side(1)}, autorank.Options{Metric: "score", Score: report.MetricScore.Score, Measures: report.SortBenchMeasures()})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*report.Compared{
		"worse":   report.Comparing([]*verdict.Comparison{grid.compare(t)}),
		"few":     report.Comparing([]*verdict.Comparison{few.compare(t)}),
		"missing": report.Comparing([]*verdict.Comparison{missing.compare(t)}),
		"several": report.Comparing([]*verdict.Comparison{repeats.compare(t), few.compare(t)}),
		"ranking": report.Ranked(ranking),
	}
}

func TestGoldenComparisons(t *testing.T) {
	all := comparedSamples(t)
	for _, c := range []struct {
		sample, format, file string
		style                terminal.Style
	}{
		{"worse", "text", "compare-80.txt", terminal.Style{}},
		{"worse", "text", "compare-120.txt", terminal.Style{Width: 120}},
		{"worse", "text", "compare-200.txt", terminal.Style{Width: 200}},
		{"worse", "text", "compare-80-colour.txt", terminal.Style{Width: 80, Color: true}},
		{"worse", "md", "compare.md", terminal.Style{}},
		{"worse", "csv", "compare.csv", terminal.Style{}},
		{"few", "text", "compare-few-80.txt", terminal.Style{}},
		{"missing", "text", "compare-missing-80.txt", terminal.Style{}},
		{"missing", "md", "compare-missing.md", terminal.Style{}},
		{"several", "text", "compare-several-80.txt", terminal.Style{}},
		{"ranking", "text", "compare-ranking-80.txt", terminal.Style{}},
		{"ranking", "text", "compare-ranking-160.txt", terminal.Style{Width: 160}},
		{"ranking", "md", "compare-ranking.md", terminal.Style{}},
		{"ranking", "csv", "compare-ranking.csv", terminal.Style{}},
	} {
		t.Run(c.file, func(t *testing.T) {
			var out bytes.Buffer
			if err := tabletest.Write(&out, c.format, Compare(all[c.sample], Options{}), c.style); err != nil {
				t.Fatal(err)
			}
			if bad := terminaltest.Unsafe(out.String()); bad != "" {
				t.Errorf("%s lets %s through", c.format, bad)
			}
			if !c.style.Color && strings.Contains(out.String(), "\x1b") {
				t.Error("colour that the style does not ask for")
			}
			if c.format == "text" && !c.style.Color {
				for line := range strings.Lines(out.String()) {
					if w := terminal.Width(strings.TrimSuffix(line, "\n")); w > c.style.Columns() && !strings.Contains(line, "verbatim show") {
						t.Errorf("a line of %d columns: %s", w, line)
					}
				}
			}
			terminaltest.Golden(t, *update, c.file, sixDigits(out.Bytes()))
		})
	}
}

// sixDigits rounds numbers with more digits: the last ones of an integral are no
// promise, and differ between processors.
func sixDigits(text []byte) []byte {
	return regexp.MustCompile(`-?\d+\.\d{6,}(e-\d+)?`).ReplaceAllFunc(text, func(number []byte) []byte {
		v, err := strconv.ParseFloat(string(number), 64)
		if err != nil {
			return number
		}
		return strconv.AppendFloat(nil, v, 'g', 6, 64)
	})
}

// TestComparedJSON writes every sample as JSON that reads back and hides nothing.
func TestComparedJSON(t *testing.T) {
	for name, c := range comparedSamples(t) {
		var out bytes.Buffer
		if err := tabletest.Write(&out, "json", Compare(c, Options{}), terminal.Style{}); err != nil {
			t.Fatal(err)
		}
		if bad := terminaltest.Unsafe(out.String()); bad != "" {
			t.Errorf("%s lets %s through", name, bad)
		}
		var back report.Compared
		if err := json.Unmarshal(out.Bytes(), &back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(back.Comparisons) != len(c.Comparisons) {
			t.Errorf("%s: %d comparisons, want %d", name, len(back.Comparisons), len(c.Comparisons))
		}
	}
}

// TestVerdictWords says each word in a sentence that names the better side.
func TestVerdictWords(t *testing.T) {
	c := &verdict.Comparison{Rope: 0.02}
	c.A.Model, c.B.Model = "first", "second"
	c.Difference = verdict.Difference{Value: -0.2, Range: verdict.Range{Low: -0.3, High: -0.1}}
	for word, want := range map[verdict.Word]string{
		verdict.Worse:        "second is worse than first: its score is 0.200 lower (95 % -0.300 to -0.100).",
		verdict.Better:       "second is better than first: its score is -0.200 higher (95 % -0.300 to -0.100).",
		verdict.Equivalent:   "second and first are equivalent: their scores differ by -0.200 (95 % -0.300 to -0.100), which is within ±0.02.",
		verdict.Inconclusive: "No verdict yet on second compared with first: its score differs by -0.200 (95 % -0.300 to -0.100).",
		verdict.Withheld:     "No verdict on second compared with first: 5 % have no answer.",
	} {
		c.Word, c.Why = word, []string{"5 % have no answer"}
		if got := Sentence(c); got != want {
			t.Errorf("%s: %s", word, got)
		}
	}
	for n, want := range map[int64]string{1: "1", 99: "99", 101: "110", 1234: "1,300", 670_001: "680,000"} {
		if got := number.Rough(n); got != want {
			t.Errorf("about %d: %s, want %s", n, got, want)
		}
	}
}

// One item is in the singular.
func TestOneItem(t *testing.T) {
	c := &verdict.Comparison{Items: 1}
	c.A.Answers, c.B.Answers = 1, 1
	c.Flips.OnlyA, c.Flips.List = 1, []verdict.Flip{{Item: "x"}}
	if got, want := DifferingTitle(c), "1 item is right in one and not in the other"; got != want {
		t.Errorf("the title is %q, not %q", got, want)
	}
	if got, want := comparedRuns(c)[2].Parts[0], "1 item that both answered"; got != want {
		t.Errorf("the runs are compared over %q, not %q", got, want)
	}
	one := int64(1)
	if got := Settling(&verdict.ItemsNeeded{More: &one, Toward: verdict.Better}); !strings.HasPrefix(got, "About 1 more item would") {
		t.Errorf("the sentence is %q", got)
	}
}
