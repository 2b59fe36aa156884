package cli

import (
	"context"
	"fmt"

	"verbatim/internal/app"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

// A verifiedJSON is what `runs --verify --json` says of a run.
type verifiedJSON struct {
	N       int64    `json:"n"`
	Name    string   `json:"name"`
	Records int64    `json:"records"`
	OK      bool     `json:"ok"`
	Wrong   []string `json:"wrong"`
}

// verifyRuns checks the whole database: a line for every run, and one for the file.
func verifyRuns(ctx context.Context, env *Env, s *store.Store, asJSON bool) error {
	runs := []verifiedJSON{}
	damaged := 0
	wrong, err := s.Verify(ctx, func(v store.Verified) {
		row := verifiedJSON{v.Run.N, v.Run.Name, v.Records, len(v.Wrong) == 0, append([]string{}, v.Wrong...)}
		runs = append(runs, row)
		if !row.OK {
			damaged++
		}
		if !asJSON {
			writeVerified(env, fmt.Sprintf("run %d %s, %d records", row.N, row.Name, row.Records), row.Wrong)
		}
	})
	if err != nil {
		return err
	}
	if asJSON {
		err = writeJSON(env.Out, "verify", struct {
			Database string         `json:"database"`
			OK       bool           `json:"ok"`
			Runs     []verifiedJSON `json:"runs"`
			Wrong    []string       `json:"wrong"` // that belongs to no run
		}{s.Path(), damaged+len(wrong) == 0, runs, append([]string{}, wrong...)})
	} else {
		writeVerified(env, s.Path(), wrong)
	}
	if err == nil && damaged+len(wrong) > 0 {
		err = app.RuntimeError("keep a copy of the file and bring back a backup, or save what can be read with SQLite's `.recover`",
			"%s is damaged: %d of %d runs, and %d findings about the file", s.Path(), damaged, len(runs), len(wrong))
	}
	return err
}

// writeVerified prints what was found about something.
func writeVerified(env *Env, what string, wrong []string) {
	what = terminal.Visible(what)
	if len(wrong) == 0 {
		fmt.Fprintf(env.Out, "%s: OK\n", what)
		return
	}
	for _, text := range wrong {
		fmt.Fprintf(env.Out, "%s: %s\n", what, terminal.Visible(text))
	}
}
