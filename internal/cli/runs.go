package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"verbatim/internal/store"
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
