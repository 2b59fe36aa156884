package report

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/oracle"
	"verbatim/internal/recordtest"
	"verbatim/internal/table"
	"verbatim/internal/table/tabletest"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// headlineFamily makes a task with n answers at each length, of which as many are exact as right
// says.
func headlineFamily(name string, n int64, right map[int]int64) Family {
	f := Family{Name: name}
	for length, exact := range right {
		f.Lines = append(f.Lines, Line{Length: strconv.Itoa(length), Lengths: &verbatim.Lengths{Min: length, Max: length}, Exact: NewRate(exact, n, nil)})
	}
	return f
}

// TestReach: the longest measured length up to which every length is exact enough, of each task by
// itself, with the count there.
func TestReach(t *testing.T) {
	bands := Family{Name: "copy", Lines: []Line{
		{Length: "5–8", Lengths: &verbatim.Lengths{Min: 5, Max: 8}, Exact: NewRate(200, 200, nil)},
		{Length: "9–16", Lengths: &verbatim.Lengths{Min: 9, Max: 16}, Exact: NewRate(180, 200, nil)},
	}}
	repeated := headlineFamily("copy", 100, map[int]int64{4: 100, 8: 100}) // 4 items with 25 trials each
	for i := range repeated.Lines {
		repeated.Lines[i].Exact.Items = 4
	}
	few := headlineFamily("copy", 40, map[int]int64{4: 40, 8: 40, 32: 40})
	few.Lines = append(few.Lines, headlineFamily("copy", 3, map[int]int64{16: 0}).Lines...)
	for name, c := range map[string]struct {
		family  Family
		atLeast float64
		want    string
	}{
		"all exact":              {headlineFamily("copy", 40, map[int]int64{4: 40, 8: 40, 16: 40}), 0.95, "≥ 16 · 40 of 40"},
		"none exact":             {headlineFamily("copy", 40, map[int]int64{4: 0, 8: 0}), 0.95, "< 4 · 0 of 40"},
		"in the middle":          {headlineFamily("copy", 40, map[int]int64{4: 40, 8: 38, 16: 37, 32: 0}), 0.95, "8 · 38 of 40"},
		"exactly the share":      {headlineFamily("copy", 20, map[int]int64{2: 19, 4: 18}), 0.95, "2 · 19 of 20"},
		"another share":          {headlineFamily("copy", 40, map[int]int64{4: 40, 8: 39, 16: 36}), 0.98, "4 · 40 of 40"},
		"a hole":                 {headlineFamily("copy", 40, map[int]int64{4: 40, 8: 4, 16: 40, 32: 40}), 0.95, "4 · 40 of 40"},
		"a hole at the shortest": {headlineFamily("copy", 40, map[int]int64{4: 4, 8: 40}), 0.95, "< 4 · 4 of 40"},
		"few items":              {headlineFamily("copy", 9, map[int]int64{4: 9, 8: 9}), 0.95, "–"},
		"few items in between":   {few, 0.95, "≥ 32 · 40 of 40"},
		"trials are not items":   {repeated, 0.95, "–"},
		"no lengths":             {Family{Name: "mine", Lines: []Line{{Exact: NewRate(40, 40, nil)}}}, 0.95, "–"},
		"bands of lengths":       {bands, 0.95, "8 · 200 of 200"},
	} {
		c.family.Total.Exact = NewRate(1, 1, nil)
		r := reachOf(&c.family, c.atLeast)
		known := Reach{Task: "known", Length: new(8), At: &Rate{}}
		h := &Headline{Rows: []HeadlineRow{{Reach: []Reach{r, known}}}}
		if got := h.ReachText(&r); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestReachOfFewItems: without a length of enough items, the table has the exact answers, and a line
// says which command sends enough.
func TestReachOfFewItems(t *testing.T) {
	f := headlineFamily("copy", 1, map[int]int64{4: 1, 8: 1, 16: 0})
	f.Total.Exact = NewRate(2, 3, nil)
	r := &Report{Runs: []Block{{Head: Head{Name: "a", Model: "nano", Suite: "quick"}, Families: []Family{f}}}}
	h := HeadlineOf(r)
	if text := h.ReachText(h.Rows[0].Of("copy")); text != "2 of 3" || h.ReachHead() != HeadExact {
		t.Errorf("%q under %q", text, h.ReachHead())
	}
	if list := h.Explained(); len(list) != 1 || !strings.HasSuffix(list[0], "verbatim run --model nano --items 10 --suite quick") {
		t.Errorf("explained by %q", list)
	}
	r.Runs[0].Head.Suite = "custom"
	if list := HeadlineOf(r).Explained(); !strings.HasSuffix(list[0], "--items 10 --task copy --length 4,8,16") {
		t.Errorf("explained by %q", list)
	}
	r.Runs[0].Head.Items = "mine.jsonl"
	if list := HeadlineOf(r).Explained(); len(list) != 0 {
		t.Errorf("the items are those of a file: %q", list)
	}
}

// reportOf makes a report of runs with so many of 100 answers exact.
func reportOf(exact map[string]int64, order ...string) *Report {
	r := new(Report)
	for _, name := range order {
		r.Runs = append(r.Runs, Block{Head: Head{Name: name, Model: "model-" + name}, Total: Line{Answered: 100, Exact: NewRate(exact[name], 100, nil)}})
	}
	return r
}

// TestRows: every run is in the table once, whatever the order of the runs: by rank, and
// those without a rank behind, by their exact share.
func TestRows(t *testing.T) {
	exact := map[string]int64{"a": 90, "b": 50, "c": 99, "d": 70, "e": 70}
	place := func(name string, rank int) verdict.RankPlace {
		return verdict.RankPlace{RunInfo: verdict.RunInfo{Name: name, Model: "model-" + name}, Rank: rank, RankLow: rank, RankHigh: rank + 1}
	}
	for _, order := range [][]string{{"a", "b", "c", "d", "e"}, {"e", "d", "c", "b", "a"}, {"c", "e", "a", "b", "d"}} {
		r := reportOf(exact, order...)
		names := func() (list []string) {
			for _, row := range HeadlineOf(r).Rows {
				list = append(list, row.RankText()+" "+row.Name)
			}
			return list
		}
		if got, want := names(), []string{"– c", "– a", "– d", "– e", "– b"}; !slices.Equal(got, want) {
			t.Errorf("%v without a leaderboard: %v, not %v", order, got, want)
		}
		r.Leaderboard = &verdict.Leaderboard{Metric: "exact", Places: []verdict.RankPlace{place("a", 1), place("b", 2), place("d", 2), {RunInfo: verdict.RunInfo{Name: "c", Model: "model-c"}}}}
		if got, want := names(), []string{"1–2 a", "=2–3 b", "=2–3 d", "– c", "– e"}; !slices.Equal(got, want) {
			t.Errorf("%v: %v, not %v", order, got, want)
		}
	}
}

// TestDollars: the price of 1,000 exact answers counts what wrong ones cost, and is unknown
// without a price or an exact answer.
func TestDollars(t *testing.T) {
	cost := 3 * verbatim.Dollar
	for name, c := range map[string]struct {
		cost  *Cost
		exact int64
		want  string
	}{
		"half of 100 exact":       {&Cost{Dollars: &cost, Known: 100}, 50, "$60.00"},
		"a cost of half is known": {&Cost{Dollars: &cost, Known: 50, Unknown: 50}, 50, "$120.00"},
		"no exact answer":         {&Cost{Dollars: &cost, Known: 100}, 0, "–"},
		"no price":                {nil, 50, "–"},
		"only of lost attempts":   {&Cost{MayHave: &cost}, 50, "–"},
		"free":                    {&Cost{Dollars: new(verbatim.Money), Known: 100}, 50, "$0"},
	} {
		r := reportOf(map[string]int64{"a": c.exact}, "a")
		r.Runs[0].Total.Cost = c.cost
		if got := HeadlineOf(r).Rows[0].DollarsText(); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// TestTable: at 80 columns all columns stay, with the metric by which runs are ranked if
// that is not exactness.
func TestTable(t *testing.T) {
	r := reportOf(map[string]int64{"a": 90, "b": 50}, "a", "b")
	r.Runs[0].Head.Model = "openrouter:a-provider/a-model-with-a-long-name-2026-11-23"
	for _, metric := range []string{"exact", "similarity"} {
		r.Leaderboard = &verdict.Leaderboard{Metric: metric, Places: []verdict.RankPlace{{RunInfo: verdict.RunInfo{Name: "b", Model: "model-b"}, Rank: 1, RankLow: 1, RankHigh: 1}}}
		var out strings.Builder
		d := &table.Document{Body: func(int) []table.Block { return []table.Block{HeadlineOf(r).Table(80)} }}
		if err := tabletest.Write(&out, "text", d, terminal.Style{Width: 80}); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		for line := range strings.Lines(text) {
			if terminal.Width(strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("%s: a line is wider than 80 columns: %q", metric, line)
			}
		}
		for _, head := range []string{"rank", "model", "exact %", "95 %", "1,000", "median"} {
			if !strings.Contains(text, head) {
				t.Errorf("%s: no column %q:\n%s", metric, head, text)
			}
		}
		if strings.Contains(text, "similarity") != (metric == "similarity") {
			t.Errorf("ranked by %s:\n%s", metric, text)
		}
	}
}

// publishedRuns are the published scores of SortBench, a run for each model.
func publishedRuns(t *testing.T) map[string][]verbatim.Record {
	t.Helper()
	runs := map[string][]verbatim.Record{}
	for _, row := range oracle.Rows(t, "sortbench-v1.0", "published_scores.csv.gz") {
		g := &verbatim.Grade{Outcome: verbatim.Wrong, Label: "score_only", Grader: "published"}
		if v, err := strconv.ParseFloat(row["sortbench_published"], 64); err == nil && row["sortbench_published"] != "nan" {
			g.Score, g.Measures = &v, map[string]float64{"sortbench_published": v}
		}
		runs[row["model"]] = append(runs[row["model"]], verbatim.Record{
			Seq: int64(len(runs[row["model"]])), Outcome: g.Outcome, Grade: g,
			Item: &verbatim.Item{ID: row["mode"] + row["task"] + row["length"] + row["list"], Facts: map[string]string{
				verbatim.FactFamily: row["mode"] + " " + row["task"], verbatim.FactLength: row["length"], verbatim.FactMode: row["mode"]}},
		})
	}
	return runs
}

// TestPublishedModelScores: the model scores of the published scores are those of the
// authors' notebook, and over all tasks those of Table 1 of the paper (Herbold 2025,
// arXiv:2504.08312), at the three decimals that both give.
func TestPublishedModelScores(t *testing.T) {
	runs := publishedRuns(t)
	names := map[string]string{"claude-3-5-haiku-20241022": "Claude-3.5-Haiku", "claude-3-5-sonnet-20241022": "Claude-3.5-Sonnet",
		"deepseekr1": "DeepSeek-r1", "gpt-4o": "GPT-4o", "gpt-4o-mini": "GPT-4o-mini", "llama3.1": "Llama-3.1", "o3-mini": "o3-mini"}
	named := map[string][]verbatim.Record{}
	for model, recs := range runs {
		if len(recs) != 1440 {
			t.Fatalf("%s has %d scores", model, len(recs))
		}
		named[names[model]] = recs
	}
	tableOne := map[string]string{"o3-mini": "0.977", "GPT-4o": "0.914", "GPT-4o-mini": "0.842", "Claude-3.5-Sonnet": "0.819",
		"Claude-3.5-Haiku": "0.795", "Llama-3.1": "0.704", "DeepSeek-r1": "0.524"}
	three := func(v *float64) string { return strconv.FormatFloat(*v, 'f', 3, 64) }
	checked := 0
	for _, row := range oracle.Rows(t, "stats", "aggregate.csv") {
		recs := slices.DeleteFunc(slices.Clone(named[row["model"]]), func(r verbatim.Record) bool {
			return row["mode"] != "all" && r.Item.Facts[verbatim.FactMode] != row["mode"]
		})
		if len(recs) == 0 {
			t.Fatalf("there are no %s scores of %s", row["mode"], row["model"])
		}
		got := must(Of(Options{Metric: MetricSortBench}, Input{Records: recordtest.Each(recs...)}))(t).Runs[0].ModelScore
		if one := tableOne[row["model"]]; row["mode"] == "all" && three(got) != one {
			t.Errorf("%s: %s, and %s in Table 1", row["model"], three(got), one)
		}
		want, err := strconv.ParseFloat(row["sortbench"], 64)
		if err != nil {
			t.Fatal(err)
		}
		if three(got) != three(&want) {
			t.Errorf("%s of %s: %v, reference %v", row["mode"], row["model"], *got, want)
		}
		checked++
	}
	if checked != 28 {
		t.Errorf("only %d numbers", checked)
	}
}
