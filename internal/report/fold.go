package report

import (
	"cmp"
	"math"
	"slices"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/stats"
)

// A fold gathers the records of a run, or of a part of it.
type fold struct {
	metric    Metric
	over      *overTrials // nil: the metric is of one answer
	repeats   bool        // items have several trials
	shared    bool        // groups also hold records of other runs, perhaps of the same items
	input     Input
	families  map[string]*family
	order     []*family // the families, at first in the order of their first records
	unlisted  int       // families that the plan does not list
	rest      *family   // shared by too many unlisted families; nil: there are none
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
	groups    *groups      // nil: not requested
	wordings  wordingTally // nil: all items have one wording
	picks     picks
}

// newFold returns an empty fold. by are the facts to group by.
func newFold(o Options, from *Input, by []groupFact, shared bool) *fold {
	in := *from
	if t := in.Run.Test; t != nil && t.Kind == "horizon" {
		// A search sends only the requests that it needs, so the others are not missing.
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

// family returns the family of a name. Of the families that the plan does not list, maxFamilies
// are counted separately: the first ones of the alphabet. The others share one.
func (f *fold) family(name string) *family {
	if fam, ok := f.families[name]; ok {
		return fam
	}
	fam := newFamily(name, &f.input.Run.Plan)
	if name == Others && !fam.listed {
		return f.remainder()
	}
	if !fam.listed && f.unlisted >= maxFamilies {
		last := f.lastUnlisted()
		if name > last.name {
			return f.remainder()
		}
		f.remainder().merge(last)
		delete(f.families, last.name)
		f.order = slices.DeleteFunc(f.order, func(o *family) bool { return o == last })
	} else if !fam.listed {
		f.unlisted++
	}
	f.families[name] = fam
	f.order = append(f.order, fam)
	return fam
}

// lastUnlisted returns the last family of the alphabet that the plan does not list.
func (f *fold) lastUnlisted() (last *family) {
	for _, fam := range f.order {
		if !fam.listed && (last == nil || fam.name > last.name) {
			last = fam
		}
	}
	return last
}

// remainder returns the family that too many families share.
func (f *fold) remainder() *family {
	if f.rest == nil {
		f.rest = newFamily(Others, &verbatim.Plan{})
	}
	return f.rest
}

// add counts a record. The error says how the record contradicts itself.
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
	if rec.Outcome == verbatim.CutOff || rec.Outcome == verbatim.Errored || rec.Failure != nil && rec.Failure.Class == verbatim.Shortened {
		f.outages.add(outage(rec))
	}
	return nil
}

// addToDay counts a record on its day, and sets its item key if items have several trials.
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

// countByDay begins to count the answers of each day by item. Before the second day, all answers
// are of the first one, and the families have counted them by item.
func (f *fold) countByDay() {
	if f.days.byItem {
		return
	}
	f.days.byItem = true
	for _, first := range f.days.by {
		all := f.order
		if f.rest != nil {
			all = append(slices.Clone(all), f.rest)
		}
		for _, fam := range all {
			for _, r := range fam.rows {
				first.cell.items.Merge(&r.cell.items)
			}
		}
	}
}

// merge adds the fold of another part of the same run.
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

// outage returns the class of the failure of a record: "cut" or "unknown" if it names none.
func outage(rec *verbatim.Record) string {
	switch {
	case rec.Failure != nil && rec.Failure.Class != "":
		return string(rec.Failure.Class)
	case rec.Outcome == verbatim.CutOff:
		return string(verbatim.Cut)
	}
	return "unknown"
}

// finish returns the report of the run.
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
		finished, total := fam.finish(complete)
		all.merge(total)
		f.wordings.finish(&finished.Total, fam.name)
		b.Families = append(b.Families, finished)
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

// arrange sorts the families: those of the plan in its order, then the others by their first
// records, and last the one that too many families share.
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

// modelScore returns Block.ModelScore, given the finished families.
func (f *fold) modelScore(families []Family) *float64 {
	lengths := f.commonLengths()
	if lengths == nil {
		return meanModelScore(families)
	}
	var scores []float64
	for _, n := range lengths {
		var sum stats.ExactSum
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

// commonLengths returns the lengths of all families, if every family has a row with an answer for
// each of them, and no other row. Otherwise it returns nil.
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
