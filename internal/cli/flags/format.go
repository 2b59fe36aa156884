package flags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
	"verbatim/internal/table"
)

// Format registers --format.
func Format(cmd *cobra.Command, format *string, formats []table.Format) {
	names := formatNames(formats)
	cmd.Flags().StringVar(format, "format", names[0], "`format` of the output: "+strings.Join(names, ", "))
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// UntestedFormats lists the formats of documents that hold no tests.
func UntestedFormats() []table.Format {
	return slices.DeleteFunc(table.Formats(), func(f table.Format) bool { return f.Tests })
}

// FindFormat finds a format by its name.
func FindFormat(formats []table.Format, name string) (table.Format, error) {
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
	}
	return table.Format{}, UnknownFormat(name, formatNames(formats))
}

// UnknownFormat is the error of a format that is not one of these.
func UnknownFormat(name string, names []string) error {
	if slices.ContainsFunc(table.Formats(), func(f table.Format) bool { return f.Name == name }) {
		return errkind.Usagef("the formats are "+strings.Join(names, ", "), "this command has no format %s: report and check have it", name)
	}
	return errkind.Usagef("the formats are "+strings.Join(names, ", "), "there is no format %q", name)
}

func formatNames(formats []table.Format) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return names
}
