package evallog

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"verbatim"
	"verbatim/internal/exchange"
)

// inspectScores returns the scores that a grade has in a log.
func inspectScores() []inspectMeasure {
	return []inspectMeasure{
		{"exact", "accuracy", func(g *verbatim.Grade) *float64 { return truthValue(g.Exact) }},
		{"extracted", "accuracy", func(g *verbatim.Grade) *float64 { return truthValue(g.Extracted) }},
		{"score", "mean", func(g *verbatim.Grade) *float64 { return g.Score }},
	}
}

// An inspectMeasure is a score with the name of its mean.
type inspectMeasure struct {
	name, mean string
	of         func(*verbatim.Grade) *float64 // returns nil for a grade without the score
}

func truthValue(b bool) *float64 {
	if b {
		return new(1.0)
	}
	return new(0.0)
}

// inspectHeadOf returns the log of a run without its samples. It reads the records once.
func inspectHeadOf(run *exchange.Run) (*inspectHead, error) {
	note, err := marshal(noteOfRun(&run.Run))
	if err != nil {
		return nil, err
	}
	created := instant(run.Started)
	if created == "" {
		created = "1970-01-01T00:00:00+00:00" // the format requires a time
	}
	p := &run.Params
	id := exchange.Digest(run.Name + "\x00" + run.Plan.Hash + "\x00" + created)
	head := &inspectHead{
		Version: 2, Status: "success",
		Eval: inspectEval{
			ID: id, RunID: id, TaskID: exchange.Digest(run.Plan.Hash), Created: created, Task: cmp.Or(run.Plan.Suite, "items"), Model: run.Model,
			Packages: map[string]string{}, Metadata: map[string]json.RawMessage{noteKey: note},
			Config: inspectEvalConfig{Epochs: int64(max(run.Plan.Trials, 1))},
		},
		Plan: inspectPlan{Name: "plan", Steps: []inspectStep{{"generate"}}, Config: inspectConfig{
			Temperature: p.Temperature, TopP: p.TopP, Seed: p.Seed, ReasoningTokens: p.ReasoningBudget,
		}},
		Stats: inspectStats{Started: instant(run.Started), Completed: instant(run.Ended)},
	}
	if run.Ended.IsZero() {
		head.Status = "started"
	}
	// Inspect refuses a log with an unknown effort.
	if slices.Contains([]string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}, p.Effort) {
		head.Plan.Config.Effort = p.Effort
	}
	for _, m := range inspectScores() {
		head.Eval.Scorers = append(head.Eval.Scorers, inspectScorer{m.name})
	}
	return head, head.count(run)
}

// count sets the fields that depend on the records.
func (head *inspectHead) count(run *exchange.Run) error {
	var total, answered int64
	items := map[string]bool{}
	var limit int64
	means := make([]itemMeans, len(inspectScores()))
	for rec, err := range run.Records {
		if err != nil {
			return err
		}
		total++
		items[rec.Item.ID] = true
		limit = max(limit, int64(rec.MaxTokens))
		if rec.Grade == nil {
			continue
		}
		answered++
		for i, m := range inspectScores() {
			means[i].add(rec.Item.ID, m.of(rec.Grade))
		}
	}
	if limit > 0 {
		head.Plan.Config.MaxTokens = &limit
	}
	head.Eval.Dataset = inspectDataset{Name: head.Eval.Task, Samples: int64(len(items))}
	head.Results = &inspectResults{Total: max(total, run.Plan.Count), Completed: answered, Scores: []inspectEvalScore{}}
	for i, m := range inspectScores() {
		score := inspectEvalScore{Name: m.name, Scorer: m.name, Metrics: map[string]inspectMetric{}, Scored: int64(len(means[i].order)), Unscored: int64(len(items) - len(means[i].order))}
		if mean, stderr, ok := means[i].mean(); ok {
			score.Metrics[m.mean] = inspectMetric{m.mean, mean}
			score.Metrics["stderr"] = inspectMetric{"stderr", stderr}
		}
		head.Results.Scores = append(head.Results.Scores, score)
	}
	return nil
}

// itemMeans computes the mean of each item over its trials, as Inspect reduces epochs before it
// computes its metrics.
type itemMeans struct {
	order []string               // items
	sums  map[string]*[2]float64 // by item: the sum and the number of values
}

func (m *itemMeans) add(item string, v *float64) {
	if v == nil || math.IsNaN(*v) {
		return
	}
	if m.sums == nil {
		m.sums = map[string]*[2]float64{}
	}
	s := m.sums[item]
	if s == nil {
		s = new([2]float64)
		m.sums[item], m.order = s, append(m.order, item)
	}
	s[0] += *v
	s[1]++
}

// mean returns the mean of the items and its standard error, as Inspect's metrics of these names
// do. The standard error is computed from the sample variance, and is 0 for one item. ok is false
// without items.
func (m *itemMeans) mean() (mean, stderr float64, ok bool) {
	n := float64(len(m.order))
	if n == 0 {
		return 0, 0, false
	}
	for _, item := range m.order {
		mean += m.sums[item][0] / m.sums[item][1]
	}
	mean /= n
	for _, item := range m.order {
		d := m.sums[item][0]/m.sums[item][1] - mean
		stderr += d * d
	}
	if n > 1 {
		stderr = math.Sqrt(stderr / (n - 1) / n)
	}
	return mean, stderr, true
}
