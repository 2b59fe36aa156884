package store

import (
	"context"
	"fmt"

	"verbatim/internal/store/sqlite"
)

// Proof returns the uid of a run, which it keeps in every export and import, and its saved proof,
// "" without one. A proof is neither exported nor imported. Package trust makes proofs.
func (s *Store) Proof(ctx context.Context, run int64) (uid, proof string, err error) {
	err = s.file.With(func(c *sqlite.Conn) error {
		found, err := c.QueryOne(ctx, func(r *sqlite.Rows) { uid, proof = r.Text(), r.Text() }, `SELECT uid, coalesce(proof, '') FROM run WHERE id = ?`, run)
		if err == nil && !found {
			err = &UnknownRun{Name: fmt.Sprint(run)}
		}
		return err
	})
	return uid, proof, err
}

// SetProof saves the proof of a run.
func (s *Store) SetProof(ctx context.Context, run int64, proof string) error {
	return s.file.Update(ctx, func(c *sqlite.Conn) error {
		_, _, err := c.Exec(`UPDATE run SET proof = ? WHERE id = ?`, proof, run)
		return err
	})
}
