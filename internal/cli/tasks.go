package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/pylit"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
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

// showTask prints a family with an example, its first item of seed 1 at its shortest default length. Width
// is that of the terminal in columns; 0: no bound.
func showTask(w io.Writer, f verbatim.Family, width int) error {
	shortest := f.DefaultLengths[0]
	var it *verbatim.Item
	var err error
	for it, err = range task.Draw(task.Request{Tasks: []string{f.Name}, Lengths: []verbatim.Lengths{{Min: shortest, Max: shortest}}, Items: 1, Seed: 1}) {
		if err != nil {
			return err
		}
	}
	bounds := fmt.Sprintf("%d and more %s", f.Min, f.Unit)
	if f.Max > 0 {
		bounds = fmt.Sprintf("%d to %d %s", f.Min, f.Max, f.Unit)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (version %d): %s\n", f.Name, f.Version, f.Doc)
	if f.Task != "" {
		fmt.Fprintf(&b, "In SortBench's files it is called %s (%s).\n", f.Task, f.Mode)
	}
	if f.About != "" {
		fmt.Fprintln(&b, f.About)
	}
	fmt.Fprintf(&b, "Lengths: %s; by default %s.\n\n%s\n", bounds, ladder(f), it.ID)
	for _, m := range it.Prompt {
		for _, p := range m.Content {
			text := p.Text
			if p.Image != nil {
				text = "(image)"
			}
			fmt.Fprintf(&b, "  %-7s %s\n", m.Role+":", strings.ReplaceAll(text, "\n", "\n          "))
		}
	}
	fmt.Fprintf(&b, "  %-7s %s\n", "want:", strings.ReplaceAll(pylit.Answer(it.Want), "\n", "\n          "))
	showWordings(&b, f)
	_, err = io.WriteString(w, terminal.WrapLines(b.String(), width))
	return err
}

// showWordings prints the paraphrases, with {name} where an input of the item is inserted.
func showWordings(w io.Writer, f verbatim.Family) {
	fmt.Fprintf(w, "\nIn other words, with --paraphrase:\n")
	for i, wording := range f.Wordings {
		if i == 0 {
			continue // the example has it
		}
		fmt.Fprintf(w, "\n%s\n", task.WordingName(i))
		if wording.System != "" {
			fmt.Fprintf(w, "  %-7s %s\n", "system:", wording.System)
		}
		fmt.Fprintf(w, "  %-7s %s\n", "user:", strings.ReplaceAll(wording.Text, "\n", "\n          "))
	}
}
