package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// formatFlag registers --format.
func formatFlag(cmd *cobra.Command, format *string, formats []table.Format) {
	names := formatNames(formats)
	cmd.Flags().StringVar(format, "format", names[0], "`format` of the output: "+strings.Join(names, ", "))
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// untestedFormats lists the formats of documents that hold no tests.
func untestedFormats() []table.Format {
	return slices.DeleteFunc(table.Formats(), func(f table.Format) bool { return f.Tests })
}

// findFormat finds a format by its name.
func findFormat(formats []table.Format, name string) (table.Format, error) {
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
	}
	return table.Format{}, unknownFormat(name, formatNames(formats))
}

func unknownFormat(name string, names []string) error {
	return errkind.Usagef("the formats are "+strings.Join(names, ", "), "there is no format %q", name)
}

func formatNames(formats []table.Format) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return names
}

// print writes a document to the standard output.
func (env *Env) print(d *table.Document, format table.Format) error {
	return env.writeResult("", contentOf(format.Name), func(w *outFile, s terminal.Style) error { return format.Write(w, d, s) })
}

// printText writes a document to the standard output in the default format.
func (env *Env) printText(d *table.Document) error { return env.print(d, table.Formats()[0]) }
