package report

import (
	"fmt"
	"iter"
	"runtime"
	"sync"

	"verbatim"
)

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

// pieces are the streams that hold the records.
func (in *Input) pieces() []iter.Seq2[verbatim.Record, error] {
	if len(in.Pieces) > 0 {
		return in.Pieces
	}
	return []iter.Seq2[verbatim.Record, error]{in.Records}
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
