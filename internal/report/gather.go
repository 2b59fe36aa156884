package report

import (
	"cmp"
	"fmt"
	"iter"
	"runtime"
	"sync"

	"verbatim"
)

// Of computes the Report of runs. It reads every record once and holds none, so that its memory
// does not grow with their number. The report depends neither on the order of the records nor on
// how they are split into pieces.
//
// The error is that of reading the records, or names the item whose record contradicts itself. Of
// several errors it is that of the first piece. It is a *GroupError if the records cannot be
// grouped as the Options say.
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
	r := &Report{Format: "verbatim/report/1", Confidence: confidence}
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
	r.Warnings = comparisonWarnings(r.Runs)
	if all != nil {
		if r.Groups, err = all.finish(); err != nil {
			return nil, err
		}
	}
	if r.Samples, err = readSamples(o, inputs, chosen); err != nil {
		return nil, err
	}
	return r, nil
}

// maxReaders is the number of pieces of a run that are read at the same time, which bounds the
// memory.
const maxReaders = 4

// gather folds the records of a run. Goroutines take its pieces in their order, and each adds them
// to a fold of its own, which newFold returns.
func gather(in Input, newFold func() *fold) (*fold, error) {
	pieces := in.pieces()
	n := min(len(pieces), maxReaders, runtime.GOMAXPROCS(0))
	work := &gathering{pieces: pieces, failed: len(pieces)}
	folds := make([]*fold, n)
	var group sync.WaitGroup
	for i := range folds {
		folds[i] = newFold()
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
		folds[i+1] = nil // free its memory: counts by item are large
	}
	return folds[0], nil
}

// A gathering hands out pieces to goroutines.
type gathering struct {
	pieces []iter.Seq2[verbatim.Record, error]

	mu     sync.Mutex
	next   int
	failed int // the first piece with an error; the number of pieces if there is no error
	err    error
}

// do folds pieces until none is left. After an error, the pieces behind the failed one no longer
// matter.
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
			return fmt.Errorf("item %s: %w", itemID(&rec), err)
		}
	}
	return nil
}
