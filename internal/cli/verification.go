package cli

import (
	"context"
	"fmt"
	"io"

	"verbatim/internal/errkind"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

// A Verification is the result of a check of a database.
type storeVerification struct {
	Database string        `json:"database"`
	OK       bool          `json:"ok"`
	Runs     []verifiedRun `json:"runs"`
	Wrong    []string      `json:"wrong"` // the damage that belongs to no run
}

// A Verified is the result of the check of a run.
type verifiedRun struct {
	N       int64    `json:"n"`
	Name    string   `json:"name"`
	Records int64    `json:"records"`
	OK      bool     `json:"ok"`
	Wrong   []string `json:"wrong"`
}

// verifyStore checks the whole database. It prints a line for every run to w as soon as it is checked,
// and one for the file.
func verifyStore(ctx context.Context, w io.Writer, s *store.Store) (*storeVerification, error) {
	v := &storeVerification{Database: s.Path(), OK: true, Runs: []verifiedRun{}}
	wrong, err := s.Verify(ctx, func(checked store.Verification) {
		run := verifiedRun{checked.Run.N, checked.Run.Name, checked.Records, len(checked.Wrong) == 0, append([]string{}, checked.Wrong...)}
		v.Runs = append(v.Runs, run)
		v.OK = v.OK && run.OK
		write(w, fmt.Sprintf("run %d %s, %d records", run.N, run.Name, run.Records), run.Wrong)
	})
	if err != nil {
		return nil, err
	}
	v.Wrong = append([]string{}, wrong...)
	v.OK = v.OK && len(wrong) == 0
	write(w, v.Database, wrong)
	return v, nil
}

// Err returns an error with the extent of the damage; nil if there is no damage.
func (v *storeVerification) Err() error {
	if v.OK {
		return nil
	}
	damaged := 0
	for _, run := range v.Runs {
		if !run.OK {
			damaged++
		}
	}
	return errkind.Runtimef("keep a copy of the file and bring back a backup, or save what can be read with SQLite's `.recover`",
		"%s is damaged: %d of %d runs, and %d findings about the file", v.Database, damaged, len(v.Runs), len(v.Wrong))
}

// write prints the damage of a run or a file, a line each, or OK.
func write(w io.Writer, what string, wrong []string) {
	what = terminal.Visible(what)
	if len(wrong) == 0 {
		fmt.Fprintf(w, "%s: OK\n", what)
		return
	}
	for _, text := range wrong {
		fmt.Fprintf(w, "%s: %s\n", what, terminal.Visible(text))
	}
}
