package store

import (
	"context"
	"slices"

	"verbatim"
	"verbatim/internal/store/rows"
)

// A commitGroup is what one transaction saves.
type commitGroup struct {
	w       *Writer
	checked []int64 // runs whose lease is held
	saved   []Saved
	posted  []*rows.Posting
	units   int64 // of room that the records took
}

// add writes records. The lease of their run is checked first: positions that another process has
// filled meanwhile say less of what has happened.
func (g *commitGroup) add(postings []*rows.Posting, more []*rows.Entry) error {
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
	return g.w.inserter.InsertAll(more, func(e *rows.Entry, replaced verbatim.Outcome) {
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
