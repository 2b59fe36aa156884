package store

import (
	"context"
	"slices"

	"verbatim"
)

// A commitGroup collects what one transaction of a Writer saves.
type commitGroup struct {
	w       *Writer
	checked []int64 // runs whose leases were checked
	saved   []Saved
	posted  []*posting
	units   int64 // of the Writer's room that the records take
}

// add saves postings and records. It checks the leases of their runs first: after another process
// has taken a run over, "the lease is lost" explains more than "the position has an answer".
func (g *commitGroup) add(postings []*posting, more []*Entry) error {
	for _, p := range postings {
		if err := g.check(p.Run); err != nil {
			return err
		}
		if err := g.w.inserter.Post(p); err != nil {
			return err
		}
	}
	g.posted = append(g.posted, postings...)
	for _, e := range more {
		if err := g.check(e.Run); err != nil {
			return err
		}
	}
	return g.w.inserter.insertAll(more, func(e *Entry, replaced verbatim.Outcome) {
		g.units += e.Room
		g.saved = append(g.saved, Saved{e.Run, e.Rec, replaced})
	})
}

// check returns an error unless this process may write the run.
func (g *commitGroup) check(run int64) error {
	if slices.Contains(g.checked, run) {
		return nil
	}
	g.checked = append(g.checked, run)
	return g.w.leases[run].Check(context.Background(), g.w.c)
}
