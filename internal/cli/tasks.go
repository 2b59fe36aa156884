package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/table"
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
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, f := range task.Families() {
				names = append(names, f.Name+"\t"+f.Doc)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
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
				return writeJSON(env.Out, "tasks", struct {
					Tasks []familyJSON `json:"tasks"`
				}{familiesJSON(families)})
			}
			if len(args) == 1 {
				return showFamily(env, families[0])
			}
			t := table.ListOf("name", "lengths", "what is asked")
			for _, f := range families {
				t.Add(f.Name, ladder(f), f.Doc)
			}
			return env.writeTable(env.Out, t)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	cmd.Flags().BoolVar(&license, "license", false, "the licence of the word list (WordNet) instead of the tasks")
	return cmd
}

type familyJSON struct {
	Name           string `json:"name"`
	Version        int    `json:"version"`
	Doc            string `json:"doc"`
	About          string `json:"about,omitempty"`
	Unit           string `json:"unit"`
	Min            int    `json:"min"`
	Max            *int   `json:"max"` // null: no bound
	DefaultLengths []int  `json:"ladder"`
	Task           string `json:"task,omitempty"`
	Mode           string `json:"mode,omitempty"`
	// Wordings holds the official one, whose name is empty, and the paraphrases.
	Wordings []wordingJSON `json:"wordings"`
}

type wordingJSON struct {
	Name   string `json:"name"`
	System string `json:"system,omitempty"`
	Before string `json:"before"`
	After  string `json:"after"`
}

func familiesJSON(families []verbatim.Family) []familyJSON {
	out := make([]familyJSON, len(families))
	for i, f := range families {
		out[i] = familyJSON{f.Name, f.Version, f.Doc, f.About, f.Unit, f.Min, nil, f.DefaultLengths, f.Task, f.Mode, nil}
		for n, w := range f.Wordings {
			out[i].Wordings = append(out[i].Wordings, wordingJSON{task.WordingName(n), w.System, w.Before, w.After})
		}
		if f.Max > 0 {
			out[i].Max = &f.Max
		}
	}
	return out
}

// ladder lists the default lengths, as 2..256 where each is twice the one before.
func ladder(f verbatim.Family) string {
	lengths := f.DefaultLengths
	doubling := len(lengths) > 2
	for i := 1; i < len(lengths); i++ {
		doubling = doubling && lengths[i] == 2*lengths[i-1]
	}
	if doubling {
		return fmt.Sprintf("%d..%d %s", lengths[0], lengths[len(lengths)-1], f.Unit)
	}
	points := make([]string, len(lengths))
	for i, n := range lengths {
		points[i] = fmt.Sprint(n)
	}
	return strings.Join(points, ",") + " " + f.Unit
}

// showFamily prints what a family asks, with its first item at a short length.
func showFamily(env *Env, f verbatim.Family) error {
	plan, err := task.Plan(task.Request{Tasks: []string{f.Name}, Lengths: []verbatim.Lengths{{Min: f.DefaultLengths[0], Max: f.DefaultLengths[0]}}, Items: 1, Seed: 1})
	if err != nil {
		return err
	}
	deck, err := task.Open(plan, nil)
	if err != nil {
		return err
	}
	place, _ := deck.Next()
	it, err := deck.Item(place)
	if err != nil {
		return err
	}
	bounds := fmt.Sprintf("%d and more %s", f.Min, f.Unit)
	if f.Max > 0 {
		bounds = fmt.Sprintf("%d to %d %s", f.Min, f.Max, f.Unit)
	}
	fmt.Fprintf(env.Out, "%s (version %d): %s\n", f.Name, f.Version, f.Doc)
	if f.Task != "" {
		fmt.Fprintf(env.Out, "In SortBench's files it is called %s (%s).\n", f.Task, f.Mode)
	}
	if f.About != "" {
		fmt.Fprintln(env.Out, wrapAfter("", f.About, env.style().Width))
	}
	fmt.Fprintf(env.Out, "Lengths: %s; by default %s.\n\n%s\n", bounds, ladder(f), it.ID)
	for _, m := range it.Prompt {
		for _, p := range m.Content {
			text := p.Text
			if p.Image != nil {
				text = "(image)"
			}
			fmt.Fprintf(env.Out, "  %-7s %s\n", m.Role+":", strings.ReplaceAll(text, "\n", "\n          "))
		}
	}
	fmt.Fprintf(env.Out, "  %-7s %s\n", "want:", strings.ReplaceAll(wantText(it.Want), "\n", "\n          "))
	showWordings(env, f)
	return nil
}

// showWordings prints the paraphrases, with … where the item's text is inserted.
func showWordings(env *Env, f verbatim.Family) {
	fmt.Fprintf(env.Out, "\nIn other words, with --paraphrase:\n")
	for i, w := range f.Wordings {
		if i == 0 {
			continue // it is the example's
		}
		fmt.Fprintf(env.Out, "\n%s\n", task.WordingName(i))
		if w.System != "" {
			fmt.Fprintf(env.Out, "  %-7s %s\n", "system:", w.System)
		}
		fmt.Fprintf(env.Out, "  %-7s %s\n", "user:", strings.ReplaceAll(w.Before+"…"+w.After, "\n", "\n          "))
	}
}

func suitesCommand(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "suites",
		Short: "List the suites",
		Long: `List the suites that 'verbatim run --suite' accepts, with their numbers of
items.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim suites
  verbatim suites --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			type suiteJSON struct {
				Name  string `json:"name"`
				Doc   string `json:"doc"`
				Count int64  `json:"count"`
			}
			var list []suiteJSON
			for _, s := range task.Suites() {
				plan, err := task.Plan(task.Request{Suite: s.Name, Seed: 1})
				if err != nil {
					return err
				}
				list = append(list, suiteJSON{s.Name, s.Doc, plan.Count})
			}
			if asJSON {
				return writeJSON(env.Out, "suites", struct {
					Suites []suiteJSON `json:"suites"`
				}{list})
			}
			t := table.ListOf("name", "items", "what it asks")
			t.Columns[1].Right = true
			for _, s := range list {
				t.Add(s.Name, fmt.Sprint(s.Count), s.Doc)
			}
			return env.writeTable(env.Out, t)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	return cmd
}
