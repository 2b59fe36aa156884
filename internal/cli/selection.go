package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim"
	"verbatim/internal/app"

	"verbatim/internal/task"
	"verbatim/internal/terminal"
)

// A Selection holds the flags that select items and prompts.
type selectionFlags struct{ app.Selection }

// Register adds the flags.
func (s *selectionFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&s.Suite, "suite", "s", "", "`suite` of items, such as quick, sortbench, hard or exact; 'verbatim suites' lists them (default: quick)")
	f.StringSliceVarP(&s.Tasks, "task", "t", nil, "task `families`, such as reverse,copy or 'sort-*', of the suite or of all; 'verbatim tasks' lists them (default: those of the suite)")
	f.StringVarP(&s.Lengths, "length", "l", "", "`lengths` of items: 16, or 8,12,16, or 8..256 for doubling (default: those of the suite or family)")
	f.StringVarP(&s.Items, "items", "n", "", "number of items per task and length, or a `FILE.jsonl` of your own items (default: as in the suite)")
	registerSeed(f, &s.Seed)
	f.StringVar(&s.Edition, "edition", "standard", "edition of the task descriptions, a `name`: standard, paper or reference")
	f.IntVar(&s.Trials, "trials", 1, "trials per item, a `number`")
	f.StringVar(&s.Lists, "lists", "", "`DIR` with SortBench's published lists, for --suite sortbench --edition reference (default: none)")
	registerPromptVariant(cmd, &s.Prompt)

	completeFlag(cmd, "suite", suiteNames)
	completeDrawn(cmd)
}

// suiteNames returns the names and descriptions of the suites, for completion.
func suiteNames() (names []string) {
	for _, s := range task.Suites() {
		names = append(names, s.Name+"\t"+s.Doc)
	}
	return names
}

// taskNames returns the names and descriptions of the task families, for completion.
func taskNames() (names []string) {
	for _, f := range task.Families() {
		names = append(names, f.Name+"\t"+f.Doc)
	}
	return names
}

// editions returns the names of the editions.
func editions() (names []string) {
	for _, e := range verbatim.Editions() {
		names = append(names, string(e))
	}
	return names
}

// completeDrawn completes the flags --task and --edition.
func completeDrawn(cmd *cobra.Command) {
	completeFlag(cmd, "task", taskNames)
	completeFlag(cmd, "edition", editions)
}

// completeFlag completes a flag with words. A tab in a word is followed by its description. The words
// are made when a shell wants them: most commands never do.
func completeFlag(cmd *cobra.Command, flag string, words func() []string) {
	cmd.RegisterFlagCompletionFunc(flag, completeWords(words))
}

// completeWords returns the completion of an argument or a flag with words, which are made when a
// shell wants them.
func completeWords(words func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	}
}

// fixedWords returns the function that returns these words.
func fixedWords(words ...string) func() []string { return func() []string { return words } }

// firstGiven returns the first of these flags that is given; "" if none is.
func firstGiven(cmd *cobra.Command, names ...string) string {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// firstOther returns the first flag, by name, that is given and not among these; "" if there is no such flag.
func firstOther(cmd *cobra.Command, names ...string) (other string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if other == "" && !slices.Contains(names, f.Name) {
			other = f.Name
		}
	})
	return other
}

// registerPromptVariant adds the flags that change the prompts.
func registerPromptVariant(cmd *cobra.Command, v *app.PromptVariant) {
	f := cmd.Flags()
	f.IntVar(&v.Shots, "shots", 0, "number of `examples` with right answers before each question (default 0)")
	f.StringVar(&v.Paraphrase, "paraphrase", "", "`name` of another wording of the prompts, such as 1, or all to spread the items over the wordings; 'verbatim tasks NAME' lists them (default: the standard wording)")
	f.StringVar(&v.System, "system", "", "system prompt in place of the items' own: a `TEXT`, or @FILE (default: the items' own)")
	f.StringVar(&v.As, "as", "", "`form` in which JSON answers are requested: text, tool (the arguments of a tool) or schema (under a JSON Schema; default: text)")
	f.BoolVar(&v.NoSystem, "no-system", false, "prompts without the items' own system prompts")
	completeFlag(cmd, "as", fixedWords("text", string(verbatim.AsTool), string(verbatim.AsSchema)))
	completeFlag(cmd, "paraphrase", paraphrases)
}

// paraphrases returns the names of paraphrases for completion. Each is described by the
// beginning of the prompt of the first family.
func paraphrases() []string {
	var names []string
	for i, w := range task.Families()[0].Wordings {
		if i > 0 {
			texts, _ := w.Split()
			start, _, _ := strings.Cut(strings.Join(texts, "…"), ". ")
			names = append(names, task.WordingName(i)+"\t"+start)
		}
	}
	return append(names, task.AllWordings+"\titems spread over the wordings")
}

// selectionWords returns the flags of cmd that select items, as they were given. With them,
// `run` sends the items that `fake` serves.
func selectionWords(cmd *cobra.Command) string {
	selects := &cobra.Command{}
	new(selectionFlags).register(selects)
	var b strings.Builder
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if selects.Flags().Lookup(f.Name) == nil {
			return
		}
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		fmt.Fprintf(&b, " --%s=%s", f.Name, terminal.ShellWord(value))
	})
	return b.String()
}
