package report

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"verbatim"
	"verbatim/internal/errkind"
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
	// Pieces are the same records, cut into streams that may be read at the same
	// time, each by a goroutine of its own; none: Of reads Records. A record of a
	// piece need be good only until the next one is read.
	Pieces []iter.Seq2[verbatim.Record, error]
	// Unrecorded is the most that attempts without a record may have cost.
	Unrecorded verbatim.Money
	// Record reads the record at a place of the plan with all its texts, for samples;
	// nil: there are none.
	Record func(seq int64) (verbatim.Record, error)
}

// Options say what a Report holds.
type Options struct {
	Metric  Metric   // what the score column holds; empty: MetricScore
	GroupBy []string // facts, as GroupFacts lists them
	Samples int      // of every run, family and label
}

// Of folds the records of the runs into a Report.
// It reads every record once and keeps none, so that its memory does not grow
// with their number. What it says depends neither on the order of the records nor on
// how they are cut into pieces. The error is that of reading the records, or names
// the item whose record contradicts itself; of several it is that of the first piece.
// It is a *GroupError where the records cannot be grouped as Options say.
func Of(o Options, inputs ...Input) (*Report, error) {
	o.Metric = cmp.Or(o.Metric, MetricScore)
	by, err := groupFacts(o.GroupBy)
	if err != nil {
		return nil, err
	}
	runs := make([]*verbatim.Run, len(inputs))
	for i := range inputs {
		runs[i] = &inputs[i].Run
	}
	if err := o.Metric.CheckTrials(runs...); err != nil {
		return nil, err
	}
	r := &Report{Format: "verbatim/report/2", Confidence: confidence}
	var all *groups
	var chosen []picks
	for _, in := range inputs {
		f, err := gather(in, func() *fold { return newFold(o, &in, by, len(inputs) > 1) })
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", in.Run.Name, err)
		}
		r.Runs, chosen = append(r.Runs, f.finish()), append(chosen, f.picks)
		if all == nil {
			all = f.groups
		} else {
			all.merge(f.groups)
		}
	}
	markVaried(r.Runs)
	r.Warnings = comparing(r.Runs)
	if all != nil {
		if r.Groups, err = all.finish(); err != nil {
			return nil, err
		}
	}
	if r.Samples, err = look(o, inputs, chosen); err != nil {
		return nil, err
	}
	return r, nil
}

func ItemID(rec *verbatim.Record) string {
	if rec.Item == nil {
		return "(none)"
	}
	return rec.Item.ID
}

// A fold gathers one run, or a part of it.
type fold struct {
	metric    Metric
	over      *overTrials // nil: the metric is of one answer
	repeats   bool        // items are asked several times
	shared    bool        // other runs may ask the same items, which matters to groups
	input     Input
	families  map[string]*family
	order     []*family
	unlisted  int     // families that the plan does not name
	rest      *family // of those that are too many; nil: none
	served    tally
	graders   tally
	editions  tally
	outages   tally
	flags     tally
	finishes  finishWords
	second    second
	reasoning [8]reasoned // by slot
	noContent noContent
	windows   windows
	days      days
	sources   upstreams
	groups    *groups      // nil: none are wanted
	wordings  wordingTally // nil: all items have one wording
	picks     picks
}

// newFold makes a fold. Shared says that groups hold records of other runs too, and
// perhaps of the same items.
func newFold(o Options, from *Input, by []groupFact, shared bool) *fold {
	in := *from
	if t := in.Run.Test; t != nil && t.Kind == "horizon" {
		// A search asks of its plan what it takes; the rest is not left over.
		in.Run.Plan.Cells, in.Run.Plan.Count = nil, 0
	}
	f := &fold{metric: o.Metric, repeats: in.Run.Plan.Trials > 1, shared: shared, input: in, families: make(map[string]*family), picks: newPicks(o.Samples)}
	if score := o.Metric.ItemScore(); score != nil {
		f.over = &overTrials{score, max(in.Run.Plan.Trials, 1)}
	}
	for _, c := range in.Run.Plan.Cells {
		f.family(c.Family)
	}
	if in.Run.Plan.Variant.Wordings() > 1 {
		f.wordings = make(wordingTally)
	}
	if len(by) > 0 {
		f.groups = newGroups(by, &from.Run)
	}
	return f
}

// family returns the family of a name. Of too many that the plan does not name, the
// last ones of the alphabet are one.
func (f *fold) family(name string) *family {
	if fam, ok := f.families[name]; ok {
		return fam
	}
	fam := newFamily(name, &f.input.Run.Plan)
	if name == Others && !fam.listed {
		return f.remainder()
	}
	if !fam.listed && f.unlisted >= maxFamilies {
		most := f.lastUnlisted()
		if name > most.name {
			return f.remainder()
		}
		f.remainder().merge(most)
		delete(f.families, most.name)
		f.order = slices.DeleteFunc(f.order, func(o *family) bool { return o == most })
	} else if !fam.listed {
		f.unlisted++
	}
	f.families[name] = fam
	f.order = append(f.order, fam)
	return fam
}

func (f *fold) lastUnlisted() (most *family) {
	for _, fam := range f.order {
		if !fam.listed && (most == nil || fam.name > most.name) {
			most = fam
		}
	}
	return most
}

// remainder returns the family of those that are too many.
func (f *fold) remainder() *family {
	if f.rest == nil {
		f.rest = newFamily(Others, &verbatim.Plan{})
	}
	return f.rest
}

func (f *fold) add(rec *verbatim.Record) error {
	if rec.Item == nil {
		return errkind.Damagedf("a record without an item")
	}
	m, err := read(f.metric, rec)
	if err != nil {
		return err
	}
	m.over = f.over
	facts := rec.Item.Facts
	f.addToDay(rec, &m)
	fam := f.family(familyOf(rec))
	fam.first = min(fam.first, rec.Seq)
	length := facts[verbatim.FactLength]
	fam.cell(length).add(&m)
	fam.errors.add(rec, &m, length)
	f.second.add(rec, &m)
	f.picks.add(rec)
	f.sources.add(rec, &m)
	if f.shared && f.groups != nil {
		m.item = itemKey(rec.Item)
	}
	f.groups.add(rec, &m)
	if m.answered {
		if f.wordings != nil {
			f.wordings.add(f.input.Run.Plan.Variant.Wordings(), rec, &m)
		}
		if rec.Reply != nil {
			f.reasoning[m.slot].add(rec.Reply)
		}
		f.noContent.add(rec, &m)
		f.windows.add(&m.usage)
		f.finishes.add(rec.Reply, m.exact)
	}
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

// familyOf returns the family of a record; items of users may name none.
func familyOf(rec *verbatim.Record) string {
	return cmp.Or(rec.Item.Facts[verbatim.FactFamily], "items")
}

// addToDay counts a record on its day, and names its item if that is asked several times.
func (f *fold) addToDay(rec *verbatim.Record, m *entry) {
	if f.days.another(rec) {
		f.countByDay()
	}
	if !f.days.byItem {
		f.days.add(rec, m)
	}
	if f.repeats {
		m.item = itemKey(rec.Item)
	}
	if f.days.byItem {
		f.days.add(rec, m)
	}
}

// countByDay has the answers of each day counted by item. Until there is a second day, those
// of the first are all answers, which the families count.
func (f *fold) countByDay() {
	if f.days.byItem {
		return
	}
	f.days.byItem = true
	for _, first := range f.days.by {
		for _, fam := range slices.Concat(f.order, f.others()) {
			for _, s := range fam.spots {
				first.cell.clusters.Merge(&s.cell.clusters.Items)
			}
		}
	}
}

// others is the family of those that are too many, if there are any.
func (f *fold) others() []*family {
	if f.rest == nil {
		return nil
	}
	return []*family{f.rest}
}

// merge adds what a fold of another part of the same run has gathered.
func (f *fold) merge(o *fold) {
	if !f.days.same(&o.days) {
		f.countByDay()
		o.countByDay()
	}
	for _, fam := range o.order {
		f.family(fam.name).merge(fam)
	}
	if o.rest != nil {
		f.remainder().merge(o.rest)
	}
	f.served.merge(&o.served)
	f.graders.merge(&o.graders)
	f.editions.merge(&o.editions)
	f.outages.merge(&o.outages)
	f.flags.merge(&o.flags)
	f.finishes.merge(&o.finishes)
	f.second.merge(&o.second)
	for i := range f.reasoning {
		f.reasoning[i].merge(&o.reasoning[i])
	}
	f.noContent.merge(&o.noContent)
	f.windows.merge(o.windows)
	f.days.merge(&o.days)
	f.sources.merge(&o.sources)
	f.groups.merge(o.groups)
	f.wordings.merge(o.wordings)
	f.picks.merge(&o.picks)
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

func (f *fold) finish() Block {
	run := &f.input.Run
	f.arrange()
	var recorded int64
	for _, fam := range f.order {
		for _, s := range fam.spots {
			n, _ := s.cell.recorded()
			recorded += n
		}
	}
	complete := run.Plan.Count > 0 && recorded >= run.Plan.Count

	b := Block{Head: f.head(), Retried: f.second.finish(), Resent: f.second.resent, Outages: f.outages.ranked(), Flags: f.flags.ranked(), FinishWords: f.finishes.finish()}
	all := new(cell)
	for _, fam := range f.order {
		sealed, total := fam.finish(complete)
		all.merge(total)
		f.wordings.finish(&sealed.Total, fam.name)
		b.Families = append(b.Families, sealed)
	}
	if lost := f.input.Unrecorded; lost > 0 {
		all.bill.merge(&bill{lost: lost, maybe: true})
	}
	var count *int64
	if run.Plan.Count > 0 {
		count = &run.Plan.Count
	}
	b.Total = all.finish(planned(count, all, complete))
	b.Wordings = f.wordings.finish(&b.Total)
	b.ModelScore = f.modelScore(b.Families)
	b.Reasoning, b.Contexts, b.Days = finishReasoning(&f.reasoning), f.windows.finish(), f.days.finish()
	b.NeededContext = f.windows.longest
	b.NoContent, b.InText = f.noContent.finish(b.Total.Answered), reasoningInText(&f.reasoning)
	b.Upstreams = f.sources.finish()
	b.Lengths = byLength(f.order, complete)
	b.Free = Free(run.Price, b.Total.Cost)
	b.Warnings = append(warnings(run, &b, f.editions.ranked(), f.groups.groupedBy("upstream")), pinWarnings(run, f.sources.names(), b.Head.Served)...)
	return b
}

// arrange puts the families into the order of the plan, and those that it does not
// name behind it in the order of their first records.
func (f *fold) arrange() {
	slices.SortStableFunc(f.order, func(a, b *family) int {
		switch {
		case a.listed && b.listed:
			return 0
		case a.listed:
			return -1
		case b.listed:
			return 1
		}
		return cmp.Compare(a.first, b.first)
	})
	if f.rest != nil {
		f.order = append(f.order, f.rest)
		f.rest.first = math.MaxInt64
	}
}
