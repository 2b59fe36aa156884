package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"verbatim"
)

// OriginInspect is the Origin of runs that come from logs of Inspect.
const OriginInspect = "inspect"

// Inspect reads logs of Inspect (inspect_ai), version 2 of its format, as JSON
// documents or as .eval archives, which the first bytes tell. Every log makes a Run,
// in the order of the paths; an epoch is a trial.
//
// Of a log that WriteInspect wrote the records come back as they were, with the
// plan, unless the run was a test. Of any other log an item is named by its task, its
// id and its content, such as inspect:capitals/7/1a2b3c4d5e6f; its facts are the
// texts, numbers and truth values of the sample's metadata, and the task is its
// family where these name none. A Reply is what the model said last, with the tokens
// and the time of that call, and the Grade beside it what the first scorer of the log
// says, under a grader of the scorer's name, "inspect-exact".
//
// A sample with an error, or without output, becomes a record with a Failure. One
// with several right answers, or none, cannot be graded here: its record is a score
// without a reply, as in published scores, or is skipped where there is none.
//
// The error joins everything that is wrong with the logs, up to 20 things.
func Inspect(paths ...string) ([]Run, error) {
	var wrong mishaps
	var runs []Run
	for _, path := range paths {
		l := &inspectLog{path: path}
		run, err := l.run(&wrong)
		if err != nil {
			wrong.add(err)
			continue
		}
		runs = append(runs, run)
	}
	if err := wrong.err(); err != nil {
		return nil, err
	}
	return runs, nil
}

// An inspectLog is a log on its way to a Run.
type inspectLog struct {
	path string
	head inspectHead
	note *runNote // nil where another program wrote the log
}

// run checks the whole log and returns its Run.
func (l *inspectLog) run(wrong *mishaps) (Run, error) {
	items := newItemsHash()
	known := map[string]bool{}
	places := map[int64]bool{}
	trials := 1
	before := wrong.count()
	for rec, err := range l.records() {
		if err != nil {
			wrong.add(err)
			continue
		}
		if places[rec.Seq] {
			wrong.add(fmt.Errorf("%s: two samples have the place %d of the plan", l.path, rec.Seq))
		}
		places[rec.Seq] = true
		trials = max(trials, rec.Trial+1)
		if !known[rec.Item.ID] {
			known[rec.Item.ID] = true
			if err := items.add(rec.Item); err != nil {
				return Run{}, fmt.Errorf("%s: %w", l.path, err)
			}
		}
	}
	if wrong.count() > before {
		return Run{}, nil
	}
	if len(places) == 0 {
		return Run{}, fmt.Errorf("%s: there are no samples in it: was it logged with log_samples?", l.path)
	}
	return Run{Run: l.runOf(items, trials, int64(len(places))), Records: l.records()}, nil
}

func (l *inspectLog) runOf(items *itemsHash, trials int, n int64) verbatim.Run {
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
		run.Plan = items.planOf(verbatim.Standard, "inspect", filepath.Base(l.path), trials, n)
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

// begin takes the log without its samples.
func (l *inspectLog) begin(head inspectHead) error {
	l.head, l.note = head, nil
	switch {
	case head.Version != 2:
		return fmt.Errorf("%s: the log has version %d of the format; version 2 is read: 'inspect log convert' of an old one writes it", l.path, head.Version)
	case head.Eval.Model == "" || head.Eval.Task == "":
		return fmt.Errorf("%s: the log does not say which model answered which task", l.path)
	}
	if raw := head.Eval.Metadata[noteKey]; raw != nil {
		var note runNote
		if json.Unmarshal(raw, &note) == nil && note.ours() {
			l.note = &note
		}
	}
	return nil
}

// records reads the log anew. An error that is not the last thing that comes is of
// one sample.
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

// A placed sample knows where in its file it is.
type placedSample struct {
	*inspectSample
	where string
}

func moment(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// family names the family of the samples of a log: the task without the package
// that it comes from.
func (l *inspectLog) family() string {
	task := l.head.Eval.Task
	return label(task[strings.LastIndexByte(task, '/')+1:])
}
