package report

import (
	"cmp"
	"fmt"
	"iter"

	"verbatim"
)

// An Input is a run and its records, in any order, each request once. Records
// may come without texts: neither prompts nor replies are looked at, only the
// facts of the item, outcome, grade, usage, times, cost, served model, failure and
// the tries of either.
type Input struct {
	Run verbatim.Run
	// Note is what must be said wherever the numbers appear, such as that the
	// model is simulated.
	Note    string
	Records iter.Seq2[verbatim.Record, error]
	// Record reads the record at a place of the plan with all its texts, for samples;
	// nil: there are none.
	Record func(seq int64) (verbatim.Record, error)
}

// Options say what a Report holds.
type Options struct {
	On      On       // what the score column holds; empty: OnScore
	GroupBy []string // facts, as GroupFacts lists them
	Samples int      // of every run, family and label
}

// Of folds the records of the runs into a Report.
// It reads every record once and keeps none, so that its memory does not grow
// with their number. The error is that of reading the records, or names the
// item whose record contradicts itself.
func Of(o Options, inputs ...Input) (*Report, error) {
	on := cmp.Or(o.On, OnScore)
	r := &Report{Format: "verbatim/report/1", Confidence: confidence}
	var chosen []picks
	for _, in := range inputs {
		f := newFold(on, in)
		f.picks = newPicks(o.Samples)
		for rec, err := range in.Records {
			if err != nil {
				return nil, fmt.Errorf("run %s: %w", in.Run.Name, err)
			}
			if err := f.add(&rec); err != nil {
				return nil, fmt.Errorf("run %s: item %s: %w", in.Run.Name, itemID(&rec), err)
			}
		}
		r.Runs = append(r.Runs, f.seal())
		chosen = append(chosen, f.picks)
	}
	var err error
	if r.Samples, err = look(o, inputs, chosen); err != nil {
		return nil, err
	}
	markVaried(r.Runs)
	r.Warnings = comparing(r.Runs)
	return r, nil
}

func itemID(rec *verbatim.Record) string {
	if rec.Item == nil {
		return "(none)"
	}
	return rec.Item.ID
}

// A fold gathers one run.
type fold struct {
	on       On
	input    Input
	families map[string]*family
	order    []*family
	served   tally
	graders  tally
	editions tally
	outages  tally
	flags    tally
	second   second
	picks    picks
}

func newFold(on On, in Input) *fold {
	if t := in.Run.Test; t != nil && t.Kind == "limit" {
		// A search asks of its plan what it takes; the rest is not left over.
		in.Run.Plan.Cells, in.Run.Plan.Count = nil, 0
	}
	f := &fold{on: on, input: in, families: make(map[string]*family)}
	for _, c := range in.Run.Plan.Cells {
		f.family(c.Family)
	}
	return f
}

func (f *fold) family(name string) *family {
	fam, ok := f.families[name]
	if !ok {
		if len(f.order) >= maxFamilies && name != others {
			return f.family(others)
		}
		fam = newFamily(name, &f.input.Run.Plan)
		f.families[name] = fam
		f.order = append(f.order, fam)
	}
	return fam
}

func (f *fold) add(rec *verbatim.Record) error {
	if rec.Item == nil {
		return fmt.Errorf("a record without an item")
	}
	facts := rec.Item.Facts
	name := facts[verbatim.FactFamily]
	if name == "" {
		name = "items"
	}
	if err := f.family(name).cell(facts[verbatim.FactLength]).add(f.on, rec); err != nil {
		return err
	}
	f.second.add(rec)
	f.picks.add(rec)
	if e := facts[verbatim.FactEdition]; e != "" {
		f.editions.add(e)
	}
	if rec.Reply != nil && rec.Reply.ServedModel != "" {
		f.served.add(rec.Reply.ServedModel)
	}
	if g := rec.Grade; g != nil {
		f.graders.add(g.Grader)
		for _, flag := range g.Flags {
			f.flags.add(flag)
		}
	}
	if rec.Outcome == verbatim.CutOff || rec.Outcome == verbatim.Errored {
		f.outages.add(outage(rec))
	}
	return nil
}

// outage returns the class of the failure; a record that names none was cut or
// is unknown.
func outage(rec *verbatim.Record) string {
	switch {
	case rec.Failure != nil && rec.Failure.Class != "":
		return string(rec.Failure.Class)
	case rec.Outcome == verbatim.CutOff:
		return string(verbatim.Cut)
	}
	return "unknown"
}

func (f *fold) seal() Block {
	run := &f.input.Run
	var recorded int64
	for _, fam := range f.order {
		for _, s := range fam.spots {
			n, _ := s.cell.recorded()
			recorded += n
		}
	}
	complete := run.Plan.Count > 0 && recorded >= run.Plan.Count

	b := Block{Head: f.head(), Retried: f.second.seal(), Outages: f.outages.ranked(), Flags: f.flags.ranked()}
	all := new(cell)
	for _, fam := range f.order {
		sealed, total := fam.seal(complete)
		all.merge(total)
		b.Families = append(b.Families, sealed)
	}
	var count *int64
	if run.Plan.Count > 0 {
		count = &run.Plan.Count
	}
	b.Total = all.seal(planned(count, all, complete))
	b.free = free(run.Price, b.Total.Cost)
	b.Warnings = doubts(run, &b, f.editions.ranked())
	return b
}

func (f *fold) head() Head {
	run := &f.input.Run
	h := Head{
		N:       run.N,
		Name:    run.Name,
		Model:   run.Model,
		Served:  f.served.ranked(),
		Note:    f.input.Note,
		Origin:  run.Origin,
		Suite:   run.Plan.Suite,
		Edition: run.Plan.Edition,
		Seed:    run.Plan.Seed,
		Trials:  run.Plan.Trials,
		Plan:    run.Plan.Hash,
		Tool:    run.Tool,
		Params:  run.Params,
		Graders: f.graders.ranked(),
		On:      f.on,
		Variant: run.Plan.Variant,
		asks:    asks(&run.Plan),
	}
	if run.Plan.Items != nil {
		h.Items = run.Plan.Items.Name
	}
	if !run.Started.IsZero() {
		h.Started = &run.Started
	}
	if !run.Ended.IsZero() {
		h.Ended = &run.Ended
		if took := run.Ended.Sub(run.Started).Seconds(); h.Started != nil && took > 0 {
			h.Took = &took
		}
	}
	return h
}
