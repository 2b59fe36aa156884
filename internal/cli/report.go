package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/report"
)

func reportCommand(env *Env) *cobra.Command {
	var format, out, on, preset, figures string
	var asJSON, everyLength bool
	cmd := &cobra.Command{
		Use:   "report [RUN...]",
		Short: "Print the tables of kept runs, without asking",
		Long: `Print the tables of one or several runs. RUN is a number that 'verbatim runs'
prints, a run's name or its beginning, a model's name (its newest run), "last", or
a file that 'verbatim export' wrote. Without one it is the last run.

Rates are over answered requests, with the 95 % Wilson interval, and beside them
the share of all planned ones. docs/guide.md says how to read the table.`,
		Example: `  verbatim report last
  verbatim report 1 2 --on payload
  verbatim report last --format md -o table.md
  verbatim report last --json | jq '.runs[0].total.exact'`,
		ValidArgsFunction: completeRuns(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				format = "json"
			}
			if preset != "" {
				o := presetOptions{Name: preset, Out: out, Figures: figures}
				if asJSON || cmd.Flags().Changed("format") {
					o.Format = format
				}
				return presetReport(cmd, env, args, o)
			}
			return printReport(cmd, env, args, format, out, on, everyLength)
		},
	}
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	f := cmd.Flags()
	f.StringVar(&format, "format", names[0], strings.Join(names, ", "))
	f.StringVarP(&out, "output", "o", "", "write to this `file` instead of the standard output")
	f.StringVar(&on, "on", "", "which `score` the score column shows: exact, payload, similarity or sortbench (default: the suite's own)")
	f.StringVar(&preset, "preset", "", "make the tables and figures of a published `study`: sortbench or simpe (docs/papers.md)")
	f.StringVar(&figures, "figures", "", "with --preset, write the figures alone, to this `folder`")
	f.BoolVar(&everyLength, "every-length", false, "give every length a row of its own, also where each was asked once")
	f.BoolVar(&asJSON, "json", false, "the same as --format json")
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func printReport(cmd *cobra.Command, env *Env, args []string, format, out, on string, everyLength bool) error {
	layout, err := findFormat(report.Formats(), format)
	if err != nil {
		return err
	}
	column, err := report.ParseOn(on)
	if err != nil {
		return misused("", "--on: %w", err)
	}
	lib := env.library(cmd)
	defer lib.Close()
	if len(args) == 0 {
		args = []string{"last"}
	}
	runs, err := lib.findAll(cmd.Context(), args)
	if err != nil {
		return err
	}
	in, err := inputs(cmd.Context(), column, runs)
	if err != nil {
		return err
	}
	r, err := report.Of(report.Options{On: column}, in...)
	if err != nil {
		return err
	}
	return env.lay(out, func(w *outFile, s report.Style) error {
		s.EveryLength = everyLength
		return layout.Write(w, r, s)
	})
}

func findFormat[T any](formats []report.Format[T], name string) (report.Format[T], error) {
	var names []string
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return report.Format[T]{}, misused("the formats are "+strings.Join(names, ", "), "there is no format %q", name)
}

// style returns how the standard output may look.
func (env *Env) style() report.Style {
	return report.Style{
		Width: env.OutWidth, Color: env.OutWidth > 0 && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb",
		Database: env.namedDatabase(),
	}
}
