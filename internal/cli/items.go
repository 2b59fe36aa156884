package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"

	"verbatim/internal/task"
)

func itemsCommand(env *Env) *cobra.Command {
	var sel selectionFlags
	var layout, release, out string
	cmd := &cobra.Command{
		Use:   "items",
		Short: "Print items as JSON lines, without sending requests",
		Long: `Print the items of a suite or selection as JSON lines, in the order of the plan.
--items of 'verbatim run' reads the same format: you can edit the file and run
it. docs/format.md describes the lines. With --items FILE, rows of others, such as
CSV with a question and an answer, are printed in this format.

With --shots, --paraphrase, --system or --no-system the messages are those that
a run with these flags would send. The ids of such items name the prompt
variant: "shots=2/reverse@1/len=16/seed=1/7". Run the file without these flags.

With --layout sortbench, write a new release of SortBench's list files, with the
names and the layout of the published ones: of all its tasks, or of those that
the other flags choose. Tasks of the suite hard have a second file with the rule
of each list and the sorted list.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim items --task reverse --length 8..64 --items 2
  verbatim items --suite simpe --seed 7 > mine.jsonl
  verbatim items --task sort-int --length 8 --shots 2 --paraphrase 1
  verbatim items --layout sortbench --seed 2026 -o lists/
  verbatim items -s hard --layout sortbench --release v2.0 -o hard/`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if flag := firstGiven(cmd, sendingFlags()...); flag != "" {
				return errkind.Usagef("leave it out here and add it to 'verbatim run'", "--%s changes how items are sent, not the items", flag)
			}
			switch layout {
			case "":
				if cmd.Flags().Changed("release") {
					return errkind.Usagef("add --layout sortbench, or leave out --release", "--release names files of --layout sortbench")
				}
			case "sortbench":
				if out == "" {
					return errkind.Usagef("name a folder with -o DIR", "--layout sortbench writes a file for each task and length")
				}
				return writeSortBench(&sel, cmd, env, out, release)
			default:
				return errkind.Usagef("the one layout is sortbench", "there is no layout %q", layout)
			}
			plan, err := sel.plan(env)
			if err != nil {
				return err
			}
			deck, err := plan.Deck()
			if err != nil {
				return err
			}
			w, err := env.Output(out, JSON)
			if err != nil {
				return err
			}
			defer w.Discard()
			for it, err := range deck.Items() {
				if err := errors.Join(cmd.Context().Err(), err); err != nil {
					return err
				}
				if err := task.WriteItem(w, deck.Applied(it)); err != nil {
					return err
				}
			}
			return w.keep()
		},
	}
	sel.register(cmd)
	for _, flag := range sendingFlags() {
		cmd.Flags().MarkHidden(flag)
	}
	cmd.Flags().StringVar(&layout, "layout", "", "`layout` of another tool's files: sortbench (default: JSON lines)")
	completeFlag(cmd, "layout", fixedWords("sortbench"))
	cmd.Flags().StringVar(&release, "release", "v1.0", "`number` of the release in the names of the files, with --layout")
	cmd.Flags().StringVarP(&out, "output", "o", "", "output `file`, or folder with --layout (default: the standard output)")
	return cmd
}

// writeSortBench writes the lists of the selection as a release of SortBench.
func writeSortBench(s *selectionFlags, cmd *cobra.Command, env *Env, out, release string) error {
	if s.Prompt.Differs() {
		return errkind.Usagef("leave out --shots, --paraphrase, --system and --no-system", "SortBench's list files hold no prompts")
	}
	if s.Suite == "" && s.Tasks == nil {
		s.Tasks = []string{"sort-*"}
	}
	plan, err := s.Plan()
	if err != nil {
		return err
	}
	n, err := task.WriteSortBench(cmd.Context(), out, plan.Plan, release)
	if err != nil {
		return err
	}
	env.Note("%d files of lists written to %s (release %s, seed %d, edition %s)", n, out, release, s.Seed, s.Edition)
	return nil
}

// sendingFlags lists the flags of a selection that change how items are sent, not the items.
func sendingFlags() []string { return []string{"as", "trials"} }
