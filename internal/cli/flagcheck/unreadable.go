package flagcheck

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/errkind"
)

// Unreadable makes a usage error of flags that cannot be read: one that there is not, one
// without a value, or one whose value is of another type.
func Unreadable(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var valueless *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	describes := "'" + cmd.CommandPath() + " --help' describes the flag"
	switch {
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		if must := requiredForm(f.Value.Type()); must != "" {
			return errkind.Usagef(describes, "--%s must be %s, got %q", f.Name, must, invalid.GetValue())
		}
		return errkind.Usagef(describes, "--%s: %w", f.Name, errors.Unwrap(invalid))
	case errors.As(err, &valueless):
		return errkind.Usagef(describes, "--%s needs a value", valueless.GetFlag().Name)
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return errkind.Usagef(hint(cmd, err), "unknown flag: -%s", unknown.GetSpecifiedName())
	}
	return errkind.Usagef(hint(cmd, err), "%w", err)
}

// requiredForm says what the values of a type of flag are; "" for a type whose own errors say it.
func requiredForm(flagType string) string {
	switch flagType {
	case "bool":
		return "true or false"
	case "int", "int64":
		return "a whole number"
	case "float64":
		return "a number"
	case "duration":
		return "a time with its unit, such as 90s, 10m or 1h"
	}
	return ""
}

// elsewhere lists flags of other programs for what is said otherwise here.
var elsewhere = []struct {
	names []string
	with  string // a flag of the commands that this is for
	hint  string
}{
	{[]string{"api-base", "base-url", "endpoint", "host", "server", "url"}, "concurrency", "a server is named by its address: --model http://127.0.0.1:8080/v1"},
	{[]string{"format"}, "json", "this command has one form for people: --json prints everything for programs"},
	{[]string{"api-key", "key", "token"}, "concurrency", "keys are read from the environment: 'verbatim models' says which"},
}

// hint says what to do about flags that cannot be read: one that there is not may be
// a slip of the one that is near, a format, as in --html, or another program's.
func hint(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		name := unknown.GetSpecifiedName()
		if near := flagsNear(cmd, name); len(near) > 0 {
			return "did you mean '--" + strings.Join(near, "' or '--") + "'?"
		}
		if f := cmd.Flags().Lookup("format"); f != nil && slices.Contains(strings.FieldsFunc(f.Usage, notLetter), name) {
			return "did you mean '--format " + name + "'?"
		}
		for _, e := range elsewhere {
			if slices.Contains(e.names, name) && cmd.Flags().Lookup(e.with) != nil {
				return e.hint
			}
		}
	}
	return "'" + cmd.CommandPath() + " --help' lists the flags"
}

// flagsNear lists the flags of a command that a name may be a slip or the beginning of.
// They are looked for as commands are, whose like cobra knows how to find.
func flagsNear(cmd *cobra.Command, name string) []string {
	flags := &cobra.Command{SuggestionsMinimumDistance: min(2, len(name)/2)}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	return flags.SuggestionsFor(name)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }
