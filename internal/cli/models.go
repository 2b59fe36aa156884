package cli

import (
	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
	"verbatim/internal/model"
)

func modelsCommand(env *Env) *cobra.Command {
	var asJSON bool
	var conf configFlags
	cmd := &cobra.Command{
		Use:   "models [PATTERN]",
		Short: "List model names, keys that are set, local servers and prices",
		Long: `List the forms of model names, the API keys that are set, the models that
verbatim.toml names, and the servers on this machine that respond, with the day
on which a model is shut down if its server lists one. No request goes to a
provider.

With a PATTERN, print the matching entries in detail. A provider has its address
and its peculiarities; a model has its price, the source of the price, and its
context. A PATTERN is a part of a name, or a whole name with * and ?.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim models
  verbatim models openai
  verbatim models gpt-5
  verbatim models 'anthropic:*haiku*' --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := model.Options{Getenv: env.Getenv, Log: env.Err}
			if err := conf.apply(env.app(nil), &o); err != nil {
				return err
			}
			found, err := model.Discover(cmd.Context(), o)
			if err != nil {
				return err
			}
			list := newModelList(o, found)
			if len(args) == 1 {
				if list = list.matching(args[0]); list.Empty() {
					return errkind.Usagef("'verbatim models' lists the known ones; a model without a known price can be run too", "no model or provider is known that matches %q", args[0])
				}
			}
			switch {
			case asJSON:
				return writeDocument(env.Out, "models", list)
			case len(args) == 1:
				return list.writeDetails(env.Out, env.Style())
			}
			return list.writeOverview(env.Out, env.Style())
		},
	}
	cmd.ValidArgsFunction = completeWords(modelWords)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	conf.register(cmd, false)
	return cmd
}

// modelWords lists nano and the providers with their descriptions, for completion.
func modelWords() []string {
	words := []string{model.NanoName + "\t" + model.NanoDoc}
	for _, p := range model.Providers() {
		words = append(words, p.Name+"\t"+p.Title)
	}
	return words
}
