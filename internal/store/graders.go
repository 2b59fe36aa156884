package store

import (
	"context"
	"slices"

	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// A StoredRun is a run of an open database.
type StoredRun struct {
	Store *Store
	Run   int64
}

// Common is the function Common for runs of this database.
func (s *Store) Common(ctx context.Context, runs ...int64) ([]string, error) {
	var list []StoredRun
	for _, run := range runs {
		list = append(list, StoredRun{s, run})
	}
	return Common(ctx, list...)
}

// Common returns the grader versions for Read.Graders of several runs, which may be in different
// databases. For each grader that one of them needs, it is the newest version that has graded all
// replies of this grader in all of the runs. Without one it is a *NoCommonGrader error.
func Common(ctx context.Context, runs ...StoredRun) ([]string, error) {
	holders := map[string][]StoredRun{} // by grader: the runs that need it
	have := map[string]map[string]int{} // by grader and version: the number of runs that it has graded completely
	for _, run := range runs {
		need, whole, err := run.Store.gradedBy(ctx, run.Run)
		if err != nil {
			return nil, err
		}
		for name := range need {
			holders[name] = append(holders[name], run)
		}
		for _, grader := range whole {
			name, _ := rows.SplitGrader(grader)
			if have[name] == nil {
				have[name] = map[string]int{}
			}
			have[name][grader]++
		}
	}
	var common []string
	for name, runs := range holders {
		best, version := "", -1
		for grader, n := range have[name] {
			if _, v := rows.SplitGrader(grader); n == len(runs) && v > version {
				best, version = grader, v
			}
		}
		if best == "" {
			return nil, noCommon(ctx, name, runs)
		}
		common = append(common, best)
	}
	slices.Sort(common)
	return common, nil
}

// gradedBy returns the number of replies of a run by the grader that is responsible for them, and
// the grader versions that have graded all of theirs.
func (s *Store) gradedBy(ctx context.Context, run int64) (need map[string]int64, whole []string, err error) {
	need = map[string]int64{}
	err = s.file.View(func(c *sqlite.Conn) error {
		count := func(sql string, do func(grader string, n int64)) error {
			return c.QueryEach(ctx, func(r *sqlite.Rows) { do(r.Text(), r.Int()) }, sql, run)
		}
		err := count(`SELECT text, sum(n) FROM tally JOIN word ON word.id = grader WHERE run = ? AND n > 0 GROUP BY grader`,
			func(grader string, n int64) {
				name, _ := rows.SplitGrader(grader)
				need[name] += n
			})
		if err != nil {
			return err
		}
		return count(`SELECT text, n FROM graded JOIN word ON word.id = grader WHERE run = ?`,
			func(grader string, n int64) {
				if name, _ := rows.SplitGrader(grader); n == need[name] && n > 0 {
					whole = append(whole, grader)
				}
			})
	})
	return need, whole, err
}

func noCommon(ctx context.Context, grader string, runs []StoredRun) error {
	e := &NoCommonGrader{Grader: grader}
	for _, r := range runs {
		err := r.Store.file.View(func(c *sqlite.Conn) error {
			run, err := rows.ReadRun(ctx, c, r.Run)
			e.Runs = append(e.Runs, run.Name)
			return err
		})
		if err != nil {
			return err
		}
		e.Apart = e.Apart || r.Store != runs[0].Store
	}
	return e
}
