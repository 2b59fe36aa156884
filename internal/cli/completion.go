package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/obedient"
	"verbatim/internal/redact"
	"verbatim/internal/sim"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

// CompleteRuns returns the completion with the names of saved runs, or else with files.
func (env *Env) completeRuns() cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		s, err := store.Open(cmd.Context(), env.databasePath(cmd))
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		defer s.Close()
		list, err := s.Runs(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		names := []string{"last\tthe newest run"}
		for _, r := range list {
			names = append(names, runWord(&r.Run))
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}

// runWord returns the word that completes to a run, and its description. A shell may evaluate
// the word: it is the run's name only if every shell takes that literally, and otherwise its
// number.
func runWord(r *verbatim.Run) string {
	word := r.Name
	if terminal.ShellWord(word) != word || strings.HasPrefix(word, "-") {
		word = strconv.FormatInt(r.N, 10)
	}
	return word + "\t" + terminal.Truncate(terminal.Visible(r.Plan.Suite+" on "+redact.ModelName(r.Model)), 80)
}

// completeModels completes the name of a model.
func completeModels(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{model.NanoName + "\t" + model.NanoDoc}
	for _, p := range model.Providers() {
		names = append(names, p.Name+":")
	}
	for _, k := range append(sim.Kinds(), sim.Kind{Name: obedient.Name, Doc: obedient.Doc}) {
		names = append(names, "sim:"+k.Name+"\t"+k.Doc)
	}
	slices.Sort(names)
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
