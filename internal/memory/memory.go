// Package memory limits the memory that replies in flight take together.
//
// A server may send a reply of any length, and a program may have thousands of replies in flight.
// Each reply has a Reservation that grows as its bytes arrive. A reply without room waits, and does
// not read from its server meanwhile.
//
// Replies never wait for each other forever: one of them may exceed the limit, up to its own
// maximum size. When it ends, its room is free for others.
package memory

import (
	"context"
	"sync"
)

// Default is the limit of a program in bytes.
const Default = 256 << 20

// Free is the number of bytes that each reply may take without a reservation, so that short replies
// need no lock.
const Free = 64 << 10

// A Limit is the number of bytes that replies may take together.
type Limit struct {
	bytes int64

	mu       sync.Mutex
	reserved int64
	excess   *Reservation  // the one that may exceed the limit, or nil
	freed    chan struct{} // closed when room is freed; nil: no reply waits
}

// NewLimit returns a Limit of a number of bytes.
func NewLimit(bytes int64) *Limit { return &Limit{bytes: bytes} }

// A Reservation is the memory of one reply. That of the zero value is not limited.
type Reservation struct {
	limit *Limit
	bytes int64
}

// Reserve returns a Reservation of 0 bytes. If l is nil, it is not limited.
func (l *Limit) Reserve() Reservation { return Reservation{limit: l} }

// Has reports whether Grow would return at once without reserving more.
func (r *Reservation) Has(bytes int64) bool {
	return r.limit == nil || bytes <= Free || bytes <= r.bytes
}

// Grow raises the reservation to at least that many bytes. It waits for room until ctx is done, and
// then returns its cause.
func (r *Reservation) Grow(ctx context.Context, bytes int64) error {
	if r.Has(bytes) {
		return nil
	}
	bytes += bytes / 2 // so that a growing reply seldom calls reserve
	l := r.limit
	for {
		freed := l.reserve(r, bytes)
		if freed == nil {
			return nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// reserve raises r to a number of bytes and returns nil, or returns a channel that is closed when
// room is freed.
func (l *Limit) reserve(r *Reservation, bytes int64) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reserved+bytes-r.bytes > l.bytes {
		if l.excess == nil {
			l.excess = r
		}
		if l.excess != r {
			if l.freed == nil {
				l.freed = make(chan struct{})
			}
			return l.freed
		}
	}
	l.reserved += bytes - r.bytes
	r.bytes = bytes
	return nil
}

// Release sets the reservation to 0 bytes.
func (r *Reservation) Release() {
	l := r.limit
	if l == nil || r.bytes == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reserved -= r.bytes
	r.bytes = 0
	if l.excess == r {
		l.excess = nil
	}
	if l.freed != nil {
		close(l.freed)
		l.freed = nil
	}
}
