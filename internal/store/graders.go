package store

import (
	"context"
	"slices"
)

// Common returns the grader versions to read the runs with, one for each grader
// that any of them needs: the newest version that has judged all the replies
// that the grader is responsible for, in each of the runs. Where there is none
// it is a *NoCommonGrader error.
func (s *Store) Common(ctx context.Context, runs ...int64) ([]string, error) {
	var common []string
	err := s.view(func(c *conn) error {
		holders := map[string][]int64{}      // grader name → the runs that need it
		need := map[string]map[int64]int64{} // grader name → run → replies
		have := map[string]map[string]int{}  // grader name → version → runs that hold it whole
		count := func(sql string, run int64, do func(grader string, n int64)) error {
			return c.each(ctx, func(r *rows) { do(r.str(), r.int()) }, sql, run)
		}
		for _, run := range runs {
			err := count(`SELECT text, sum(n) FROM tally JOIN word ON word.id = grader WHERE run = ? AND n > 0 GROUP BY grader`, run,
				func(grader string, n int64) {
					name, _ := splitGrader(grader)
					if need[name] == nil {
						need[name] = map[int64]int64{}
					}
					if need[name][run] == 0 {
						holders[name] = append(holders[name], run)
					}
					need[name][run] += n
				})
			if err != nil {
				return err
			}
			err = count(`SELECT text, n FROM graded JOIN word ON word.id = grader WHERE run = ?`, run,
				func(grader string, n int64) {
					name, _ := splitGrader(grader)
					if have[name] == nil {
						have[name] = map[string]int{}
					}
					if n == need[name][run] && n > 0 {
						have[name][grader]++
					}
				})
			if err != nil {
				return err
			}
		}
		for name, runs := range holders {
			best, version := "", -1
			for grader, n := range have[name] {
				if _, v := splitGrader(grader); n == len(runs) && v > version {
					best, version = grader, v
				}
			}
			if best == "" {
				return c.noCommon(ctx, name, runs)
			}
			common = append(common, best)
		}
		slices.Sort(common)
		return nil
	})
	return common, err
}

func (c *conn) noCommon(ctx context.Context, grader string, runs []int64) error {
	e := &NoCommonGrader{Grader: grader}
	for _, id := range runs {
		run, err := c.run(ctx, id)
		if err != nil {
			return err
		}
		e.Runs = append(e.Runs, run.Name)
	}
	return e
}
