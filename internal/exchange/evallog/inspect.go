package evallog

import (
	"cmp"
	"fmt"
	"iter"
	"path/filepath"

	"verbatim"
	"verbatim/internal/exchange"
)

// OriginInspect is the Origin of runs that come from logs of Inspect.
const OriginInspect = "inspect"

// ReadInspect reads logs of Inspect (inspect_ai), version 2 of its format, as JSON
// documents or as .eval archives; their first bytes decide. Each log is a Run, in the
// order of the paths, and an epoch is a trial.
//
// The records of a log from WriteInspect come back unchanged, with the plan, unless the
// run was a test. In other logs an item is named by its task, its id and its content, such
// as inspect:capitals/7/1a2b3c4d5e6f. Its facts are the texts, numbers and truth values of
// the sample's metadata; the family is the task if the metadata names none. A Reply is the
// model's last output, with the tokens and the time of that call. Its Grade is that of the
// log's first scorer, under the scorer's name, "inspect-exact".
//
// A sample with an error, or without output, is a record with a Failure. One with several
// right answers, or without any, cannot be graded here: its record is a score without a
// reply, or is skipped without a score.
//
// The error joins what is wrong with the logs, up to 20 errors.
func ReadInspect(paths ...string) ([]exchange.Run, error) {
	var wrong exchange.Problems
	var runs []exchange.Run
	for _, path := range paths {
		l := &inspectLog{path: path}
		run, err := l.run(&wrong)
		if err != nil {
			wrong.Add(err)
			continue
		}
		runs = append(runs, run)
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return runs, nil
}

// run checks the whole log and returns its Run.
func (l *inspectLog) run(wrong *exchange.Problems) (exchange.Run, error) {
	items := exchange.NewItemsHash()
	known := map[string]bool{}
	places := map[int64]bool{}
	trials := 1
	before := wrong.Count()
	for rec, err := range l.records() {
		if err != nil {
			wrong.Add(err)
			continue
		}
		if places[rec.Seq] {
			wrong.Add(fmt.Errorf("%s: two samples have the position %d of the plan", l.path, rec.Seq))
		}
		places[rec.Seq] = true
		trials = max(trials, rec.Trial+1)
		if !known[rec.Item.ID] {
			known[rec.Item.ID] = true
			if err := items.Add(rec.Item); err != nil {
				return exchange.Run{}, fmt.Errorf("%s: %w", l.path, err)
			}
		}
	}
	if wrong.Count() > before {
		return exchange.Run{}, nil
	}
	if len(places) == 0 {
		return exchange.Run{}, fmt.Errorf("%s: there are no samples in it: was it logged with log_samples?", l.path)
	}
	return exchange.Run{Run: l.runOf(items, trials, int64(len(places))), Records: l.records()}, nil
}

func (l *inspectLog) runOf(items *exchange.ItemsHash, trials int, n int64) verbatim.Run {
	eval := &l.head.Eval
	var run verbatim.Run
	if l.note != nil {
		run = l.note.run(eval.Model, OriginInspect)
	} else {
		run = verbatim.Run{Model: eval.Model, Origin: OriginInspect, Params: l.params(),
			Started: moment(cmp.Or(l.head.Stats.Started, eval.Created)), Ended: moment(l.head.Stats.Completed)}
	}
	if run.Plan.Hash == "" {
		// What the log should hold, where it says so and that is more.
		const most = 100_000_000
		if asked := eval.Dataset.Samples * max(eval.Config.Epochs, 1); asked > n && asked < most && eval.Dataset.Samples < most {
			n = asked
		}
		run.Plan = items.EditionPlan(verbatim.Standard, "inspect", filepath.Base(l.path), trials, n)
	}
	return run
}

// params are the parameters that the log says were sent.
func (l *inspectLog) params() verbatim.Params {
	model, plan := &l.head.Eval.Generate, &l.head.Plan.Config
	return verbatim.Params{
		Temperature: cmp.Or(plan.Temperature, model.Temperature), TopP: cmp.Or(plan.TopP, model.TopP), Seed: cmp.Or(plan.Seed, model.Seed),
		Effort: cmp.Or(plan.Effort, model.Effort), ReasoningBudget: cmp.Or(plan.ReasoningTokens, model.ReasoningTokens),
	}
}

// records reads the log again. An error is of one sample, unless it is the last value.
func (l *inspectLog) records() iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		var seq int64
		for s, err := range l.samples() {
			var rec verbatim.Record
			if err == nil {
				if rec, err = l.record(s.inspectSample, seq); err != nil {
					err = fmt.Errorf("%s: %s: %w", l.path, s.where, err)
				}
			}
			seq++
			if !yield(rec, err) {
				return
			}
		}
	}
}
