package store

import (
	"context"

	"verbatim"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// AddLoad saves what a part of a run asked of its server at once. The peak of the run is that of
// its parts, and its slots are the last that are known.
func (s *Store) AddLoad(ctx context.Context, run int64, load verbatim.Load) error {
	return s.file.Update(ctx, func(c *sqlite.Conn) error {
		known, err := rows.ReadRun(ctx, c, run)
		if err != nil {
			return err
		}
		if before := known.Load; before != nil {
			load.Peak = max(load.Peak, before.Peak)
			if load.Slots == 0 {
				load.Slots = before.Slots
			}
			if load.Context == 0 {
				load.Context = before.Context
			}
		}
		text, err := rows.EncodeLoad(&load)
		if err == nil {
			_, _, err = c.Exec(`UPDATE run SET load = ? WHERE id = ?`, text, run)
		}
		return err
	})
}
