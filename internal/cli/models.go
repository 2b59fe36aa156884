package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/model"
	"verbatim/internal/report"
)

func modelsCommand(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "models",
		Short: "Show how models are named, which keys are set and which local servers answer",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, err := model.Discover(cmd.Context(), model.Options{Getenv: env.Getenv, Talk: env.Err})
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(env.Out, "models", modelsJSON(env, found))
			}
			return writeModels(env, found)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

type foundJSON struct {
	Server  string   `json:"server,omitempty"`
	BaseURL string   `json:"base_url"`
	Models  []string `json:"models"`
	Model   string   `json:"model,omitempty"` // the one that is taken; absent where it has to be named
}

type providerJSON struct {
	Name    string `json:"name"`
	BaseURL string `json:"base_url"`
	KeyEnv  string `json:"key_env,omitempty"`
	KeySet  bool   `json:"key_set"`
	Local   bool   `json:"local"`
}

type modelsDocument struct {
	Found     []foundJSON    `json:"found"`
	Providers []providerJSON `json:"providers"`
	Simulated []string       `json:"simulated"`
}

func modelsJSON(env *Env, found []model.Found) modelsDocument {
	doc := modelsDocument{Found: []foundJSON{}}
	for _, f := range found {
		doc.Found = append(doc.Found, foundJSON{f.Server, f.BaseURL, f.Models, f.Model})
	}
	for _, p := range model.Providers() {
		doc.Providers = append(doc.Providers, providerJSON{p.Name, p.BaseURL, strings.Join(p.KeyEnv, " "), p.KeySet(env.Getenv) != "", p.Local})
	}
	for _, k := range model.SimKinds() {
		doc.Simulated = append(doc.Simulated, "sim:"+k.Name)
	}
	return doc
}

func writeModels(env *Env, found []model.Found) error {
	fmt.Fprintln(env.Out, "Local servers that answer:")
	if len(found) == 0 {
		fmt.Fprintln(env.Out, "  none (llama.cpp, vLLM, LM Studio and Ollama were looked for at their usual ports; VERBATIM_DISCOVER=host:port looks elsewhere)")
	}
	for i, f := range found {
		taken := ""
		if i == 0 && f.Model != "" {
			taken = "   (what 'verbatim run' asks)"
		}
		fmt.Fprintf(env.Out, "  %s: %s%s\n", f.BaseURL, report.Visible(strings.Join(f.Models, ", ")), taken)
	}
	fmt.Fprint(env.Out, "\nNames:\n")
	rows := [][]string{{"  name", "what it is", "key"}}
	for _, p := range model.Providers() {
		key := "none needed"
		if set := p.KeySet(env.Getenv); set != "" {
			key = set + " is set"
		} else if !p.Local {
			key = p.KeyEnv[0] + " is not set"
		}
		rows = append(rows, []string{"  " + p.Name + ":MODEL", p.BaseURL, key})
	}
	rows = append(rows,
		[]string{"  http://host:port/v1#MODEL", "any OpenAI-compatible server", "VERBATIM_API_KEY, if the server wants one"},
		[]string{"  exec:COMMAND", "a program: JSON lines in and out", ""})
	if err := writeTable(env.Out, rows); err != nil {
		return err
	}
	fmt.Fprint(env.Out, "\nSimulated, made from the right answers (no model is asked):\n")
	rows = [][]string{{"  name", "what it does"}}
	for _, k := range model.SimKinds() {
		rows = append(rows, []string{"  sim:" + k.Name, k.Doc})
	}
	if err := writeTable(env.Out, rows); err != nil {
		return err
	}
	fmt.Fprint(env.Out, "\nKnobs, as in sim:sloppy?half=32&latency=50ms:\n")
	rows = [][]string{{"  knob", "what it sets"}}
	for _, k := range model.SimKnobs() {
		rows = append(rows, []string{"  " + k.Name, k.Doc})
	}
	return writeTable(env.Out, rows)
}
