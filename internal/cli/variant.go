package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/task"
)

// A variation is what the flags say about how the items are put.
type variation struct {
	shots      int
	paraphrase string
	system     string
	noSystem   bool
	given      func(flag string) bool
}

func (v *variation) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&v.shots, "shots", 0, "number of `examples` with right answers before each question (default 0)")
	f.StringVar(&v.paraphrase, "paraphrase", "", "`name` of another wording of the prompts, such as 1; 'verbatim tasks NAME' lists them (default: the standard wording)")
	f.StringVar(&v.system, "system", "", "system prompt in place of the items' own: a `TEXT`, or @FILE (default: the items' own)")
	f.BoolVar(&v.noSystem, "no-system", false, "prompts without the items' own system prompts")
	v.given = f.Changed
	cmd.RegisterFlagCompletionFunc("paraphrase", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return paraphrases(), cobra.ShellCompDirectiveNoFileComp
	})
}

// paraphrases returns the names of paraphrases for completion, with the beginning
// of how they put the first family.
func paraphrases() []string {
	var names []string
	for i, w := range task.Families()[0].Wordings {
		if i > 0 {
			start, _, _ := strings.Cut(w.Before+"…"+w.After, ". ")
			names = append(names, task.WordingName(i)+"\t"+start)
		}
	}
	return names
}

// set reports whether the items are put in another way at all.
func (v *variation) set() bool {
	return v.shots != 0 || v.given("paraphrase") || v.given("system") || v.noSystem
}

// variant resolves the flags.
func (v *variation) variant() (verbatim.Variant, error) {
	out := verbatim.Variant{Shots: v.shots, Paraphrase: v.paraphrase}
	if v.noSystem {
		if v.given("system") {
			return out, misused("use one of the two", "--system and --no-system cannot go together")
		}
		out.System = task.NoSystem
		return out, nil
	}
	if !v.given("system") {
		return out, nil
	}
	text, err := systemText(v.system)
	if err != nil {
		return out, err
	}
	if text == "" || text == task.NoSystem {
		return out, misused("to leave the items' own system prompts out use --no-system", "--system %s: there is nothing to say", strconv.Quote(v.system))
	}
	out.System = text
	return out, nil
}

// systemText returns what --system says: itself, or the content of the file that it
// names with @, without the line ends at its end.
func systemText(s string) (string, error) {
	path, file := strings.CutPrefix(s, "@")
	if !file {
		return s, nil
	}
	const hint = "--system takes a text, or @ and the path of a file of text"
	data, err := readInput(path, mostText)
	if err != nil {
		return "", misused(hint, "--system: %w", err)
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}
