package cli

import (
	"fmt"
	"io"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
)

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
