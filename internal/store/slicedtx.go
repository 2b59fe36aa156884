package store

import (
	"context"
	"time"

	"verbatim/internal/store/sqlite"
)

// A process that writes for long commits after sliceTime and then leaves the file to
// others for yieldTime.
const (
	sliceTime = 100 * time.Millisecond
	yieldTime = 5 * time.Millisecond
)

// slicedTx is a write transaction that is committed again and again, so that other
// processes can write in between. A nil *sliced is one transaction without a pause.
type slicedTx struct {
	ctx   context.Context
	s     *Store
	c     *sqlite.Conn
	lease *lease // must stay ours; nil until there is one
	begun time.Time
	beat  time.Time
}

// begin begins a slice.
func (t *slicedTx) begin() error {
	if err := t.c.Begin(t.ctx); err != nil {
		return err
	}
	t.begun = time.Now()
	if t.lease == nil {
		return nil
	}
	err := t.lease.check(t.ctx, t.c)
	if err == nil && t.begun.Sub(t.beat) >= leaseBeat {
		t.beat = t.begun
		err = t.lease.renew(t.ctx, t.c, t.begun)
	}
	return err
}

// pause ends the slice where it has lasted long enough, and begins another one. settle
// writes what belongs to the slice.
func (t *slicedTx) pause(settle func() error) error {
	if t == nil || time.Since(t.begun) < sliceTime {
		return nil
	}
	if err := settle(); err != nil {
		return err
	}
	if err := t.end(); err != nil {
		return err
	}
	time.Sleep(yieldTime)
	return t.begin()
}

// end commits the slice.
func (t *slicedTx) end() error {
	if err := t.s.file.CheckMoved(); err != nil {
		return err
	}
	return t.c.Commit()
}
