package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"verbatim"
)

// A meter shows how far a run is: one line redrawn in place on a terminal,
// plain lines elsewhere. It counts what is kept, never what is only received.
// Its methods may be called from any goroutine.
type meter struct {
	w     io.Writer
	width int // of the terminal; 0: not a terminal
	now   func() time.Time

	mu       sync.Mutex
	start    time.Time
	shown    time.Time
	total    int64 // requests planned
	before   int64 // of these, kept by earlier commands
	kept     int64 // kept by this one
	outcomes map[verbatim.Outcome]int64
	tokens   int64
	inFlight int
	dirty    bool // a line without an end is on the terminal
}

func newMeter(w io.Writer, width int, now func() time.Time) *meter {
	return &meter{w: w, width: width, now: now, start: now(), shown: now(), outcomes: map[verbatim.Outcome]int64{}}
}

// plan says how many requests there are and how many of them are kept already.
func (m *meter) plan(total, before int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total, m.before = m.total+total, m.before+before
}

// keep counts one kept record.
func (m *meter) keep(r *verbatim.Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept++
	m.outcomes[r.Outcome]++
	if r.Reply != nil && r.Reply.Usage.Completion != nil {
		m.tokens += *r.Reply.Usage.Completion
	}
}

// flight says how many requests are in flight.
func (m *meter) flight(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight = n
}

// tick draws when it is time to: ten times a second on a terminal, else every
// ten seconds.
func (m *meter) tick() {
	m.mu.Lock()
	defer m.mu.Unlock()
	every := 10 * time.Second
	if m.width > 0 {
		every = 100 * time.Millisecond
	}
	if now := m.now(); now.Sub(m.shown) >= every {
		m.shown = now
		m.draw()
	}
}

// say prints a line of talk above the meter.
func (m *meter) say(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
	fmt.Fprintf(m.w, format+"\n", args...)
}

// end draws the last state and leaves the line.
func (m *meter) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.draw()
	if m.dirty {
		fmt.Fprintln(m.w)
		m.dirty = false
	}
}

func (m *meter) clear() {
	if m.dirty {
		fmt.Fprint(m.w, "\r\x1b[K")
		m.dirty = false
	}
}

func (m *meter) draw() {
	line := m.line()
	if m.width == 0 {
		fmt.Fprintln(m.w, line)
		return
	}
	if len(line) >= m.width {
		line = line[:m.width-1]
	}
	fmt.Fprint(m.w, "\r\x1b[K", line)
	m.dirty = true
}

// line returns the state in words. It is plain ASCII, so that it can be cut anywhere.
func (m *meter) line() string {
	done := m.before + m.kept
	parts := []string{fmt.Sprintf("%d/%d kept", done, m.total)}
	if m.total > 0 {
		parts = append(parts, fmt.Sprintf("%d%%", 100*done/m.total))
	}
	if elapsed := m.now().Sub(m.start).Seconds(); elapsed > 0.5 && m.kept > 0 {
		rate := float64(m.kept) / elapsed
		parts = append(parts, perSecond(rate))
		if left := m.total - done; left > 0 {
			parts = append(parts, clock(time.Duration(float64(left)/rate*float64(time.Second)))+" left")
		}
	}
	answered := int64(0)
	for o, n := range m.outcomes {
		if o.Answered() {
			answered += n
		}
	}
	if answered > 0 {
		parts = append(parts, fmt.Sprintf("pass %d%%", 100*m.outcomes[verbatim.Pass]/answered))
	}
	if lost := m.kept - answered; lost > 0 {
		parts = append(parts, fmt.Sprintf("unanswered %d", lost))
	}
	if m.tokens > 0 {
		parts = append(parts, thousands(m.tokens)+" tokens")
	}
	if m.inFlight > 0 {
		parts = append(parts, fmt.Sprintf("%d in flight", m.inFlight))
	}
	return strings.Join(parts, "  ")
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

func thousands(n int64) string {
	switch {
	case n >= 10_000_000:
		return fmt.Sprintf("%.0fM", float64(n)/1e6)
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	case n >= 1_000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}
