package lease

import (
	"context"
	"time"

	"verbatim/internal/store/sqlite"
)

// A process that writes for long commits after SliceTime and then leaves the file to
// others for YieldTime.
const (
	SliceTime = 100 * time.Millisecond
	YieldTime = 5 * time.Millisecond
)

// LockGrace is how long a writer goes on waiting for a lock when the context of its caller
// has ended.
const LockGrace = 2 * time.Second

// A SlicedTx is a write transaction that is committed again and again, so that other
// processes can write in between. A nil *SlicedTx is one transaction without a pause.
type SlicedTx struct {
	ctx   context.Context
	file  *sqlite.File
	c     *sqlite.Conn
	Lease *Lease // must stay ours; nil until there is one
	begun time.Time
	beat  time.Time
}

// NewSlicedTx returns a SlicedTx whose slices check and renew a lease, unless it is nil. It
// has not begun.
func NewSlicedTx(ctx context.Context, file *sqlite.File, c *sqlite.Conn, l *Lease) *SlicedTx {
	return &SlicedTx{ctx: ctx, file: file, c: c, Lease: l, beat: time.Now()}
}

// Begin begins a slice.
func (t *SlicedTx) Begin() error {
	if err := t.c.Begin(t.ctx); err != nil {
		return err
	}
	t.begun = time.Now()
	if t.Lease == nil {
		return nil
	}
	err := t.Lease.Check(t.ctx, t.c)
	if err == nil && t.begun.Sub(t.beat) >= BeatEvery {
		t.beat = t.begun
		err = t.Lease.Renew(t.ctx, t.c, t.begun)
	}
	return err
}

// Pause ends the slice where it has lasted long enough, and begins another one. settle
// writes what belongs to the slice.
func (t *SlicedTx) Pause(settle func() error) error {
	if t == nil || time.Since(t.begun) < SliceTime {
		return nil
	}
	if err := settle(); err != nil {
		return err
	}
	if err := t.End(); err != nil {
		return err
	}
	time.Sleep(YieldTime)
	return t.Begin()
}

// End commits the slice.
func (t *SlicedTx) End() error {
	if err := t.file.CheckMoved(); err != nil {
		return err
	}
	return t.c.Commit()
}
