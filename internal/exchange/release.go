package exchange

import (
	"fmt"
	"iter"
	"slices"

	"verbatim"
)

// OriginSortBench is the OriginSortBench of runs that come from SortBench.
const OriginSortBench = "sortbench"

// planName returns the name of a version's lists, for Plan.Items.
func planName(version string) string { return "sortbench:" + version }

// A release is a version of the benchmark with the results of its models.
type release struct {
	version string
	namer   sortBenchNamer
	files   []results
	hash    *itemsHash
	models  []string
	trials  map[string]int // by model: the most results in one file
}

// scan checks a results file and adds it.
func (r *release) scan(f results) error {
	f.first = int64(r.hash.N)
	items, answers, err := f.read(r.namer, true)
	if err != nil {
		return err
	}
	for _, it := range items {
		if err := r.hash.Add(it); err != nil {
			return fmt.Errorf("%s: %w", f.lists.path, err)
		}
	}
	trials := make(map[string]int)
	for _, a := range answers {
		if !slices.Contains(r.models, a.model) {
			r.models = append(r.models, a.model)
		}
		trials[a.model]++
		r.trials[a.model] = max(r.trials[a.model], trials[a.model])
		for _, it := range items {
			if _, err := a.text(it); err != nil {
				return fmt.Errorf("%s: model %s: %w", f.outputs.path, a.model, err)
			}
		}
	}
	r.files = append(r.files, f)
	return nil
}

// runs returns the runs in the order of their models.
func (r *release) runs() []Run {
	slices.Sort(r.models)
	runs := make([]Run, len(r.models))
	for i, model := range r.models {
		trials := r.trials[model]
		runs[i] = Run{
			Run: verbatim.Run{
				Plan:   r.hash.Plan("sortbench", planName(r.version), trials, int64(r.hash.N*trials)),
				Model:  model,
				Origin: OriginSortBench,
			},
			Records: r.records(model),
		}
	}
	return runs
}

func (r *release) records(model string) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for trial := range r.trials[model] {
			for _, f := range r.files {
				items, answers, err := f.read(r.namer, false)
				if err != nil {
					if !yield(verbatim.Record{}, err) {
						return
					}
					continue
				}
				answers = slices.DeleteFunc(answers, func(a answer) bool { return a.model != model })
				if trial >= len(answers) {
					continue
				}
				for i, it := range items {
					rec := verbatim.Record{Seq: int64(trial*r.hash.N) + f.first + int64(i), Item: it, Trial: trial, Prompt: it.Prompt}
					err := answers[trial].fill(&rec)
					if err != nil {
						err = fmt.Errorf("%s: model %s: %w", f.outputs.path, model, err)
					}
					if !yield(rec, err) {
						return
					}
				}
			}
		}
	}
}
