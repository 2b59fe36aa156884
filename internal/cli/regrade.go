package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/terminal"
)

func regradeCommand(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "regrade RUN...",
		Short: "Grade saved replies again and print what changed",
		Long: `Grade the saved replies of runs with the graders of this version, and print
every grade that changed. It sends no requests. New grades are saved in addition
to the old ones. Reports use the newest grader version that all runs in them
have. Imported scores without replies are skipped.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example:           `  verbatim regrade last`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeRuns(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			lib := env.app(cmd).Library()
			defer lib.Close()
			type changeJSON struct {
				Item   string          `json:"item"`
				Trial  int             `json:"trial"`
				Before *verbatim.Grade `json:"before"`
				After  verbatim.Grade  `json:"after"`
			}
			type regradeJSON struct {
				Run     string       `json:"run"`
				Replies int64        `json:"replies"`
				Passed  int64        `json:"without_reply"`
				Changes []changeJSON `json:"changes"`
			}
			runs, err := lib.FindAll(cmd.Context(), args)
			if err != nil {
				return err
			}
			var all []regradeJSON
			for _, run := range runs {
				done := regradeJSON{Run: run.Name, Changes: []changeJSON{}}
				result, err := run.Store.Regrade(cmd.Context(), run.N, grade.Of, func(before verbatim.Record, after verbatim.Grade) {
					if asJSON {
						done.Changes = append(done.Changes, changeJSON{before.Item.ID, before.Trial, before.Grade, after})
						return
					}
					was := "not graded"
					if before.Grade != nil {
						was = fmt.Sprintf("%s %s (%s)", before.Grade.Outcome, before.Grade.Label, before.Grade.Grader)
					}
					fmt.Fprintln(env.Out, terminal.SafeLine(fmt.Sprintf("%s: %s, now %s %s (%s)", before.Item.ID, was, after.Outcome, after.Label, after.Grader)))
				})
				if err != nil {
					return err
				}
				done.Replies, done.Passed = result.Replies, result.Passed
				all = append(all, done)
				writeNote(env, "%s: %d replies graded, %d verdicts changed", run.Name, result.Replies, result.Changed)
			}
			if asJSON {
				return writeJSON(env.Out, "regrade", struct {
					Runs []regradeJSON `json:"runs"`
				}{all})
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	return cmd
}
