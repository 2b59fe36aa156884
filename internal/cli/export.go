package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
)

func exportCommand(env *Env) *cobra.Command {
	var format, out string
	var raw bool
	var names, list []string
	for _, f := range exportFormats() {
		names = append(names, f.Name)
		list = append(list, "  "+f.Name+strings.Repeat(" ", 11-len(f.Name))+f.Doc)
	}
	cmd := &cobra.Command{
		Use:   "export RUN...",
		Short: "Write runs as JSON lines, as CSV, or for other tools",
		Long: `Write runs with everything that is saved of them: plan, items, prompts, replies,
all attempts and grades. 'verbatim import' reads the file, and 'verbatim report
FILE' prints its tables. Exporting an imported run gives the same bytes.

The formats are
` + strings.Join(list, "\n") + `

docs/format.md describes the first two. docs/exchange.md lists what the formats
of other tools keep and lose.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim export last -o run.jsonl
  verbatim export 1 2 3 --format csv -o runs.csv
  verbatim export last --format inspect -o run.eval
  verbatim export 1 2 --format lm-eval -o results/`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: env.completeRuns(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkRaw(raw, format); err != nil {
				return err
			}
			chosen := slices.Index(names, format)
			if chosen < 0 {
				return errkind.Usagef("the formats are "+strings.Join(names, ", "), "there is no format %q", format)
			}
			lib := env.app(cmd).Library()
			defer lib.Close()
			runs, err := lib.FindAll(cmd.Context(), args)
			if err != nil {
				return err
			}
			return exportFormats()[chosen].Write(&exporting{Context: cmd.Context(), Runs: runs, Out: out, Raw: raw, Open: env.Output,
				Note: func(line string) { env.Note("%s", line) }, AtExit: env.Unfinished.Add})
		},
	}
	cmd.Flags().StringVar(&format, "format", names[0], "`format` of the output: "+strings.Join(names, ", "))
	cmd.Flags().StringVarP(&out, "output", "o", "", "output `file` or folder (default: the standard output)")
	cmd.Flags().BoolVar(&raw, "raw", false, "CSV cells unchanged, even if a spreadsheet may read them as formulas")
	completeFlag(cmd, "format", fixedWords(names...))
	return cmd
}
