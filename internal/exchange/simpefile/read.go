package simpefile

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/listsort"
)

// OriginSimpE is the Origin of runs that come from simpE.
const OriginSimpE = "simpe"

// StatusGrader is the grader under which Read returns what a result file itself
// says of a reply: Strict is its status "success".
const StatusGrader = "simpe-status"

// Read reads result files of simpE. The results of all of them that came from
// one model make one Run, in the order of the models' names; who wants two runs
// of a model to stay apart reads their files apart.
//
// The items are those of edition reference, named by their content, such as
// simpe:reversal/1a2b3c4d5e6f; tests is asked for the family's name of "reversal",
// "rehearsal" and "addition", and may be nil. A result that repeats an item is
// another trial of it. A file leaves out the tries that failed: as many as its
// count of tries exceeds its results become records with a Failure, of items
// that nothing is known of but their test.
//
// A record has the reply unstripped and, as its Grade, the file's own status. The
// error joins everything that is wrong with the files, up to 20 things.
func Read(tests func(test string) string, paths ...string) ([]exchange.Run, error) {
	b := builder{tests: tests, models: make(map[string]*simpeRun)}
	for _, path := range paths {
		files, err := filesOf(path)
		b.wrong.Add(err)
		for _, file := range files {
			var data simpeFile
			if err := exchange.ReadJSON(file, &data); err != nil {
				b.wrong.Add(err)
				continue
			}
			b.file(file, &data)
		}
	}
	if err := b.wrong.Err(); err != nil {
		return nil, err
	}
	var runs []exchange.Run
	for _, r := range b.models {
		runs = append(runs, r.run())
	}
	listsort.Stable(runs, func(x, y exchange.Run) int { return cmp.Compare(x.Model, y.Model) })
	return runs, nil
}

// A simpeFile is a result file as simpE writes it.
type simpeFile struct {
	Reversal  *simpeTest `json:"string_reversal"`
	Addition  *simpeTest `json:"add_two_ints"`
	Rehearsal *simpeTest `json:"string_rehearsal"`
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

// A simpeRun gathers the records of one model.
type simpeRun struct {
	model   string
	started time.Time
	records []verbatim.Record
	asked   map[string]int // how often each item was
	files   []string
}

type builder struct {
	tests  func(string) string
	models map[string]*simpeRun
	wrong  exchange.Problems
}

func (b *builder) run(model, path string) *simpeRun {
	r := b.models[model]
	if r == nil {
		r = &simpeRun{model: model, asked: make(map[string]int)}
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

func (b *builder) file(path string, data *simpeFile) {
	if data.Reversal == nil && data.Addition == nil && data.Rehearsal == nil {
		b.wrong.Add(fmt.Errorf("%s: this is no result file of simpE: string_reversal, add_two_ints and string_rehearsal are missing", path))
		return
	}
	main := majority(data)
	for _, t := range []struct {
		key, name string
		test      *simpeTest
	}{{"string_reversal", "reversal", data.Reversal}, {"add_two_ints", "addition", data.Addition}, {"string_rehearsal", "rehearsal", data.Rehearsal}} {
		if t.test == nil {
			continue
		}
		for i := range t.test.Results {
			res := &t.test.Results[i]
			rec, err := res.record(t.name, b.family(t.name))
			if err != nil {
				b.wrong.Add(fmt.Errorf("%s: %s.results[%d]%w", path, t.key, i, err))
				continue
			}
			model := cmp.Or(res.Model, main)
			if model == "" {
				b.wrong.Add(fmt.Errorf("%s: %s.results[%d].model: no result of this file names a model", path, t.key, i))
				continue
			}
			b.run(model, path).add(rec)
		}
		b.lost(path, t.key, t.name, t.test, main)
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

// lost adds the tries that the file counts and does not hold.
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
	mark := exchange.Digest(filepath.Base(path))
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

// majority returns the model that most results of a file name; simpE names the file by it.
func majority(data *simpeFile) string {
	seen := make(map[string]int)
	best := ""
	for _, t := range []*simpeTest{data.Reversal, data.Addition, data.Rehearsal} {
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
	rec.Seq = int64(len(r.records))
	rec.Trial = r.asked[rec.Item.ID]
	r.asked[rec.Item.ID]++
	r.records = append(r.records, rec)
}

func (r *simpeRun) run() exchange.Run {
	h := exchange.NewItemsHash()
	trials := 1
	for _, rec := range r.records {
		trials = max(trials, rec.Trial+1)
		if rec.Trial == 0 {
			if err := h.Add(rec.Item); err != nil {
				panic(err) // texts and whole numbers always have a JSON form
			}
		}
	}
	name := r.files[0]
	if len(r.files) > 1 {
		name = fmt.Sprintf("%d files of simpE", len(r.files))
	}
	return exchange.Run{
		Run: verbatim.Run{
			Plan:    h.Plan("simpe", name, trials, int64(len(r.records))),
			Model:   r.model,
			Started: r.started,
			Origin:  OriginSimpE,
		},
		Records: func(yield func(verbatim.Record, error) bool) {
			for _, rec := range r.records {
				if !yield(rec, nil) {
					return
				}
			}
		},
	}
}
