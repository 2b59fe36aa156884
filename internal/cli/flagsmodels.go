package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"verbatim/internal/model"
	"verbatim/internal/obedient"

	"verbatim/internal/sim"
)

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
