package report

import (
	"cmp"
	"math"
	"slices"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/stats/stream"
)

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
	retries   retries
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
	f.retries.add(rec, &m)
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
			for _, r := range fam.rows {
				first.cell.items.Merge(&r.cell.items)
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
	f.retries.merge(&o.retries)
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
		for _, r := range fam.rows {
			n, _ := r.cell.recorded()
			recorded += n
		}
	}
	complete := run.Plan.Count > 0 && recorded >= run.Plan.Count

	b := Block{Head: f.head(), Retried: f.retries.finish(), Resent: f.retries.resent, Outages: f.outages.ranked(), Flags: f.flags.ranked(), FinishWords: f.finishes.finish()}
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
	b.Total = all.finish(plannedOf(count, all, complete))
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

// modelScore is Block.ModelScore of what the fold has gathered: of families that were
// asked the same lengths by the scores of all of them, and else by sealed ones.
func (f *fold) modelScore(sealed []Family) *float64 {
	lengths := f.commonLengths()
	if lengths == nil {
		return meanModelScore(sealed)
	}
	var scores []float64
	for _, n := range lengths {
		var sum stream.ExactSum
		var of int64
		for _, fam := range f.order {
			c := &fam.rowOf(verbatim.Lengths{Min: n, Max: n}, fam.listed).cell
			sum.Merge(&c.scores)
			of += c.scored
		}
		if of == 0 {
			return nil
		}
		scores = append(scores, sum.Value()/float64(of))
	}
	return lengthWeighted(lengths, scores)
}

// commonLengths returns the lengths of all families, if every family has a line for
// each of them, with an answer, and no other line; else nil.
func (f *fold) commonLengths() []int {
	var common []int
	for i, fam := range f.order {
		var lengths []int
		for _, r := range fam.rows {
			if _, answered := r.cell.recorded(); r.lengths == nil || r.lengths.Min != r.lengths.Max || r.listed != fam.listed || answered == 0 {
				return nil
			}
			lengths = append(lengths, r.lengths.Min)
		}
		slices.Sort(lengths)
		if i > 0 && !slices.Equal(lengths, common) {
			return nil
		}
		common = lengths
	}
	return common
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
		Load:    run.Load,
		Graders: f.graders.ranked(),
		Metric:  f.metric,
		Variant: run.Plan.Variant,
		Asks:    asks(&run.Plan),
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
