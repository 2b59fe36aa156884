package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"

	"verbatim/internal/table"
	"verbatim/internal/task"
)

func selfcheckCommand(env *Env) *cobra.Command {
	var seed uint64
	var items int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "selfcheck",
		Short: "Test the graders on newly drawn items",
		Long: `Draw new items of every family at every length of its ladder and grade several
replies for each: the right answer, an empty reply, and one near miss for every
failure label that the item allows. The right answer must pass; every other
reply must fail.

"own label" counts the near misses that got the label they were made for. Some
overlap with another label: a swap of two letters may also be a change of case.

Exit codes: 0 the graders are right, 1 they are not or the command failed, 2
usage error.`,
		Example: `  verbatim selfcheck
  verbatim selfcheck --items 50 --seed 7`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("seed") {
				seed = uint64(time.Now().UnixNano())
			}
			var checks []graderCheck
			for _, f := range task.Families() {
				c, err := checkFamily(f, seed, items)
				if err != nil {
					return err
				}
				checks = append(checks, c)
			}
			if asJSON {
				if err := writeDocument(env.Out, "selfcheck", struct {
					Seed   uint64        `json:"seed"`
					Checks []graderCheck `json:"checks"`
				}{seed, checks}); err != nil {
					return err
				}
			} else if err := writeChecks(env, seed, checks); err != nil {
				return err
			}
			for _, c := range checks {
				if len(c.Errors) > 0 {
					return errkind.Runtimef("this is a defect of verbatim: please report it with the seed", "the graders gave wrong grades")
				}
			}
			return nil
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the items, a `number` (default: a new one each time)")
	cmd.Flags().IntVar(&items, "items", 10, "number of `items` per family and length")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	return cmd
}

// writeChecks prints a table with a row for each family, the errors, and the seed.
func writeChecks(env *Env, seed uint64, checks []graderCheck) error {
	t := &table.Table{Columns: []table.Column{{Head: "family"}, {Head: "items", Right: true}, {Head: "right"}, {Head: "silence"},
		{Head: "near misses", Right: true}, {Head: "caught", Right: true}, {Head: "own label", Right: true}}}
	for _, c := range checks {
		verdict := "all pass"
		caught := fmt.Sprint(c.Misses)
		if len(c.Errors) > 0 {
			verdict, caught = "see below", "see below"
		}
		own := "–"
		if c.Misses > 0 {
			own = fmt.Sprintf("%.1f%%", 100*float64(c.OwnLabel)/float64(c.Misses))
		}
		t.Add(c.Family, fmt.Sprint(c.Items), verdict, "fails", fmt.Sprint(c.Misses), caught, own)
	}
	if err := env.writeTable(env.Out, t); err != nil {
		return err
	}
	for _, c := range checks {
		for _, e := range c.Errors {
			fmt.Fprintln(env.Out, e)
		}
	}
	fmt.Fprintf(env.Out, "seed %d\n", seed)
	return nil
}
