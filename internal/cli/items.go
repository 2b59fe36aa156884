package cli

import (
	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/task"
)

func itemsCommand(env *Env) *cobra.Command {
	var sel selection
	var layout, out string
	cmd := &cobra.Command{
		Use:   "items",
		Short: "Print items as JSON lines, without asking anybody",
		Long: `Print the items of a suite or selection as JSON lines, in the order in which they
would be asked. The same lines are what --items reads, so a printed file can be
edited and asked. docs/format.md describes them.

With --shots, --paraphrase, --system or --no-system the messages are those that a
run with these flags would send. Such lines are items of their own, whose ids say
so: "shots=2/reverse@1/len=16/seed=1/7". Ask the file without these flags.

With --layout sortbench, write a fresh release of SortBench's list files instead:
144 files, named and laid out as the published ones.`,
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
					return misused("name a folder with -o DIR", "--layout sortbench writes 144 files")
				}
				if sel.as.set() {
					return misused("leave out --shots, --paraphrase, --system and --no-system", "SortBench's list files hold no prompts")
				}
				if err := task.WriteSortBench(out, sel.seed, verbatim.Edition(sel.edition)); err != nil {
					return err
				}
				writeNote(env, "144 files of 10 lists written to %s (seed %d, edition %s)", out, sel.seed, sel.edition)
				return nil
			default:
				return misused("the one layout is sortbench", "there is no layout %q", layout)
			}
			plan, err := sel.plan()
			if err != nil {
				return err
			}
			deck, err := plan.deck()
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
	cmd.Flags().StringVar(&layout, "layout", "", "write another tool's files: sortbench")
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to this `file` (with --layout: folder) instead of the standard output")
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
