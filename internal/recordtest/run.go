// Package recordtest makes records and runs for tests of packages that compute and print
// statistics. They are drawn from fixed seeds.
package recordtest

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"verbatim"
)

// A Run makes a run that looks like a real one. Exactness falls with length, each family fails from
// its own length on and with its own labels, some answers are wrapped, refused or truncated, and
// some requests have no answer.
type Run struct {
	Name, Model, Suite string
	Edition            verbatim.Edition
	Families           []Family
	N, Trials          int
	Seed               uint64
	Outage             float64 // share of requests without an answer
	Wrap               float64 // share of right answers that are wrapped
	Stop               int64   // the number of records of an interrupted run; 0: it is not interrupted
	Paid               bool    // most costs are known, and some requests have two attempts
	Variant            *verbatim.Variant
}

// A Family of a Run.
type Family struct {
	name    string
	lengths []verbatim.Lengths
	bands   []verbatim.Lengths
	half    float64 // the length at which half of the answers are exact
	labels  []string
	grader  string
}

func fixed(lengths ...int) []verbatim.Lengths {
	out := make([]verbatim.Lengths, len(lengths))
	for i, n := range lengths {
		out[i] = verbatim.Lengths{Min: n, Max: n}
	}
	return out
}

func quickFamilies() []Family {
	text := []string{"dropped_char", "transposed", "substituted_char", "cut_short", "case"}
	list := []string{"missing", "misordered", "added", "altered"}
	out := []Family{
		{"reverse", fixed(4, 8, 16, 28), nil, 14, text, "text/1"},
		{"copy", fixed(32, 128, 256, 500), nil, 600, []string{"dropped_run", "substituted_char", "looped"}, "text/1"},
		{"add", fixed(4, 8, 16, 28), nil, 12, []string{"carry", "off_by_digit", "grouped"}, "integer/1"},
	}
	for i, task := range []string{"int", "float", "english", "int-large", "float-large", "float-tiny", "int-negative", "float-negative", "ascii-lower", "ascii-cased", "prefix-english", "number-words", "int-sorted", "float-sorted", "english-sorted", "int-duplicate", "float-duplicate", "english-duplicate"} {
		out = append(out, Family{"sort-" + task, fixed(4, 8, 16, 32), nil, 12 + float64(i*37%41), list, "list/1"})
	}
	return out
}

// SimpeFamilies returns the families of simpE's tests.
func SimpeFamilies() []Family {
	band := func(l ...int) []verbatim.Lengths {
		var out []verbatim.Lengths
		for i := 0; i < len(l); i += 2 {
			out = append(out, verbatim.Lengths{Min: l[i], Max: l[i+1]})
		}
		return out
	}
	return []Family{
		{"reverse", band(2, 30), band(2, 8, 9, 16, 17, 30), 18, []string{"dropped_char", "transposed", "not_reversed"}, "text/1"},
		{"copy", band(10, 500), band(10, 50, 51, 200, 201, 500), 420, []string{"dropped_run", "cut_short"}, "text/1"},
		{"add", band(3, 30), band(3, 10, 11, 20, 21, 30), 15, []string{"carry", "off_by_digit"}, "integer/1"},
	}
}

// Quick returns a run of the suite quick.
func Quick() Run {
	return Run{Name: "gpt-4o-mini-3f9a2c-1", Model: "openai:gpt-4o-mini", Suite: "quick", Edition: verbatim.Standard, Families: quickFamilies(), N: 10, Trials: 1, Seed: 1, Outage: 0.01, Wrap: 0.06}
}

// Plan returns the plan of the run.
func (s Run) Plan() verbatim.Plan {
	p := verbatim.Plan{Hash: "3f9a2c41e7d08b6655aa", Suite: s.Suite, Seed: 1, Edition: s.Edition, Trials: s.Trials, Variant: s.Variant}
	for _, f := range s.Families {
		for _, l := range f.lengths {
			p.Cells = append(p.Cells, verbatim.Cell{Family: f.name, Version: 1, Length: l, N: s.N, Bands: f.bands})
			p.Count += int64(s.N * s.Trials)
		}
	}
	return p
}

// Run returns the run with a number.
func (s Run) Run(number int64) verbatim.Run {
	start := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	zero := 0.0
	run := verbatim.Run{N: number, Name: s.Name, Plan: s.Plan(), Model: s.Model, Params: verbatim.Params{Temperature: &zero}, Started: start, Tool: "0.1.0"}
	if s.Stop == 0 {
		run.Ended = start.Add(7*time.Minute + 12*time.Second)
	}
	return run
}

// Records returns the records of the run; they are the same in each iteration.
func (s Run) Records() iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		r := rand.New(rand.NewPCG(s.Seed, 7))
		var seq int64
		for i := range s.N {
			for trial := range s.Trials {
				for fi := range s.Families {
					f := &s.Families[fi]
					for _, l := range f.lengths {
						if s.Stop > 0 && seq == s.Stop {
							return
						}
						rec := s.record(r, f, l, i, trial)
						rec.Seq = seq
						seq++
						if !yield(rec, nil) {
							return
						}
					}
				}
			}
		}
	}
}

func (s Run) record(r *rand.Rand, f *Family, l verbatim.Lengths, i, trial int) verbatim.Record {
	length := l.Min + r.IntN(l.Max-l.Min+1)
	item := &verbatim.Item{
		ID:    fmt.Sprintf("%s@1/len=%s/seed=1/%d", f.name, l, i),
		Facts: map[string]string{verbatim.FactFamily: f.name, verbatim.FactLength: strconv.Itoa(length), verbatim.FactEdition: string(s.Edition)},
	}
	rec := verbatim.Record{Item: item, Trial: trial}
	if r.Float64() < s.Outage {
		class := []verbatim.Class{verbatim.Rate, verbatim.Transport, verbatim.Overload}[r.IntN(3)]
		rec.Outcome, rec.Failure = verbatim.Errored, &verbatim.Failure{Class: class, Status: 429}
		return rec
	}
	chance := 1 / (1 + math.Pow(float64(length)/f.half, 2.5))
	g := &verbatim.Grade{Outcome: verbatim.Wrong, Label: f.labels[min(int(r.ExpFloat64()*1.3), len(f.labels)-1)], Grader: f.grader, Measures: map[string]float64{"similarity": 0.6 + 0.39*r.Float64()}}
	if r.Float64() < chance {
		g.Exact, g.Extracted, g.Outcome, g.Label, g.Measures["similarity"] = true, true, verbatim.Pass, "pass", 1
		if r.Float64() < s.Wrap {
			g.Exact, g.Outcome, g.Label = false, verbatim.Wrapped, "quoted"
		}
	} else if x := r.Float64(); x < 0.06 {
		g.Outcome, g.Label = verbatim.Truncated, "cut_short"
	} else if x < 0.08 {
		g.Outcome, g.Label = verbatim.Refused, "refusal"
	} else if x < 0.12 {
		g.Flags = []string{"critical"}
	}
	score := 0.0
	if g.Exact {
		score = 1
	}
	g.Score = &score
	rec.Grade, rec.Outcome = g, g.Outcome

	first := time.Duration(180e6 * math.Exp(0.4*r.NormFloat64()))
	total := first + time.Duration(float64(length)*9e6*math.Exp(0.2*r.NormFloat64()))
	in, out := int64(40+length/3), int64(2+length/3)
	rec.Reply = &verbatim.Reply{Finish: verbatim.FinishStop, ServedModel: "gpt-4o-mini-2024-07-18", Times: verbatim.Times{FirstContent: &first, Total: total}, Usage: verbatim.Usage{Prompt: &in, Completion: &out}}
	if length%3 == 0 {
		rec.Reply.Usage.Reasoning = &in
	}
	if s.Paid {
		pay(&rec, i, in, out)
	}
	return rec
}

// pay gives a reply a cost, and every seventh one a failed attempt.
func pay(rec *verbatim.Record, i int, in, out int64) {
	cost := verbatim.Money(in*150_000 + out*600_000)
	if i%5 != 3 {
		rec.Reply.Cost = &cost
	}
	rec.Reply.Attempts = []verbatim.Attempt{{N: 1, Status: 200}}
	if i%7 == 0 {
		rec.Reply.Attempts = []verbatim.Attempt{{N: 1, Class: verbatim.Cut, Cost: &cost}, {N: 2, Status: 200}}
	}
}
