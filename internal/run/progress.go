package run

import (
	"verbatim"
	"verbatim/internal/store"
)

// Progress is how far a run is. It counts what is saved, not what has arrived.
type Progress struct{ Lanes []LaneProgress }

// LaneProgress is how far one lane is.
type LaneProgress struct {
	Run      verbatim.Run // Run.Plan.Count is the number of positions; 0 where it is unknown
	Tally    store.Tally  // of the whole run, earlier calls included; the caller's
	Session  int64        // records saved by this call
	InFlight int          // requests that the model has
	Warming  bool         // the warm-up is on
	// Tokens of the replies that were saved by this call, as far as the server
	// counted them.
	PromptTokens, CompletionTokens int64
	Over                           bool // nothing more is asked
	Err                            error
}

// A progressSender tells Progress the latest state, from one goroutine, skipping states
// while Progress is at work.
type progressSender struct {
	progress func(Progress)
	state    func() Progress
	notify   chan struct{}
	done     chan struct{}
}

func newProgressSender(progress func(Progress), state func() Progress) *progressSender {
	t := &progressSender{progress: progress, state: state, notify: make(chan struct{}, 1), done: make(chan struct{})}
	if progress == nil {
		close(t.done)
		return t
	}
	go func() {
		defer close(t.done)
		for range t.notify {
			t.progress(t.state())
		}
		t.progress(t.state())
	}()
	return t
}

// tell says that the state has changed.
func (t *progressSender) tell() {
	select {
	case t.notify <- struct{}{}:
	default:
	}
}

// close tells the last state; tell is not called any more.
func (t *progressSender) close() {
	close(t.notify)
	<-t.done
}
