package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/pylit"
	"verbatim/internal/table"
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
	cmd.Flags().BoolVar(&license, "license", false, "the licences of the words (WordNet) and names (CLDR) instead of the tasks")
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

// A Suite is the JSON form of a suite.
type suiteEntry struct {
	Name  string      `json:"name"`
	Doc   string      `json:"doc"`
	Count int64       `json:"count"`           // of items, with the default flags
	Tasks []suiteTask `json:"tasks,omitempty"` // of one suite that was named
}

// A suiteTask is the part of a suite that is of one task.
type suiteTask struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc"`
	Lengths []string `json:"lengths"` // such as "8", or "2..30" if each item draws its own
	Count   int64    `json:"count"`
}

// suiteEntries returns all suites with their numbers of items, or those named with their tasks. The
// error of a wrong name names the nearest suite.
func suiteEntries(names ...string) (list []suiteEntry, err error) {
	named, docs := len(names) > 0, map[string]string{}
	for _, s := range task.Suites() {
		docs[s.Name] = s.Doc
		if !named {
			names = append(names, s.Name)
		}
	}
	for _, name := range names {
		plan, err := task.Plan(task.Request{Suite: name, Seed: 1})
		if err != nil {
			return nil, err
		}
		s := suiteEntry{Name: name, Doc: docs[name], Count: plan.Count}
		if named {
			s.Tasks = suiteTasks(plan)
		}
		list = append(list, s)
	}
	return list, nil
}

// suiteTasks adds up the cells of a plan by task.
func suiteTasks(plan verbatim.Plan) (tasks []suiteTask) {
	for _, f := range task.Families() {
		t := suiteTask{Name: f.Name, Doc: f.Doc}
		for _, c := range plan.Cells {
			if c.Family == f.Name {
				t.Lengths, t.Count = append(t.Lengths, c.Length.String()), t.Count+int64(c.N)
			}
		}
		if t.Count > 0 {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// suiteTable lists suites, a line each.
func suiteTable(list []suiteEntry) *table.Table {
	t := table.ListOf("name", "items", "what it tests")
	t.Columns[1].Right = true
	for _, s := range list {
		t.Add(s.Name, fmt.Sprint(s.Count), s.Doc)
	}
	return t
}

// TaskTable lists the tasks of a suite, a line each.
func (s *suiteEntry) taskTable() *table.Table {
	t := table.ListOf("task", "items", "lengths", "what is asked")
	t.Columns[1].Right = true
	for _, part := range s.Tasks {
		t.Add(part.Name, fmt.Sprint(part.Count), strings.Join(part.Lengths, ","), part.Doc)
	}
	return t
}

// A Family is the JSON form of a task family.
type taskEntry struct {
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
	// Wordings are the official wording, whose name is empty, and the paraphrases.
	Wordings []taskWording `json:"wordings"`
}

// A Wording is a wording of the prompt of a family.
type taskWording struct {
	Name   string `json:"name"`
	System string `json:"system,omitempty"`
	Text   string `json:"text"` // with the inputs of an item as {name}
}

// taskEntries returns the JSON form of task families.
func taskEntries(families []verbatim.Family) []taskEntry {
	out := make([]taskEntry, len(families))
	for i, f := range families {
		out[i] = taskEntry{f.Name, f.Version, f.Doc, f.About, f.Unit, f.Min, nil, f.DefaultLengths, f.Task, f.Mode, nil}
		for n, w := range f.Wordings {
			out[i].Wordings = append(out[i].Wordings, taskWording{task.WordingName(n), w.System, w.Text})
		}
		if f.Max > 0 {
			out[i].Max = &f.Max
		}
	}
	return out
}

// taskTable lists task families, a line each.
func taskTable(families []verbatim.Family) *table.Table {
	t := table.ListOf("name", "lengths", "what is asked")
	for _, f := range families {
		t.Add(f.Name, ladder(f), f.Doc)
	}
	return t
}

// ladder lists the default lengths of a family with their unit, as "2..256 items" if each is twice the
// one before.
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
