package cli

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
	"verbatim/internal/report"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/horizonsearch"
)

// limitKind is the kind of the Test of a search. It stays open: whatever was found, a
// search with more items or other lengths goes on with it.
const limitKind = "horizon"

// A search is one search of `horizon`: a task, the model that it is asked of, and the
// run that keeps it.
type search struct {
	*limiter
	family  verbatim.Family
	plan    planned
	lengths []int // that may be asked, rising
	beyond  int   // the first length that the model cannot take in; 0: none that would be asked
	ahead   int   // requests in flight
	target  target
	run     verbatim.Run
	asking  *asking
}

// newSearch plans the search for the horizon of a family. Of its lengths those from
// low to high may be asked; high 0 stands for the usual longest.
func newSearch(f verbatim.Family, q task.Request, low, high int) (search, error) {
	p, err := task.SearchPlan(f.Name, q)
	if err != nil {
		return search{}, err
	}
	s := search{family: f, plan: planned{Plan: p}}
	if high == 0 {
		high = max(usualLongest, slices.Max(f.DefaultLengths))
	}
	for _, n := range s.allLengths() {
		if low <= n && n <= high {
			s.lengths = append(s.lengths, n)
		}
	}
	if len(s.lengths) < 2 {
		all := s.allLengths()
		return s, misused("use a range of at least one doubling", "%s: the search uses half doublings of length from %d to %d, and at least two must be within %d to %d",
			f.Name, all[0], all[len(all)-1], low, high)
	}
	_, err = s.plan.deck() // which is refused where there are too few examples
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
	thinking, err := s.asking.allowance(ctx, []target{s.target})
	if err != nil {
		return err
	}
	want := s.target.runOf(s.plan.Plan, s.asking.params)
	want.Params.ReasoningTokens = thinking
	want.Test = &verbatim.Test{Kind: limitKind}
	existed := false
	if s.run, existed, err = s.asking.store.Begin(ctx, want, s.fresh); err != nil {
		return err
	}
	if err := s.asking.env.prove(ctx, s.asking.store, s.run, s.target.options); err != nil {
		return err
	}
	s.asking.runs = []verbatim.Run{s.run}
	if !existed {
		return nil
	}
	tally, err := s.asking.store.Tally(ctx, s.run.N)
	if err == nil && tally.Kept() > 0 {
		writeNote(s.asking.env, "Run %d (%s) has %d answers already; --new starts another.", s.run.N, s.run.Name, tally.Answered())
	}
	return err
}

// ask goes on with the search, unless it is at its end or the time is up.
func (s *search) ask(stop, abort context.Context, until time.Time) error {
	kept, err := s.kept(abort)
	if err != nil {
		return err
	}
	source, err := s.source(kept)
	if err != nil {
		return err
	}
	if source.Finished() {
		return nil
	}
	if !until.IsZero() {
		if s.asking.duration = time.Until(until); s.asking.duration <= 0 {
			return nil
		}
	}
	if !s.quiet {
		writeNote(s.asking.env, "Searching the horizon of %s with %s%s.", s.family.Name, terminal.Visible(s.target.Name), s.shortened())
	}
	lane, err := s.asking.laneOf(s.run, s.target, func(*store.Places) (verbatim.Source, error) {
		kept, err := s.kept(abort) // anew: the run is ours only now
		if err != nil {
			return nil, err
		}
		source, err = s.source(kept)
		return source, err
	})
	if err != nil {
		return err
	}
	if s.ahead = s.asking.pacers[0].Jobs; s.pacing.jobs == 0 {
		s.ahead = min(s.ahead, fewAhead)
	}
	s.asking.standing = func() string { return s.far(source.Progress()) }
	s.asking.lanes, s.asking.lastFailure = []run.Lane{lane}, make([]*verbatim.Failure, 1)
	return s.asking.ask(stop, abort)
}

// far says how far the search is, in ASCII.
func (s *search) far(at horizonsearch.Progress) string {
	text := fmt.Sprintf("%d of at most %d items", at.Sent, at.Allowed)
	if !at.Known {
		return text
	}
	return text + fmt.Sprintf("; horizon %s %s (%.0f to %.0f)", at.Horizon.String(), s.family.Unit, at.Horizon.Interval.Low, at.Horizon.Interval.High)
}

// fewAhead is how many requests are in flight where no flag says it: what is asked
// next should rest on what was answered.
const fewAhead = 8

// source makes the Source from what is kept.
func (s *search) source(kept []verbatim.Record) (*horizonsearch.Search, error) {
	deck, err := s.plan.deck()
	if err != nil {
		return nil, err
	}
	var dealt []task.Place
	places := map[int][]int64{}
	for p, ok := deck.Next(); ok; p, ok = deck.Next() {
		dealt = append(dealt, p)
		n := s.plan.Cells[p.Cell].Length.Min
		places[n] = append(places[n], p.Seq)
	}
	limit := maxTokens(s.run.Params)
	seed := fnv.New64a()
	io.WriteString(seed, s.plan.Hash)
	c := horizonsearch.Config{
		Lengths: s.lengths, Positions: places, Items: s.items, Width: s.width, Right: s.right(), Seed: seed.Sum64(),
		MaxInFlight: s.ahead,
		Request: func(place int64) (verbatim.Request, error) {
			it, err := deck.Item(dealt[place])
			if err != nil {
				return verbatim.Request{}, err
			}
			return verbatim.Request{Seq: place, Attempt: 1, Item: it, Prompt: deck.Prompt(it), MaxTokens: limit(it), Params: s.run.Params}, nil
		},
	}
	return horizonsearch.New(c, kept)
}

// right is which answers count.
func (s *search) right() func(*verbatim.Record) bool {
	if s.on == string(report.MetricExtracted) {
		return func(r *verbatim.Record) bool { return r.Grade.Extracted }
	}
	return func(r *verbatim.Record) bool { return r.Grade.Exact }
}

// kept reads what is kept of the search.
func (s *search) kept(ctx context.Context) ([]verbatim.Record, error) {
	var records []verbatim.Record
	for rec, err := range s.asking.store.Records(ctx, s.run.N, store.Read{}) {
		if err != nil {
			return nil, err
		}
		records = append(records, rec)
	}
	return records, nil
}

// document says what was found.
func (s *search) document(ctx context.Context) (report.LimitSearch, error) {
	doc := report.LimitSearch{N: s.run.N, Run: s.run.Name, Model: s.run.Model, Note: builtIn(&s.run),
		Task: s.family.Name, Unit: s.family.Unit, Metric: report.Metric(s.on)}
	kept, err := s.kept(ctx)
	if err != nil {
		return doc, err
	}
	source, err := s.source(kept)
	if err != nil {
		return doc, err
	}
	doc.Ended = source.StopReason()
	if !slices.ContainsFunc(kept, func(r verbatim.Record) bool { return r.Outcome.Answered() }) {
		return doc, nil
	}
	doc.Limit, err = horizonsearch.HorizonOf(s.lengths, kept, s.right())
	doc.More = s.more(doc.Ended)
	return doc, err
}

// more returns a command that tells more, or "".
func (s *search) more(ended horizonsearch.StopReason) string {
	with := func(value string, flag ...string) string {
		args := setFlag(s.asking.env.Args, value, flag...)
		if len(s.sel.tasks) > 1 || strings.ContainsAny(s.sel.tasks[0], "*?[") {
			args = setFlag(args, s.family.Name, "--task", "-t")
		}
		return s.asking.env.commandLine(args)
	}
	all := s.allLengths()
	shortest, longest := s.lengths[0], s.lengths[len(s.lengths)-1]
	switch ended {
	case horizonsearch.Narrow:
		return with(strconv.FormatFloat(s.width/2, 'g', 3, 64), "--width")
	case horizonsearch.ItemsUsed:
		if s.items < mostSearched {
			return with(strconv.Itoa(min(2*s.items, mostSearched)), "--items", "-n")
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
