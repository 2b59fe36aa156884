package report

import (
	"cmp"
	"fmt"
	"iter"
	"runtime"
	"sync"

	"verbatim"
)

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

// maxReaders bounds how many pieces of a run are read at the same time, and with
// them the memory that reading takes.
const maxReaders = 4

// gather folds the records of a run. Its pieces are taken in their order by as many
// goroutines as there are processors, each of which adds to one fold of its own.
func gather(in Input, fresh func() *fold) (*fold, error) {
	pieces := in.pieces()
	n := min(len(pieces), maxReaders, runtime.GOMAXPROCS(0))
	work := &gathering{pieces: pieces, failed: len(pieces)}
	folds := make([]*fold, n)
	var group sync.WaitGroup
	for i := range folds {
		folds[i] = fresh()
		if i > 0 {
			group.Go(func() { work.do(folds[i]) })
		}
	}
	work.do(folds[0])
	group.Wait()
	if work.err != nil {
		return nil, work.err
	}
	for i, f := range folds[1:] {
		folds[0].merge(f)
		folds[i+1] = nil // with repeats it is large
	}
	return folds[0], nil
}

// A gathering hands out pieces.
type gathering struct {
	pieces []iter.Seq2[verbatim.Record, error]

	mu     sync.Mutex
	next   int
	failed int // the first piece with an error; beyond the last: none
	err    error
}

// do folds pieces until there are none left, or one of them has failed: then those
// behind it no longer matter.
func (g *gathering) do(f *fold) {
	for {
		g.mu.Lock()
		i := g.next
		g.next++
		over := i >= len(g.pieces) || i > g.failed
		g.mu.Unlock()
		if over {
			return
		}
		if err := f.addAll(g.pieces[i]); err != nil {
			g.mu.Lock()
			if i < g.failed {
				g.failed, g.err = i, err
			}
			g.mu.Unlock()
			return
		}
	}
}

// addAll adds the records of a stream.
func (f *fold) addAll(records iter.Seq2[verbatim.Record, error]) error {
	for rec, err := range records {
		if err != nil {
			return err
		}
		if err := f.add(&rec); err != nil {
			return fmt.Errorf("item %s: %w", ItemID(&rec), err)
		}
	}
	return nil
}
