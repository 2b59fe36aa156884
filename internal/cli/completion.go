package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/shell"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

// completeRuns offers the names of saved runs.
func completeRuns(env *Env) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
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
			names = append(names, completion(&r.Run))
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}

// completion offers a run to a shell, which may evaluate what it is offered: by its name
// only where every shell reads that as it is, and by its number otherwise.
func completion(r *verbatim.Run) string {
	word := r.Name
	if shell.Word(word) != word || strings.HasPrefix(word, "-") {
		word = strconv.FormatInt(r.N, 10)
	}
	return word + "\t" + terminal.Truncate(terminal.Visible(r.Plan.Suite+" on "+model.ShowName(r.Model)), 80)
}
