package run

import (
	"verbatim"
	"verbatim/internal/store"
)

// Progress is the progress of all lanes. It counts saved records, not replies that have arrived.
type Progress struct{ Lanes []LaneProgress }

// LaneProgress is the progress of one lane.
type LaneProgress struct {
	Run      verbatim.Run // Run.Plan.Count is the number of positions; 0: unknown
	Tally    store.Tally  // of the whole run, earlier calls included; a copy
	Session  int64        // records saved by this call
	InFlight int          // requests that the model has
	Warming  bool         // warm-up requests are in flight
	// Tokens of the replies that were saved by this call, as far as the server
	// counted them.
	PromptTokens, CompletionTokens int64
	Over                           bool // no more requests are sent
	Err                            error
}

// A progressSender calls progress with the latest state, from one goroutine. It skips states while
// progress runs.
type progressSender struct {
	progress func(Progress)
	state    func() Progress
	changes  chan struct{}
	done     chan struct{}
}

func newProgressSender(progress func(Progress), state func() Progress) *progressSender {
	s := &progressSender{progress: progress, state: state, changes: make(chan struct{}, 1), done: make(chan struct{})}
	if progress == nil {
		close(s.done)
		return s
	}
	go func() {
		defer close(s.done)
		for range s.changes {
			s.progress(s.state())
		}
		s.progress(s.state())
	}()
	return s
}

// notify says that the state has changed.
func (s *progressSender) notify() {
	select {
	case s.changes <- struct{}{}:
	default:
	}
}

// close sends the last state. notify must not be called after it.
func (s *progressSender) close() {
	close(s.changes)
	<-s.done
}
