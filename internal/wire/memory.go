package wire

import (
	"context"
	"sync"
)

// A Memory bounds what replies that are being received hold together. A reply holds
// freeBytes without asking for them, so short replies cost nothing here.
//
// A reply that finds no room waits, while its server waits for it. One of those that
// wait may always go on, up to its own limit: so some reply comes to its end, and its
// room with it, and the replies never wait for each other permanently.
type Memory struct {
	most int64

	mu     sync.Mutex
	used   int64
	excess *hold         // the one that may go on without room; nil: none
	freed  chan struct{} // closed when room is given back; nil: no caller waits
}

// DefaultMemory is how many bytes the replies in flight of a program hold together.
const DefaultMemory = 256 << 20

// freeBytes is what a reply holds without asking.
const freeBytes = 64 << 10

// NewMemory returns a Memory of so many bytes.
func NewMemory(most int64) *Memory { return &Memory{most: most} }

// A hold is what one reply holds. The zero value holds nothing, of no Memory.
type hold struct {
	memory *Memory
	bytes  int64
}

// grow asks for n bytes in all. It waits for room until ctx ends.
func (h *hold) grow(ctx context.Context, n int64) error {
	m := h.memory
	if m == nil || n <= h.bytes {
		return nil
	}
	n += n / 2 // so that a growing reply does not ask for every piece
	for {
		m.mu.Lock()
		if m.excess == h || m.used+n-h.bytes <= m.most {
			m.used += n - h.bytes
			h.bytes = n
			m.mu.Unlock()
			return nil
		}
		if m.excess == nil {
			m.excess = h
			m.mu.Unlock()
			continue
		}
		if m.freed == nil {
			m.freed = make(chan struct{})
		}
		freed := m.freed
		m.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// release gives everything back.
func (h *hold) release() {
	m := h.memory
	if m == nil || h.bytes == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used -= h.bytes
	h.bytes = 0
	if m.excess == h {
		m.excess = nil
	}
	if m.freed != nil {
		close(m.freed)
		m.freed = nil
	}
}
