package cli

import (
	"io"

	"github.com/spf13/cobra"

	"verbatim"

	"verbatim/internal/draw"

	"verbatim/internal/task"
)

func tasksCommand(env *Env) *cobra.Command {
	var asJSON, license bool
	cmd := &cobra.Command{
		Use:   "tasks [NAME]",
		Short: "List the task families, or show one with an example",
		Long: `List the task families with their lengths, a line each. With NAME, print one
family in full: an example with its answer, the editions, and the paraphrases of
its prompt.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim tasks
  verbatim tasks reverse
  verbatim tasks sort-word-prefixed --json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeWords(taskNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			if license {
				_, err := io.WriteString(env.Out, draw.License())
				return err
			}
			families := task.Families()
			if len(args) == 1 {
				f, err := task.Find(args[0])
				if err != nil {
					return err
				}
				families = []verbatim.Family{f}
			}
			if asJSON {
				return writeDocument(env.Out, "tasks", struct {
					Tasks []taskEntry `json:"tasks"`
				}{taskEntries(families)})
			}
			if len(args) == 1 {
				return showTask(env.Out, families[0], env.Style().Width)
			}
			return env.writeTable(env.Out, taskTable(families))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	cmd.Flags().BoolVar(&license, "license", false, "the licence of the word list (WordNet) instead of the tasks")
	return cmd
}

func suitesCommand(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "suites [NAME]",
		Short: "List the suites, or the tasks of one",
		Long: `List the suites that 'verbatim run --suite' accepts, with their numbers of
items. With NAME, list the tasks of one suite with their lengths and numbers of
items.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim suites
  verbatim suites hard
  verbatim suites --json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeWords(suiteNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := suiteEntries(args...)
			if err != nil {
				return err
			}
			if asJSON {
				return writeDocument(env.Out, "suites", struct {
					Suites []suiteEntry `json:"suites"`
				}{list})
			}
			if len(args) == 1 {
				return env.writeTable(env.Out, list[0].taskTable())
			}
			return env.writeTable(env.Out, suiteTable(list))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	return cmd
}
