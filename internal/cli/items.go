package cli

import (
	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/task"
)

func itemsCommand(env *Env) *cobra.Command {
	var sel selection
	var layout, out string
	cmd := &cobra.Command{
		Use:   "items",
		Short: "Print items as JSON lines, without sending requests",
		Long: `Print the items of a suite or selection as JSON lines, in the order of the plan.
--items of 'verbatim run' reads the same format: you can edit the file and run
it. docs/format.md describes the lines.

With --shots, --paraphrase, --system or --no-system the messages are those that
a run with these flags would send. The ids of such items name the prompt
variant: "shots=2/reverse@1/len=16/seed=1/7". Run the file without these flags.

With --layout sortbench, write a new release of SortBench's list files: 144
files with the names and layout of the published ones.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim items --task reverse --length 8..64 --items 2
  verbatim items --suite simpe --seed 7 > mine.jsonl
  verbatim items --task sort-int --length 8 --shots 2 --paraphrase 1
  verbatim items --layout sortbench --seed 2026 -o lists/`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch layout {
			case "":
			case "sortbench":
				if out == "" {
					return errkind.Usagef("name a folder with -o DIR", "--layout sortbench writes 144 files")
				}
				if sel.Prompt.Differs() {
					return errkind.Usagef("leave out --shots, --paraphrase, --system and --no-system", "SortBench's list files hold no prompts")
				}
				if err := task.WriteSortBench(out, sel.Seed, verbatim.Edition(sel.Edition)); err != nil {
					return err
				}
				writeNote(env, "144 files of 10 lists written to %s (seed %d, edition %s)", out, sel.Seed, sel.Edition)
				return nil
			default:
				return errkind.Usagef("the one layout is sortbench", "there is no layout %q", layout)
			}
			plan, err := sel.Plan()
			if err != nil {
				return err
			}
			deck, err := plan.Deck()
			if err != nil {
				return err
			}
			w, err := env.output(out, asJSON)
			if err != nil {
				return err
			}
			defer w.Discard()
			for place, ok := deck.Next(); ok; place, ok = deck.Next() {
				if place.Trial > 0 {
					break // later trials repeat the same items
				}
				it, err := deck.Item(place)
				if err != nil {
					return err
				}
				if err := task.WriteItem(w, applied(deck, plan.Variant, it)); err != nil {
					return err
				}
			}
			return w.Keep()
		},
	}
	sel.register(cmd)
	cmd.Flags().StringVar(&layout, "layout", "", "`layout` of another tool's files: sortbench (default: JSON lines)")
	cmd.Flags().StringVarP(&out, "output", "o", "", "output `file`, or folder with --layout (default: the standard output)")
	return cmd
}

// applied returns an item with its variant as a part of it, under an id of its own.
func applied(deck *task.Deck, v *verbatim.Variant, it *verbatim.Item) *verbatim.Item {
	if v == nil {
		return it
	}
	other := *it
	other.ID = task.VariantID(v) + "/" + it.ID
	other.Prompt = deck.Prompt(it)
	return &other
}
