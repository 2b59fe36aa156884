package cli

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/errkind"
	"verbatim/internal/grade"
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

// A Check is the result of a check of the grader on the items of one family.
type graderCheck struct {
	Family   string   `json:"family"`
	Items    int      `json:"items"`
	Misses   int      `json:"near_misses"`
	OwnLabel int      `json:"own_label"`        // near misses with the label that they were made for
	Errors   []string `json:"errors,omitempty"` // the first few faults
}

// fault adds a fault, unless there are enough.
func (c *graderCheck) fault(format string, args ...any) {
	if len(c.Errors) < 5 {
		c.Errors = append(c.Errors, fmt.Sprintf(format, args...))
	}
}

// checkFamily checks the grader with new items of a family at every length of its ladder.
func checkFamily(f verbatim.Family, seed uint64, items int) (graderCheck, error) {
	c := graderCheck{Family: f.Name}
	var lengths []verbatim.Lengths
	for _, n := range f.DefaultLengths {
		lengths = append(lengths, verbatim.Lengths{Min: n, Max: n})
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for it, err := range task.Draw(task.Request{Tasks: []string{f.Name}, Lengths: lengths, Items: items, Seed: seed}) {
		if err != nil {
			return c, err
		}
		c.checkItem(r, it)
	}
	return c, nil
}

// checkItem grades several replies to an item.
func (c *graderCheck) checkItem(r *rand.Rand, it *verbatim.Item) {
	c.Items++
	right := damage.Right(it)
	if g := grade.Of(it, right, verbatim.FinishStop); g.Outcome != verbatim.Pass || !g.Exact || !g.Extracted || g.Label != "pass" {
		c.fault("%s: the right answer is graded %s (%s)", it.ID, g.Outcome, g.Label)
	}
	if g := grade.Of(it, "", verbatim.FinishStop); g.Outcome == verbatim.Pass || g.Exact || g.Extracted || g.Label != "empty" {
		c.fault("%s: an empty reply is graded %s (%s)", it.ID, g.Outcome, g.Label)
	}
	for _, s := range damage.Spoilers(damage.Grader(it)) {
		reply, ok := s.Spoil(r, it)
		if !ok || reply == right {
			continue
		}
		g := grade.Of(it, reply, verbatim.FinishStop)
		c.Misses++
		if g.Label == s.Label {
			c.OwnLabel++
		}
		if g.Outcome == verbatim.Pass || g.Exact {
			c.fault("%s: a near miss made for %q passes: %q", it.ID, s.Label, reply)
		}
	}
}
