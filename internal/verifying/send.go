package verifying

import (
	"context"
	"fmt"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/verdict/verification"
)

// runStage sends the requests of a stage, and continues a stage of that name that was begun before.
func (p *pair) runStage(stop, abort context.Context, s *stage) error {
	p.stages = append(p.stages, s)
	plan, err := app.PlanOf(kind, s.test.Items())
	if err != nil {
		return err
	}
	var runs []verbatim.Run
	s.round, err = p.endpoints.Round(stop, abort, app.RoundOptions{
		Of: p.sides(), Plan: plan, InFlight: s.inFlight, Quiet: true, KeepGoing: true,
		Run: func(side int, r *verbatim.Run) {
			s.params(&r.Params)
			r.Test = &verbatim.Test{Kind: kind, Settings: p.settings(side)}
			r.Test.Settings["probe"] = string(s.probe)
		},
		Begun: func(begun []verbatim.Run) error { runs = begun; return nil },
		Resume: func(side int, rec *verbatim.Record) error {
			s.test.Resume(side, rec)
			return nil
		},
		Finished: s.test.Ended,
		Source: func(side int) verbatim.Source {
			source := &ownParams{Source: s.test.Source(side), params: runs[side].Params}
			if s.limits != nil {
				source.limits = s.limits(source.params)
			}
			return source
		},
		Progress: func() string {
			ended, all := s.test.Progress()
			return fmt.Sprintf("%d of %d %s", ended, all, s.what)
		},
	})
	return err
}

// A stage is a probe with requests of its own, or the calls of a tool. It has runs of its own, because
// its requests have other parameters than the texts.
type stage struct {
	probe    verification.ProbeName // or toolCalls
	test     stageTest
	params   func(*verbatim.Params) // changes the parameters of the runs
	inFlight int
	limits   func(verbatim.Params) func(*verbatim.Item) (reply, content int) // nil: the requests have their limits
	what     string                                                          // names the requests in the progress line
	round    *app.Round
}

// A stageTest holds the requests of a stage. side is 0 or 1.
type stageTest interface {
	Items() []verbatim.Item
	Resume(side int, rec *verbatim.Record)
	Source(side int) verbatim.Source
	Progress() (ended, all int)
	Ended() bool // nothing is left to send
}
