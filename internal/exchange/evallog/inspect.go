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

// ReadInspect reads logs of Inspect (inspect_ai), version 2 of its format. A log is a JSON document
// or an .eval archive, by its first bytes. Each log is a Run, in the order of the paths, and an
// epoch is a trial.
//
// Records of WriteInspect come back unchanged, with the plan, unless the run was a test. In logs of
// other programs, the id of an item has its task, its id and a digest of its contents, such as
// inspect:capitals/7/1a2b3c4d5e6f. Its facts are the texts, numbers and truth values of the sample's
// metadata; the family is the task, unless the metadata have one. A Reply is the last output of the
// model, with the tokens and the duration of that call. Its Grade is that of the log's first scorer,
// by a grader with the scorer's name, such as "inspect-exact".
//
// A sample with an error, or without output, is a record with a Failure. A sample with several right
// answers, or without any, cannot be graded here: its record has the log's score without the reply,
// or is skipped if there is no score.
//
// The error joins those of all logs, up to 20.
func ReadInspect(paths ...string) ([]exchange.Run, error) {
	var wrong exchange.Problems
	var runs []exchange.Run
	for _, path := range paths {
		runs = append(runs, (&inspectLog{path: path}).run(&wrong))
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return runs, nil
}

// run checks the whole log and returns its Run. It adds errors to wrong.
func (l *inspectLog) run(wrong *exchange.Problems) exchange.Run {
	s, ok := summarize(l.path, l.records(), wrong)
	if ok && s.count == 0 {
		wrong.Add(fmt.Errorf("%s: the log has no samples: was it written with log_samples?", l.path))
	}
	return exchange.Run{Run: l.runOf(s), Records: l.records()}
}

// A planSummary is what the plan of a log without a note needs of its records.
type planSummary struct {
	items  *exchange.ItemsHash
	trials int
	count  int64 // of the records
}

// summarize reads the records of the log at path, and adds errors to wrong. ok is false then.
func summarize(path string, records iter.Seq2[verbatim.Record, error], wrong *exchange.Problems) (s planSummary, ok bool) {
	s = planSummary{items: exchange.NewItemsHash(), trials: 1}
	items, positions := map[string]bool{}, map[int64]bool{}
	before := wrong.Count()
	for rec, err := range records {
		if err != nil {
			wrong.Add(err)
			continue
		}
		if positions[rec.Seq] {
			wrong.Add(fmt.Errorf("%s: two samples have the position %d of the plan", path, rec.Seq))
		}
		positions[rec.Seq] = true
		s.trials = max(s.trials, rec.Trial+1)
		if !items[rec.Item.ID] {
			items[rec.Item.ID] = true
			if err := s.items.Add(rec.Item); err != nil {
				wrong.Add(fmt.Errorf("%s: %w", path, err))
			}
		}
	}
	s.count = int64(len(positions))
	return s, wrong.Count() == before
}

// runOf returns the run of the log without its records.
func (l *inspectLog) runOf(s planSummary) verbatim.Run {
	eval := &l.head.Eval
	var run verbatim.Run
	if l.note != nil {
		run = l.note.run(eval.Model, OriginInspect)
	} else {
		run = verbatim.Run{Model: eval.Model, Origin: OriginInspect, Params: l.params(),
			Started: moment(cmp.Or(l.head.Stats.Started, eval.Created)), Ended: moment(l.head.Stats.Completed)}
	}
	if run.Plan.Hash == "" {
		// An unfinished log has fewer samples than it says.
		const most = 100_000_000
		n := s.count
		if planned := eval.Dataset.Samples * max(eval.Config.Epochs, 1); planned > n && planned < most && eval.Dataset.Samples < most {
			n = planned
		}
		run.Plan = s.items.EditionPlan(verbatim.Standard, "inspect", filepath.Base(l.path), s.trials, n)
	}
	return run
}

// params returns the parameters that the log has.
func (l *inspectLog) params() verbatim.Params {
	model, plan := &l.head.Eval.Generate, &l.head.Plan.Config
	return verbatim.Params{
		Temperature: cmp.Or(plan.Temperature, model.Temperature), TopP: cmp.Or(plan.TopP, model.TopP), Seed: cmp.Or(plan.Seed, model.Seed),
		Effort: cmp.Or(plan.Effort, model.Effort), ReasoningBudget: cmp.Or(plan.ReasoningTokens, model.ReasoningTokens),
	}
}

// records reads the log. After the error of a sample, further records may follow.
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
