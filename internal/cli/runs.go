package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// runsCommand returns the command `runs`.
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
		Args: noArguments,
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
				rows := make([]runEntry, len(list))
				for i, r := range list {
					rows[i] = runEntryOf(r)
				}
				return writeDocument(env.Out, "runs", struct {
					Runs []runEntry `json:"runs"`
				}{rows})
			}
			if len(list) == 0 {
				env.Note("there are no runs yet: 'verbatim run' makes one")
				return nil
			}
			return env.writeTable(env.Out, runTable(list))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	cmd.Flags().BoolVar(&verify, "verify", false, "check of the whole database; exit code 1 if it is damaged")
	return cmd
}

// verifyRuns checks the whole database.
func verifyRuns(ctx context.Context, env *Env, s *store.Store, asJSON bool) error {
	progress := env.Out
	if asJSON {
		progress = io.Discard
	}
	found, err := verifyStore(ctx, progress, s)
	if err != nil {
		return err
	}
	if asJSON {
		if err := writeDocument(env.Out, "verify", found); err != nil {
			return err
		}
	}
	return found.Err()
}

// A Run is the JSON form of a saved run.
type runEntry struct {
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
	// Variant is the prompt variant; absent: the items' own prompts.
	Variant *verbatim.Variant `json:"variant,omitempty"`
	// Test is the test that the run belongs to; absent without one.
	Test *verbatim.Test `json:"test,omitempty"`
}

// runEntryOf returns the JSON form of a saved run.
func runEntryOf(r store.RunSummary) runEntry {
	row := runEntry{
		N: r.N, Name: r.Name, Model: r.Model, Suite: r.Plan.Suite, Edition: string(r.Plan.Edition), Seed: r.Plan.Seed,
		Plan: r.Plan.Hash, State: state(r), Planned: r.Plan.Count, Outcomes: map[string]int64{}, Started: r.Started, Origin: r.Origin, Variant: r.Plan.Variant,
	}
	for o, n := range r.Tally {
		row.Outcomes[string(o)] = n
	}
	if !r.Ended.IsZero() {
		row.Ended = &r.Ended
	}
	if r.Test != nil {
		row.Test = r.Test.WithoutState()
	}
	return row
}

// state returns the state of a run. A test is finished when it has a verdict, even if requests of its
// plan were not sent.
func state(r store.RunSummary) string {
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

// testText describes the test of a run and its verdict, as in "check against sim-careful-ab12cd-1:
// pass"; "" without a test.
func testText(t *verbatim.Test) string {
	if t == nil {
		return ""
	}
	text := t.Kind
	if t.Baseline != "" {
		text += " against " + t.Baseline
	}
	return terminal.Visible(text + ": " + cmp.Or(t.Verdict, "open"))
}

// runTable lists saved runs, a line each.
func runTable(list []store.RunSummary) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Head: "run", Right: true}, {Head: "name", Min: 14, Spare: true}, {Head: "model", Min: 14}, {Head: "suite", Rank: 3}, {Head: "started", Rank: 2}, {Head: "answered", Right: true},
		{Head: "of", Right: true}, {Head: "pass", Right: true}, {Head: "state"}, {Head: "prompt", Rank: 4}, {Head: "test", Rank: 1},
	}}
	for _, r := range list {
		pass := "–"
		if n := r.Tally.Answered(); n > 0 {
			pass = fmt.Sprintf("%.1f%%", 100*float64(r.Tally["pass"])/float64(n))
		}
		of := fmt.Sprint(r.Plan.Count)
		if r.Test != nil && r.Test.Kind == app.SearchKind { // it sends as much of its plan as it needs
			of = "–"
		}
		prompt := ""
		if r.Plan.Variant != nil {
			prompt = report.VariantText(r.Plan.Variant)
		}
		t.Add(fmt.Sprint(r.N), terminal.Visible(r.Name), terminal.Visible(r.Model), terminal.Visible(r.Plan.Suite), r.Started.Local().Format("2006-01-02 15:04"),
			fmt.Sprint(r.Tally.Answered()), of, pass, state(r), prompt, testText(r.Test))
	}
	return t
}
