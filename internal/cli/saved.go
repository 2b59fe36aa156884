package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/exchange"
	"verbatim/internal/library"
	"verbatim/internal/store"
	"verbatim/internal/study"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// studyRuns returns the runs that args name. Without args it returns those that the study chooses of
// the saved ones, with a note on each run that it leaves out. It is a usage error if no run of the
// suite has an answer.
func studyRuns(ctx context.Context, lib *library.Library, of *study.Study, args []string) (runs []library.NamedRun, notes []string, err error) {
	if len(args) > 0 {
		runs, err = lib.Named(ctx, args)
		return runs, nil, err
	}
	s, err := lib.Database(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, err := s.Runs(ctx)
	if err != nil {
		return nil, nil, err
	}
	if all, err = repliesLast(ctx, s, all); err != nil {
		return nil, nil, err
	}
	chosen, notes := of.Choose(answeredRuns(all, of.Name))
	if len(chosen) == 0 {
		return nil, nil, errkind.Usagef("'verbatim run --suite "+of.Name+"' runs a model, and 'verbatim import "+of.Name+"' reads published results", "there is no run of the suite %s with an answer", of.Name)
	}
	for _, r := range chosen {
		ref := strconv.FormatInt(r.N, 10)
		runs = append(runs, library.NamedRun{SavedRun: library.SavedRun{Run: r, Store: s}, Given: ref, Ref: ref})
	}
	return runs, notes, nil
}

// answeredRuns lists the runs of a suite that have an answer.
func answeredRuns(all []store.RunSummary, suite string) []verbatim.Run {
	var list []verbatim.Run
	for _, l := range all {
		answered := false
		for outcome, n := range l.Tally {
			answered = answered || outcome.Answered() && n > 0
		}
		if l.Run.Plan.Suite == suite && answered {
			list = append(list, l.Run)
		}
	}
	return list
}

// repliesLast moves the runs that have scores without replies before the others, as if they were
// older: a study takes the newest run of a model, and replies tell more than scores.
func repliesLast(ctx context.Context, s *store.Store, all []store.RunSummary) ([]store.RunSummary, error) {
	var scores, replies []store.RunSummary
	for _, l := range all {
		graders, err := s.Graders(ctx, l.Run.N)
		if err != nil {
			return nil, err
		}
		if graders[exchange.Published] > 0 && len(graders) == 1 {
			scores = append(scores, l)
		} else {
			replies = append(replies, l)
		}
	}
	return append(scores, replies...), nil
}

// studySides returns the runs if the answers of all are graded by the same rules. Their Records, which have
// replies and measures, are read from the database as they are ranged over.
func studySides(ctx context.Context, runs []library.NamedRun) ([]verdict.Side, error) {
	list := make([]library.SavedRun, len(runs))
	for i := range runs {
		list[i] = runs[i].SavedRun
	}
	if err := library.CheckGraders(ctx, list...); err != nil {
		return nil, err
	}
	return library.Sides(ctx, runs, store.Read{Texts: true, Measures: true}), nil
}

// withoutNano leaves out the runs of nano if there are others, and adds a note on each to notes.
func withoutNano(runs []library.NamedRun, notes []string) ([]library.NamedRun, []string) {
	var others []library.NamedRun
	more := slices.Clone(notes)
	for _, r := range runs {
		if verdict.Nano(&r.Run) {
			more = append(more, fmt.Sprintf("Left out is run %s (%s), for the tables rank models: %s is %s.", r.Ref, terminal.Visible(r.Name), r.Model, library.BuiltInNote(&r.Run)))
		} else {
			others = append(others, r)
		}
	}
	if len(others) == 0 {
		return runs, notes
	}
	return others, more
}
