package store

import (
	"context"

	"verbatim/internal/store/sqlite"
)

// Graders returns the number of answers of a run by the grader that has graded them, such as
// "text/1".
func (s *Store) Graders(ctx context.Context, run int64) (map[string]int64, error) {
	graders := map[string]int64{}
	err := s.file.View(func(c *sqlite.Conn) error {
		return c.QueryEach(ctx, func(r *sqlite.Rows) { graders[r.Text()] = r.Int() },
			`SELECT text, sum(n) FROM tally JOIN word ON word.id = grader WHERE run = ? AND n > 0 GROUP BY grader`, run)
	})
	return graders, err
}
