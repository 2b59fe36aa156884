package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/pace"
	"verbatim/internal/run"
	"verbatim/internal/terminal"
)

// A Meter shows how far a run is: on a terminal in one line that is redrawn, elsewhere in plain
// lines. It counts saved answers only.
type meter struct {
	w        io.Writer
	clear    string // moves to the start of the line and clears it
	width    int    // of the terminal; 0: not a terminal
	now      func() time.Time
	paces    func() []pace.State
	progress func() string // the progress of a test, in place of the number of answers; nil: no test
	start    time.Time
	done     chan struct{}

	mu     sync.Mutex
	state  run.Progress
	shown  time.Time // of the last drawing
	dirty  bool      // a line without an end is on the terminal
	closed bool
}

// newMeter starts a meter that writes to w; Close ends it. clear moves the cursor of a terminal to
// the start of the line and clears it. width is that of the terminal, 0 for no terminal. paces
// returns the state of the endpoints. progress describes the progress of a test; nil without one.
func newMeter(w io.Writer, clear string, width int, now func() time.Time, paces func() []pace.State, progress func() string) *meter {
	m := &meter{w: w, clear: clear, width: width, now: now, paces: paces, progress: progress, start: now(), shown: now(), done: make(chan struct{})}
	if width > 0 {
		go m.tick()
	}
	return m
}

// tick redraws every second, so that the line shows that a slow model is working.
func (m *meter) tick() {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			m.redraw()
		case <-m.done:
			return
		}
	}
}

// redraw draws the line again, unless the meter is closed.
func (m *meter) redraw() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.draw()
	}
}

// Update sets the state. It draws at most ten times a second on a terminal, elsewhere every ten
// seconds.
func (m *meter) Update(p run.Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state = p
	every := 10 * time.Second
	if m.width > 0 {
		every = 100 * time.Millisecond
	}
	if m.now().Sub(m.shown) >= every {
		m.draw()
	}
}

// Close draws the last state, unless there was no Update, and ends the line. Nothing is drawn after
// it.
func (m *meter) Close() {
	close(m.done)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.draw()
	if m.dirty {
		fmt.Fprintln(m.w)
	}
}

// draw draws the state. m.mu must be locked.
func (m *meter) draw() {
	if len(m.state.Lanes) == 0 {
		return
	}
	m.shown = m.now()
	line := terminal.SafeLine(m.line())
	if m.width == 0 {
		fmt.Fprintln(m.w, line)
		return
	}
	line = terminal.Truncate(line, m.width-1)
	fmt.Fprint(m.w, m.clear+line)
	m.dirty = true
}

// line returns the state of all lanes together in words.
func (m *meter) line() string {
	var total, answered, passed, lost, session, tokens int64
	inFlight, warming := 0, false
	for _, l := range m.state.Lanes {
		total += l.Run.Plan.Count
		answered += l.Tally.Answered()
		passed += l.Tally[verbatim.Pass]
		lost += l.Tally.Saved() - l.Tally.Answered()
		session += l.Session
		tokens += l.CompletionTokens
		inFlight += l.InFlight
		warming = warming || l.Warming
	}
	parts := []string{fmt.Sprintf("%d/%d answered", answered, total)}
	if m.progress != nil { // the number of requests of a test is unknown
		parts[0], total = m.progress(), 0
	}
	if warming {
		parts = append(parts, "warming up")
	}
	elapsed := m.now().Sub(m.start)
	if elapsed > 500*time.Millisecond && session > 0 {
		rate := float64(session) / elapsed.Seconds()
		parts = append(parts, perSecond(rate))
		if left := total - answered; left > 0 && inFlight > 0 {
			parts = append(parts, clock(time.Duration(float64(left)/rate*float64(time.Second)))+" left")
		}
	}
	if answered > 0 && m.progress == nil { // the calls of a test need not have a right answer
		parts = append(parts, fmt.Sprintf("pass %d%%", 100*passed/answered))
	}
	if lost > 0 {
		parts = append(parts, fmt.Sprintf("without answer %d", lost))
	}
	if tokens > 0 {
		parts = append(parts, number.Short(tokens)+" tokens")
	}
	parts = append(parts, m.pace(inFlight)...)
	return strings.Join(append(parts, clock(elapsed)), "  ")
}

// pace returns the number of requests in flight, the cost so far, and the time left of a pause.
func (m *meter) pace(inFlight int) (parts []string) {
	now := m.now()
	var spent verbatim.Money
	var budget *pace.Balance
	waiting, pause, why := 0, time.Duration(0), ""
	for _, s := range m.paces() {
		spent += s.Spent
		waiting += s.Waiting
		if s.Balance != nil {
			budget = s.Balance
		}
		if left := s.PausedUntil.Sub(now); left > pause {
			pause, why = left, s.Why
		}
	}
	// The run counts requests that wait in the pacer as in flight.
	if n := max(0, inFlight-waiting); n > 0 {
		parts = append(parts, fmt.Sprintf("%d in flight", n))
	}
	if budget != nil {
		parts = append(parts, fmt.Sprintf("%v of %v", budget.Spent, budget.Limit))
	} else if spent > 0 {
		parts = append(parts, spent.String())
	}
	if pause >= time.Second {
		parts = append(parts, fmt.Sprintf("pause of %s (%s)", clock(pause), why))
	}
	return parts
}

func perSecond(rate float64) string {
	switch {
	case rate >= 100:
		return fmt.Sprintf("%.0f/s", rate)
	case rate >= 1:
		return fmt.Sprintf("%.1f/s", rate)
	}
	return fmt.Sprintf("%.1f/min", rate*60)
}

func clock(d time.Duration) string {
	d = d.Round(time.Second)
	if d >= time.Hour {
		return fmt.Sprintf("%d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}
