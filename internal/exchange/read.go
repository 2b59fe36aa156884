package exchange

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"verbatim"
)

// originSimpE is the Origin of runs that come from simpE.
const originSimpE = "simpe"

// StatusGrader is the grader of the grades that Read returns, which are the statuses in the files:
// "success" is exact.
const StatusGrader = "simpe-status"

// ReadSimpE reads result files of simpE. All results of a model make one Run, in the order of the
// models' names. To keep two runs of a model apart, read their files with two calls.
//
// The items are of edition reference, and their ids have a digest of their contents, such as
// simpe:reversal/1a2b3c4d5e6f. tests, which may be nil, returns the name of the family for
// "reversal", "rehearsal" and "addition". A result that repeats an item is another trial of it.
//
// A file leaves out failed requests. If its number of tries is higher than that of its results,
// the difference becomes records with a Failure, of items of which only the test is known.
//
// A record has the whole reply and the file's own status as its Grade. The error joins those of
// all files, up to 20.
func ReadSimpE(tests func(test string) string, paths ...string) ([]Run, error) {
	b := builder{tests: tests, models: make(map[string]*simpeRun)}
	for _, path := range paths {
		files, err := filesOf(path)
		b.wrong.Add(err)
		for _, file := range files {
			var data simpeFile
			if err := readJSON(file, &data); err != nil {
				b.wrong.Add(err)
				continue
			}
			b.file(file, &data)
		}
	}
	if err := b.wrong.Err(); err != nil {
		return nil, err
	}
	var runs []Run
	for _, r := range b.models {
		name := r.files[0]
		if len(r.files) > 1 {
			name = fmt.Sprintf("%d files of simpE", len(r.files))
		}
		run, err := inMemory(verbatim.Run{Model: r.model, Started: r.started, Origin: originSimpE}, "simpe", name, r.records)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	slices.SortStableFunc(runs, func(x, y Run) int { return cmp.Compare(x.Model, y.Model) })
	return runs, nil
}

// A simpeFile is a result file as simpE writes it.
type simpeFile struct {
	Reversal  *simpeTest `json:"string_reversal"`
	Addition  *simpeTest `json:"add_two_ints"`
	Rehearsal *simpeTest `json:"string_rehearsal"`
}

// tests returns the tests in the order of testNames; nil for a missing one.
func (f *simpeFile) tests() [3]*simpeTest {
	return [3]*simpeTest{f.Reversal, f.Addition, f.Rehearsal}
}

type simpeTest struct {
	Type     string        `json:"test_type"`
	Attempts *int64        `json:"tries"`
	Results  []simpeResult `json:"results"`
}

type simpeResult struct {
	String    json.RawMessage `json:"string"`
	Int1      json.RawMessage `json:"int1"`
	Int2      json.RawMessage `json:"int2"`
	Duration  *float64        `json:"duration_seconds"`
	Reasoning json.RawMessage `json:"reasoning"`
	Response  json.RawMessage `json:"response"`
	Model     string          `json:"model"`
	Status    *string         `json:"status"`
}

// A simpeRun collects the records of one model.
type simpeRun struct {
	model   string
	started time.Time
	records []verbatim.Record
	trials  map[string]int // by the id of the item
	files   []string
}

// A builder makes the runs of several files.
type builder struct {
	tests  func(string) string
	models map[string]*simpeRun
	wrong  problems
}

// run returns the run of a model that has results in the file at path.
func (b *builder) run(model, path string) *simpeRun {
	r := b.models[model]
	if r == nil {
		r = &simpeRun{model: model, trials: make(map[string]int)}
		b.models[model] = r
	}
	if name := filepath.Base(path); !slices.Contains(r.files, name) {
		r.files = append(r.files, name)
		if at := startOf(name); r.started.IsZero() || !at.IsZero() && at.Before(r.started) {
			r.started = at
		}
	}
	return r
}

// file adds the results of a file.
func (b *builder) file(path string, data *simpeFile) {
	if data.tests() == [3]*simpeTest{} {
		b.wrong.Add(fmt.Errorf("%s: this is no result file of simpE: string_reversal, add_two_ints and string_rehearsal are missing", path))
		return
	}
	main := majority(data)
	for i, test := range data.tests() {
		if test == nil {
			continue
		}
		name, key := testNames()[i].name, testNames()[i].key
		for i := range test.Results {
			res := &test.Results[i]
			rec, err := res.record(name, b.family(name))
			if err != nil {
				b.wrong.Add(fmt.Errorf("%s: %s.results[%d]%w", path, key, i, err))
				continue
			}
			model := cmp.Or(res.Model, main)
			if model == "" {
				b.wrong.Add(fmt.Errorf("%s: %s.results[%d].model: no result of this file names a model", path, key, i))
				continue
			}
			b.run(model, path).add(rec)
		}
		b.lost(path, key, name, test, main)
	}
}

func (b *builder) family(test string) string {
	if b.tests != nil {
		if name := b.tests(test); name != "" {
			return name
		}
	}
	return test
}

// lost adds records for the requests that the file counts and leaves out.
func (b *builder) lost(path, key, name string, t *simpeTest, model string) {
	const most = 1_000_000
	switch {
	case t.Attempts == nil:
		return
	case *t.Attempts < int64(len(t.Results)) || *t.Attempts > most:
		b.wrong.Add(fmt.Errorf("%s: %s.tries: %d, but there are %d results", path, key, *t.Attempts, len(t.Results)))
		return
	case *t.Attempts == int64(len(t.Results)):
		return
	case model == "":
		b.wrong.Add(fmt.Errorf("%s: %s: no result names a model", path, key))
		return
	}
	run := b.run(model, path)
	mark := digest(filepath.Base(path))
	for i := range *t.Attempts - int64(len(t.Results)) {
		run.add(verbatim.Record{
			Item: &verbatim.Item{
				ID:     fmt.Sprintf("simpe:%s/lost/%s/%d", name, mark, i+1),
				Facts:  map[string]string{verbatim.FactFamily: b.family(name), verbatim.FactEdition: string(verbatim.Reference)},
				Grader: graderOf(name),
			},
			Outcome: verbatim.Errored,
			Failure: &verbatim.Failure{Class: verbatim.Transport, Err: errLost},
		})
	}
}

var errLost = errors.New("simpE leaves failed requests out of its results, without the reason")

// majority returns the model of most results of a file, after which simpE names the file.
func majority(data *simpeFile) string {
	seen := make(map[string]int)
	best := ""
	for _, t := range data.tests() {
		if t == nil {
			continue
		}
		for _, r := range t.Results {
			if r.Model == "" {
				continue
			}
			if seen[r.Model]++; seen[r.Model] > seen[best] {
				best = r.Model
			}
		}
	}
	return best
}

func (r *simpeRun) add(rec verbatim.Record) {
	rec.Trial = r.trials[rec.Item.ID]
	r.trials[rec.Item.ID]++
	r.records = append(r.records, rec)
}
