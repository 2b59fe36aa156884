package cli

import (
	"github.com/spf13/cobra"
)

func exportCommand(env *Env) *cobra.Command {
	var format, out string
	cmd := &cobra.Command{
		Use:   "export RUN...",
		Short: "Write runs as JSON lines without loss, or as CSV",
		Long: `Write runs with all that is kept of them: plan, items, prompts, replies, every
attempt, grades of all versions. 'verbatim import' reads the file, 'verbatim
report FILE' shows it; exporting what was imported gives the same bytes.

With --format csv one row for every record, with the columns of SortBench's
published results first. docs/format.md describes both.`,
		Example: `  verbatim export last -o run.jsonl
  verbatim export 1 2 3 --format csv -o runs.csv`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeRuns(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			lib := env.library(cmd)
			defer lib.Close()
			runs, err := lib.findAll(cmd.Context(), args)
			if err != nil {
				return err
			}
			w, err := env.output(out)
			if err != nil {
				return err
			}
			defer w.Discard()
			switch format {
			case "jsonl":
				err = exportLines(cmd, w, runs)
			case "csv":
				err = exportCSV(cmd, w, runs)
			default:
				err = misused("the formats are jsonl and csv", "there is no format %q", format)
			}
			if err != nil {
				return err
			}
			return w.Keep()
		},
	}
	cmd.Flags().StringVar(&format, "format", "jsonl", "jsonl or csv")
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to this `file` instead of the standard output")
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"jsonl", "csv"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// exportLines writes the runs of one database as one file of JSON lines.
func exportLines(cmd *cobra.Command, w *outFile, runs []keptRun) error {
	var ns []int64
	for _, r := range runs {
		if r.store != runs[0].store {
			return misused("export them one by one", "runs of different files cannot be exported together")
		}
		ns = append(ns, r.N)
	}
	return runs[0].store.Export(cmd.Context(), w, ns...)
}
