package run

import (
	"maps"

	"verbatim"
	"verbatim/internal/store"
)

// Progress is how far a run is. It counts what is kept, not what has arrived.
type Progress struct{ Lanes []LaneProgress }

// LaneProgress is how far one lane is.
type LaneProgress struct {
	Run      verbatim.Run // Run.Plan.Count is the number of places; 0 where nobody knows
	Tally    store.Tally  // of the whole run, earlier calls included; the caller's
	Session  int64        // records kept by this call
	InFlight int          // requests that the model has
	Warming  bool         // the warm-up is on
	// Tokens of the replies that were kept by this call, as far as the server
	// counted them.
	PromptTokens, CompletionTokens int64
	Over                           bool // nothing more is asked
	Err                            error
}

// A teller tells Progress the latest state, from one goroutine, skipping states
// while Progress is at work.
type teller struct {
	progress func(Progress)
	lanes    []*lane
	news     chan struct{}
	done     chan struct{}
}

func newTeller(progress func(Progress), lanes []*lane) *teller {
	t := &teller{progress: progress, lanes: lanes, news: make(chan struct{}, 1), done: make(chan struct{})}
	if progress == nil {
		close(t.done)
		return t
	}
	go func() {
		defer close(t.done)
		for range t.news {
			t.progress(t.state())
		}
		t.progress(t.state())
	}()
	return t
}

// tell says that the state has changed.
func (t *teller) tell() {
	select {
	case t.news <- struct{}{}:
	default:
	}
}

// close tells the last state; nobody calls tell any more.
func (t *teller) close() {
	close(t.news)
	<-t.done
}

func (t *teller) state() Progress {
	var p Progress
	for _, l := range t.lanes {
		p.Lanes = append(p.Lanes, l.progress())
	}
	return p
}

func (l *lane) progress() LaneProgress {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := LaneProgress{
		Run: l.Run, Tally: maps.Clone(l.before), InFlight: l.flight, Warming: l.warming,
		Session: l.tally.Saved(), PromptTokens: l.tokens.prompt, CompletionTokens: l.tokens.completion,
		Over: l.over.Err() != nil || l.finished, Err: l.err,
	}
	for o, n := range l.tally {
		p.Tally[o] += n
	}
	return p
}
