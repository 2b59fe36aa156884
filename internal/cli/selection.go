package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/task"
)

// A selection is what the flags say about the items to ask.
type selection struct {
	suite   string
	tasks   []string
	length  string
	items   string // a number, or the path of a file of items
	lists   string
	edition string
	seed    uint64
	trials  int
	as      variation
}

func (s *selection) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&s.suite, "suite", "s", "", "`suite` of items: quick, simpe or sortbench; 'verbatim suites' describes them (default: quick)")
	f.StringSliceVarP(&s.tasks, "task", "t", nil, "task `families`, such as reverse,copy or 'sort-*'; 'verbatim tasks' lists them (default: those of the suite)")
	f.StringVarP(&s.length, "length", "l", "", "`lengths` of items: 16, or 8,12,16, or 8..256 for doubling (default: those of the suite or family)")
	f.StringVarP(&s.items, "items", "n", "", "number of items per task and length, or a `FILE.jsonl` of your own items (default: that of the suite)")
	f.Uint64Var(&s.seed, "seed", 1, "seed of the items, a `number`")
	f.StringVar(&s.edition, "edition", "standard", "edition of the task descriptions, a `name`: standard, paper or reference")
	f.IntVar(&s.trials, "trials", 1, "trials per item, a `number`")
	f.StringVar(&s.lists, "lists", "", "`DIR` with SortBench's published lists, for --suite sortbench --edition reference (default: none)")
	s.as.register(cmd)

	complete(cmd, "suite", func() (names []string) {
		for _, s := range task.Suites() {
			names = append(names, s.Name+"\t"+s.Doc)
		}
		return names
	})
	completeDrawn(cmd)
}

// completeDrawn completes the flags that say what is drawn, task and edition.
func completeDrawn(cmd *cobra.Command) {
	complete(cmd, "task", func() (names []string) {
		for _, f := range task.Families() {
			names = append(names, f.Name+"\t"+f.Doc)
		}
		return names
	})
	complete(cmd, "edition", func() (names []string) {
		for _, e := range verbatim.Editions() {
			names = append(names, string(e))
		}
		return names
	})
}

// complete offers words for a flag.
func complete(cmd *cobra.Command, flag string, words func() []string) {
	cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	})
}

// A planned is a plan with the items of its file, if it has one.
type planned struct {
	verbatim.Plan
	items []verbatim.Item
}

// deck opens the plan's items in planned order, from the start.
func (p planned) deck() (*task.Deck, error) { return task.Open(p.Plan, p.items) }

// plan resolves the selection.
func (s *selection) plan() (planned, error) {
	if s.trials < 1 {
		return planned{}, misused("ask each item at least once", "--trials %d: there is nothing to ask", s.trials)
	}
	q := task.Request{Suite: s.suite, Tasks: s.tasks, Seed: s.seed, Edition: verbatim.Edition(s.edition), Trials: s.trials}
	var items []verbatim.Item
	var err error
	if s.length != "" {
		if q.Lengths, err = task.ParseLengths(s.length); err != nil {
			return planned{}, fmt.Errorf("--length: %w", err)
		}
	}
	switch n, numeric := strconv.Atoi(s.items); {
	case s.items == "":
	case numeric == nil:
		if most := int(flagRanges["items"].most); n < 1 || n > most {
			return planned{}, misused("ask for at least one", "--items must be a number from 1 to %d, got %d", most, n)
		}
		q.Items = n
	default:
		if q.File, items, err = readItems(s.items); err != nil {
			return planned{}, err
		}
	}
	if s.lists != "" {
		if q.Lists, items, err = task.PublishedLists(s.lists); err != nil {
			return planned{}, err
		}
	}
	if q.Variant, err = s.as.variant(); err != nil {
		return planned{}, err
	}
	plan, err := task.Plan(q)
	p := planned{plan, items}
	if err == nil && plan.Variant != nil {
		_, err = p.deck() // which is refused where there are too few examples
	}
	return p, err
}

// readItems reads a file of items whole: its hash is part of the plan.
func readItems(path string) (*verbatim.ItemFile, []verbatim.Item, error) {
	data, err := readInput(path, mostItems)
	if err != nil {
		hint := "--items takes a number or the path of a file of items"
		if !strings.Contains(path, ".") {
			hint += "; to ask a suite use --suite"
		}
		return nil, nil, misused(hint, "--items: %w", err)
	}
	return task.ReadItems(filepath.Base(path), data, filepath.Dir(path), grade.Check)
}
