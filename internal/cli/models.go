package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"verbatim/internal/model"
)

func modelsCommand(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "models",
		Short: "Show how models are named and which local servers answer",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, err := model.Discover(cmd.Context(), env.modelOptions())
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(env.Out, "models", struct {
					Found []model.Found `json:"found"`
				}{found})
			}
			fmt.Fprintln(env.Out, "Local servers:")
			if len(found) == 0 {
				fmt.Fprintln(env.Out, "  none answered (looked for llama.cpp, vLLM, LM Studio and Ollama on this machine)")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
