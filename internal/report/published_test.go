package report

import (
	"slices"
	"strconv"
	"testing"

	"verbatim"
	"verbatim/internal/oracle"
	"verbatim/internal/recordtest"
)

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
