package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/errkind"
	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

func runsCommand(env *Env) *cobra.Command {
	var asJSON, verify bool
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the saved runs, or verify the database",
		Long: `List the saved runs, a line each.

With --verify the command reads and checks the whole database: pages and
indexes, references between rows, the numbers of records and grades of every
run, and the encoding of every text. It prints a line for each run and one for
the file: OK, or what is damaged.

Exit codes: 0 done, 1 failed or damaged, 2 usage error.`,
		Example: `  verbatim runs
  verbatim runs --verify --db copy.db`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := env.app(cmd).OpenDatabase(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			if verify {
				return verifyRuns(cmd.Context(), env, s, asJSON)
			}
			list, err := s.Runs(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				rows := make([]runJSON, len(list))
				for i, r := range list {
					rows[i] = runRow(r)
				}
				return writeJSON(env.Out, "runs", struct {
					Runs []runJSON `json:"runs"`
				}{rows})
			}
			return writeRuns(env, list)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	cmd.Flags().BoolVar(&verify, "verify", false, "check of the whole database; exit code 1 if it is damaged")
	return cmd
}

type runJSON struct {
	N        int64            `json:"n"`
	Name     string           `json:"name"`
	Model    string           `json:"model"`
	Suite    string           `json:"suite"`
	Edition  string           `json:"edition"`
	Seed     uint64           `json:"seed"`
	Plan     string           `json:"plan"`
	State    string           `json:"state"` // finished, unfinished or running
	Planned  int64            `json:"planned"`
	Outcomes map[string]int64 `json:"outcomes"`
	Started  time.Time        `json:"started"`
	Ended    *time.Time       `json:"ended"`
	Origin   string           `json:"origin,omitempty"`
	// Variant is how the items are put; absent: as they are.
	Variant *verbatim.Variant `json:"variant,omitempty"`
	// Test is the test that the run belongs to; absent: none.
	Test *verbatim.Test `json:"test,omitempty"`
}

func runRow(r store.RunSummary) runJSON {
	row := runJSON{
		N: r.N, Name: r.Name, Model: r.Model, Suite: r.Plan.Suite, Edition: string(r.Plan.Edition), Seed: r.Plan.Seed,
		Plan: r.Plan.Hash, State: runState(r), Planned: r.Plan.Count, Outcomes: map[string]int64{}, Started: r.Started, Origin: r.Origin, Variant: r.Plan.Variant, Test: r.Test,
	}
	for o, n := range r.Tally {
		row.Outcomes[string(o)] = n
	}
	if !r.Ended.IsZero() {
		row.Ended = &r.Ended
	}
	return row
}

// runState says how far a run is. A test is finished with its verdict, however
// much of its plan it has asked.
func runState(r store.RunSummary) string {
	finished := !r.Ended.IsZero()
	if r.Test != nil {
		finished = r.Test.Verdict != ""
	}
	switch {
	case r.Lease != nil:
		return "running"
	case finished:
		return "finished"
	}
	return "unfinished"
}

// testText says what a run is asked for and how that has ended, as in "check
// against sim-careful-ab12cd-1: pass"; it is empty where the whole plan is asked.
func testText(t *verbatim.Test) string {
	if t == nil {
		return ""
	}
	text := t.Kind
	if t.Baseline != "" {
		text += " against " + t.Baseline
	}
	if t.Verdict == "" {
		return terminal.Visible(text + ": open")
	}
	return terminal.Visible(text + ": " + t.Verdict)
}

func writeRuns(env *Env, list []store.RunSummary) error {
	if len(list) == 0 {
		writeNote(env, "there are no runs yet: 'verbatim run' makes one")
		return nil
	}
	t := &table.Table{Columns: []table.Column{
		{Head: "run", Right: true}, {Head: "name", Min: 14}, {Head: "model", Min: 14}, {Head: "suite", Rank: 3}, {Head: "started", Rank: 2}, {Head: "answered", Right: true},
		{Head: "of", Right: true}, {Head: "pass", Right: true}, {Head: "state"}, {Head: "prompt", Rank: 4}, {Head: "test", Rank: 1},
	}}
	for _, r := range list {
		pass := "–"
		if n := r.Tally.Answered(); n > 0 {
			pass = fmt.Sprintf("%.1f%%", 100*float64(r.Tally["pass"])/float64(n))
		}
		of := fmt.Sprint(r.Plan.Count)
		if r.Test != nil && r.Test.Kind == app.SearchKind { // which asks of its plan what it takes
			of = "–"
		}
		prompt := ""
		if r.Plan.Variant != nil {
			prompt = report.VariantText(r.Plan.Variant)
		}
		t.Add(fmt.Sprint(r.N), terminal.Visible(r.Name), terminal.Visible(r.Model), terminal.Visible(r.Plan.Suite), r.Started.Local().Format("2006-01-02 15:04"),
			fmt.Sprint(r.Tally.Answered()), of, pass, runState(r), prompt, testText(r.Test))
	}
	return env.writeTable(env.Out, t)
}

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
	wrong, err := s.Verify(ctx, func(v store.Verification) {
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
		err = errkind.Runtimef("keep a copy of the file and bring back a backup, or save what can be read with SQLite's `.recover`",
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
