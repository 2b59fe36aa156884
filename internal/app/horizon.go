package app

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/library"
	"verbatim/internal/number"
	"verbatim/internal/pace"
	"verbatim/internal/report"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/horizonsearch"
)

// horizons are searches that have ended, with their results. They must be closed.
type horizons struct {
	Found []report.HorizonSearch
	// Answered and Asked are numbers of items.
	Answered, Asked int64

	job      Job // holds the models and the database
	searches []*search
	open     *search // the first that is not finished; nil: all are
}

// SearchHorizons searches the horizon of every model at every task, one after the other. The
// horizons must be closed.
func (a *App) SearchHorizons(stop, abort context.Context, o HorizonOptions) (*horizons, error) {
	plans, err := planSearches(&o)
	if err != nil {
		return nil, err
	}
	h := &horizons{Found: []report.HorizonSearch{}, job: Job{app: a, options: o.Options}}
	err = h.job.open(stop, o.Params)
	if err == nil {
		err = h.begin(stop, &o, plans)
	}
	if err == nil {
		err = h.send(stop, abort)
	}
	if err == nil {
		err = h.collect(context.WithoutCancel(abort))
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// Close closes the models and the database.
func (h *horizons) Close() { h.job.Close() }

// planSearches plans a search for each task.
func planSearches(o *HorizonOptions) ([]search, error) {
	families, err := task.Select(o.Tasks)
	if err != nil {
		return nil, err
	}
	var plans []search
	for _, f := range families {
		s, err := newSearch(f, o.Request, o.Shortest, o.Longest)
		if err != nil {
			return nil, err
		}
		plans = append(plans, s)
	}
	return plans, nil
}

// begin finds or makes the run of every search, and the budget that they share.
func (h *horizons) begin(ctx context.Context, o *HorizonOptions, plans []search) error {
	var budget *pace.Budget
	if o.Pace.Budget != nil {
		budget = pace.NewBudget(*o.Pace.Budget, 0)
	}
	for _, plan := range plans {
		for _, t := range h.job.targets {
			s := plan
			s.options, s.target = o, t
			s.Job = Job{app: h.job.app, options: o.Options, plan: s.plan, store: h.job.store}
			if err := s.begin(ctx); err != nil {
				return err
			}
			if budget != nil {
				if err := s.charge(ctx, budget); err != nil {
					return err
				}
			}
			h.searches = append(h.searches, &s)
		}
	}
	return nil
}

// send sends the items of the searches, one search after the other.
func (h *horizons) send(stop, abort context.Context) error {
	var until time.Time
	if h.job.options.MaxTime > 0 {
		until = time.Now().Add(h.job.options.MaxTime)
	}
	for _, s := range h.searches {
		if stop.Err() != nil {
			break
		}
		if err := s.ask(stop, abort, until); err != nil {
			return err
		}
	}
	return nil
}

// collect reads the results.
func (h *horizons) collect(ctx context.Context) error {
	for _, s := range h.searches {
		doc, err := s.result(ctx)
		if err != nil {
			return err
		}
		h.Found = append(h.Found, doc)
		if doc.Limit != nil {
			h.Answered, h.Asked = h.Answered+doc.Limit.Answered, h.Asked+doc.Limit.Answered+doc.Limit.Unanswered
		}
		if h.open == nil && (doc.Ended == "" || doc.Limit == nil || doc.Limit.Unanswered > 0) {
			h.open = s
		}
	}
	return nil
}

// Missing returns the error of searches that are not finished; nil if all are.
func (h *horizons) Missing(stop context.Context) error {
	if h.open == nil {
		return nil
	}
	what := "the search for the horizon of " + h.open.family.Name + " is not finished"
	if h.Asked > h.Answered {
		what = fmt.Sprintf("%d of %d requests have no answer yet", h.Asked-h.Answered, h.Asked)
	}
	return h.open.Unfinished(stop, what)
}

// SearchKind is the kind of the Test of a search. The Test stays open, whatever the result: a search
// with more items or other lengths continues it.
const SearchKind = "horizon"

// A search is a search for the horizon of one model at one task.
type search struct {
	Job
	options *HorizonOptions
	family  verbatim.Family
	target  target
	run     verbatim.Run
	lengths []int // the lengths that may be sent, rising
	beyond  int   // the first length that does not fit into the model's context; 0: none
	ahead   int   // requests in flight
}

// newSearch plans the search for the horizon of a family at lengths from low to high. If high is 0,
// the default takes its place.
func newSearch(f verbatim.Family, q task.Request, low, high int) (search, error) {
	p, err := task.SearchPlan(f.Name, q)
	if err != nil {
		return search{}, err
	}
	s := search{Job: Job{plan: Plan{Plan: p}}, family: f}
	if high == 0 {
		high = max(defaultLongest, slices.Max(f.DefaultLengths))
	}
	for _, n := range s.allLengths() {
		if low <= n && n <= high {
			s.lengths = append(s.lengths, n)
		}
	}
	if len(s.lengths) < 2 {
		all := s.allLengths()
		return s, errkind.Usagef("use a range of at least one doubling", "%s: the search uses half doublings of length from %d to %d, and at least two must be within %d to %d",
			f.Name, all[0], all[len(all)-1], low, high)
	}
	_, err = s.plan.Deck() // an error if there are too few examples
	return s, err
}

// allLengths lists the lengths of the plan.
func (s *search) allLengths() []int {
	var all []int
	for _, c := range s.plan.Cells {
		all = append(all, c.Length.Min)
	}
	return all
}

// begin finds or makes the run.
func (s *search) begin(ctx context.Context) error {
	if err := s.shorten(); err != nil {
		return err
	}
	reasoning, err := s.reasoningTokens(ctx, []target{s.target})
	if err != nil {
		return err
	}
	want := s.app.runOf(s.target, s.plan.Plan, s.options.Params)
	want.Params.ReasoningTokens = reasoning
	want.Test = &verbatim.Test{Kind: SearchKind}
	existed := false
	if s.run, existed, err = s.beginRun(ctx, want, s.target); err != nil {
		return err
	}
	s.runs = []verbatim.Run{s.run}
	if !existed {
		return nil
	}
	tally, err := s.store.Tally(ctx, s.run.N)
	if err == nil && tally.Saved() > 0 {
		s.app.note("Run %d (%s) has %d answers already; --new starts another.", s.run.N, s.run.Name, tally.Answered())
	}
	return err
}

// ask sends the items of the search, unless it is finished or the time is up.
func (s *search) ask(stop, abort context.Context, until time.Time) error {
	saved, err := s.records(abort)
	if err != nil {
		return err
	}
	source, err := s.source(saved)
	if err != nil {
		return err
	}
	if source.Finished() {
		return nil
	}
	if !until.IsZero() {
		if s.Job.options.MaxTime = time.Until(until); s.Job.options.MaxTime <= 0 {
			return nil
		}
	}
	if s.options.Announce {
		s.app.note("Searching the horizon of %s with %s%s.", s.family.Name, terminal.Visible(s.target.Name), s.shortened())
	}
	lane, err := s.laneOf(s.run, s.target, func(*store.Positions) (verbatim.Source, error) {
		saved, err := s.records(abort) // again: until now another process could write the run
		if err != nil {
			return nil, err
		}
		source, err = s.source(saved)
		return source, err
	})
	if err != nil {
		return err
	}
	if s.ahead = s.pacers[0].Concurrency; s.options.Pace.Concurrency == 0 {
		s.ahead = min(s.ahead, maxSearchInFlight)
	}
	s.progressText = func() string { return s.progress(source.Progress()) }
	s.lanes = []run.Lane{lane}
	return s.send(stop, abort)
}

// progress describes how far the search is, in ASCII.
func (s *search) progress(at horizonsearch.Progress) string {
	text := fmt.Sprintf("%d of at most %d items", at.Sent, at.Allowed)
	if !at.Known {
		return text
	}
	if at.Horizon.String() == horizonsearch.NeverText {
		return text + "; not above one half at any length"
	}
	return text + fmt.Sprintf("; horizon %s %s (%.0f to %.0f)", at.Horizon.String(), s.family.Unit, at.Horizon.Interval.Low, at.Horizon.Interval.High)
}

// maxSearchInFlight bounds the requests in flight if the user sets no number: the next length
// should depend on as many answers as possible.
const maxSearchInFlight = 8

// source makes the Source from the saved records.
func (s *search) source(saved []verbatim.Record) (*horizonsearch.Search, error) {
	deck, err := s.plan.Deck()
	if err != nil {
		return nil, err
	}
	var planned []task.Position
	positions := map[int][]int64{} // by length
	for p, ok := deck.Next(); ok; p, ok = deck.Next() {
		planned = append(planned, p)
		n := s.plan.Cells[p.Cell].Length.Min
		positions[n] = append(positions[n], p.Seq)
	}
	seed := fnv.New64a()
	io.WriteString(seed, s.plan.Hash)
	c := horizonsearch.Config{
		Lengths: s.lengths, Positions: positions, Items: s.options.Items, Width: s.options.Width, Right: s.right(), Seed: seed.Sum64(),
		MaxInFlight: s.ahead,
		Request: func(position int64) (verbatim.Request, error) {
			return requestAt(deck, planned[position], s.run.Params)
		},
	}
	return horizonsearch.New(c, saved)
}

// right returns the function that reports whether an answer counts as right.
func (s *search) right() func(*verbatim.Record) bool {
	if s.options.Metric == report.MetricExtracted {
		return func(r *verbatim.Record) bool { return r.Grade.Extracted }
	}
	return func(r *verbatim.Record) bool { return r.Grade.Exact }
}

// records reads the saved records of the search.
func (s *search) records(ctx context.Context) ([]verbatim.Record, error) {
	var records []verbatim.Record
	for rec, err := range s.store.Records(ctx, s.run.N, store.Read{}) {
		if err != nil {
			return nil, err
		}
		records = append(records, rec)
	}
	return records, nil
}

// result returns the result of the search.
func (s *search) result(ctx context.Context) (report.HorizonSearch, error) {
	doc := report.HorizonSearch{N: s.run.N, Run: s.run.Name, Model: s.run.Model, Note: library.BuiltInNote(&s.run),
		Task: s.family.Name, Unit: s.family.Unit, Metric: s.options.Metric}
	saved, err := s.records(ctx)
	if err != nil {
		return doc, err
	}
	source, err := s.source(saved)
	if err != nil {
		return doc, err
	}
	doc.Ended = source.StopReason()
	if !slices.ContainsFunc(saved, func(r verbatim.Record) bool { return r.Outcome.Answered() }) {
		return doc, nil
	}
	doc.Limit, err = horizonsearch.HorizonOf(s.lengths, saved, s.right())
	if err == nil && doc.Limit.Hole == nil {
		doc.More = s.more(doc.Ended)
	}
	return doc, err
}

// more returns a command that continues a search which ended for this reason, with options by which
// it can find more. It returns "" without such options.
func (s *search) more(ended horizonsearch.StopReason) string {
	with := func(value string, flag ...string) string {
		args := setFlag(s.app.Args, value, flag...)
		if len(s.options.Tasks) > 1 || strings.ContainsAny(s.options.Tasks[0], "*?[") {
			args = setFlag(args, s.family.Name, "--task", "-t")
		}
		return s.app.commandLine(args)
	}
	all := s.allLengths()
	shortest, longest := s.lengths[0], s.lengths[len(s.lengths)-1]
	switch ended {
	case horizonsearch.Narrow:
		return with(strconv.FormatFloat(s.options.Width/2, 'g', 3, 64), "--width")
	case horizonsearch.ItemsUsed:
		if s.options.Items < MaxHorizonItems {
			return with(strconv.Itoa(min(2*s.options.Items, MaxHorizonItems)), "--items", "-n")
		}
	case horizonsearch.AboveRange:
		if most := all[len(all)-1]; longest < most && s.beyond == 0 {
			return with(fmt.Sprintf("%d..%d", shortest, min(4*longest, most)), "--length", "-l")
		}
	case horizonsearch.BelowRange:
		if least := all[0]; shortest > least {
			return with(fmt.Sprintf("%d..%d", least, longest), "--length", "-l")
		}
	}
	return ""
}

// shorten leaves out the lengths that are known not to fit into the model's context.
func (s *search) shorten() error {
	if s.target.Context == nil {
		return nil
	}
	first, err := s.firstItems()
	if err != nil {
		return err
	}
	for i, n := range s.lengths {
		for _, it := range first[n] {
			fits, err := s.target.fits(it.prompt, it.item)
			switch {
			case err != nil:
				return err
			case fits:
				continue
			case i < 2:
				return errkind.Usagef("use shorter lengths, or another model", "%s: the context of %s holds %s tokens, which is too few for items of %s %s",
					s.family.Name, terminal.Visible(s.target.Name), number.Count(*s.target.Context), number.Count(int64(n)), s.family.Unit)
			}
			s.lengths, s.beyond = s.lengths[:i], n
			return nil
		}
	}
	return nil
}

// sampled is the number of items of a length that are measured. All items of a length have nearly
// the same size.
const sampled = 16

// A question is an item and its prompt in the plan's variant.
type question struct {
	item   *verbatim.Item
	prompt verbatim.Prompt
}

// firstItems returns the first items of each length that may be sent, by length.
func (s *search) firstItems() (map[int][]question, error) {
	deck, err := s.plan.Deck()
	if err != nil {
		return nil, err
	}
	first := map[int][]question{}
	for left := sampled * len(s.lengths); left > 0; {
		p, ok := deck.Next()
		if !ok {
			break
		}
		n := s.plan.Cells[p.Cell].Length.Min
		if !slices.Contains(s.lengths, n) || len(first[n]) == sampled {
			continue
		}
		it, err := deck.Item(p)
		if err != nil {
			return nil, err
		}
		first[n] = append(first[n], question{it, deck.Prompt(it)})
		left--
	}
	return first, nil
}

// shortened describes the lengths that are left out, for the end of a sentence.
func (s *search) shortened() string {
	if s.beyond == 0 {
		return ""
	}
	return fmt.Sprintf(", up to %s %s: from %s on they do not fit into its %s tokens",
		number.Count(int64(s.lengths[len(s.lengths)-1])), s.family.Unit, number.Count(int64(s.beyond)), number.Count(*s.target.Context))
}
