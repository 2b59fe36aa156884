package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/errkind"
	"verbatim/internal/table"
)

// A Format holds the flags --format and --json of a command that prints a document.
type formatFlags struct {
	formats []table.Format
	flag    *pflag.Flag // --format
	name    string
	asJSON  bool
}

// Register adds the flags. The first of the formats is the default.
func (f *formatFlags) register(cmd *cobra.Command, formats []table.Format) {
	f.formats = formats
	names := formatNames(formats)
	cmd.Flags().StringVar(&f.name, "format", names[0], "`format` of the output: "+strings.Join(names, ", "))
	f.flag = cmd.Flags().Lookup("format")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "same as --format json")
	completeFlag(cmd, "format", fixedWords(names...))
}

// Name returns the name that the flags give, which may be the name of no format. It is a usage error
// if they name two.
func (f *formatFlags) Name() (string, error) {
	if !f.asJSON {
		return f.name, nil
	}
	if f.flag.Changed && f.name != "json" {
		return "", errkind.Usagef("leave out one of them", "--json does not go with --format %s", f.name)
	}
	return "json", nil
}

// Given reports whether a flag names the format.
func (f *formatFlags) Given() bool { return f.asJSON || f.flag.Changed }

// Chosen returns the format that the flags name; see Name.
func (f *formatFlags) chosen() (table.Format, error) {
	name, err := f.Name()
	if err != nil {
		return table.Format{}, err
	}
	return findFormat(f.formats, name)
}

// formats lists the formats of documents that hold tests or not, and that fill pages or not.
func formats(tests, pages bool) []table.Format {
	return slices.DeleteFunc(table.Formats(), func(f table.Format) bool { return f.Tests && !tests || f.Page && !pages })
}

// findFormat returns the format of this name; without one, a usage error.
func findFormat(formats []table.Format, name string) (table.Format, error) {
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
	}
	return table.Format{}, unknownFormat(name, formatNames(formats))
}

// unknownFormat returns the usage error of a format whose name is not among the names.
func unknownFormat(name string, names []string) error {
	if i := slices.IndexFunc(table.Formats(), func(f table.Format) bool { return f.Name == name }); i >= 0 {
		others := "report and compare"
		if table.Formats()[i].Tests {
			others = "report and check"
		}
		return errkind.Usagef("the formats are "+strings.Join(names, ", "), "this command has no format %s: %s have it", name, others)
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

// checkRaw refuses --raw with formats that it does not change.
func checkRaw(raw bool, format string) error {
	if raw && format != "csv" {
		return errkind.Usagef("add --format csv, or leave it out", "--raw does not go with --format %s", format)
	}
	return nil
}
