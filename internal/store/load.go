package store

import (
	"cmp"
	"context"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// AddLoad combines the load of a part of a run with the load of the run, and saves it. The peak is
// the highest of both, and the newest known slots and context count.
func (s *Store) AddLoad(ctx context.Context, run int64, load verbatim.Load) error {
	return s.file.Update(ctx, func(c *sqlite.Conn) error {
		known, err := readRun(ctx, c, run)
		if err != nil {
			return err
		}
		if before := known.Load; before != nil {
			load.Peak = max(load.Peak, before.Peak)
			load.Slots = cmp.Or(load.Slots, before.Slots)
			load.Context = cmp.Or(load.Context, before.Context)
		}
		return saveLoad(c, run, load)
	})
}
