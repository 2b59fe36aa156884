package cli

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/errkind"
)

// unreadable makes a usage error of a flag that cannot be read: it is unknown, lacks its value, or
// has a value of another type.
func unreadable(cmd *cobra.Command, err error) error {
	describes := "'" + cmd.CommandPath() + " --help' describes the flag"
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := invalid.GetFlag()
		if must := requiredForm(f.Value.Type()); must != "" {
			return errkind.Usagef(describes, "--%s must be %s, got %q", f.Name, must, invalid.GetValue())
		}
		return errkind.Usagef(describes, "--%s: %w", f.Name, errors.Unwrap(invalid))
	}
	if valueless, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return errkind.Usagef(describes, "--%s needs a value", valueless.GetFlag().Name)
	}
	lists := "'" + cmd.CommandPath() + " --help' lists the flags"
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	switch {
	case !ok:
		return errkind.Usagef(lists, "%w", err)
	case unknown.GetSpecifiedShortnames() != "":
		return errkind.Usagef(lists, "unknown flag: -%s", unknown.GetSpecifiedName())
	}
	return errkind.Usagef(cmp.Or(unknownHint(cmd, unknown.GetSpecifiedName()), lists), "%w", err)
}

// requiredForm describes the values of a type of flag; "" for a type whose errors describe them.
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

// otherFlags are flags that other programs have, with what to write here.
var otherFlags = []struct {
	names []string
	with  string // the hint is for commands with this flag
	hint  string
}{
	{[]string{"api-base", "base-url", "endpoint", "host", "server", "url"}, "concurrency", "a server is named by its address: --model http://127.0.0.1:8080/v1"},
	{[]string{"format"}, "json", "this command has one form for people: --json prints everything for programs"},
	{[]string{"api-key", "key", "token"}, "concurrency", "keys are read from the environment: 'verbatim models' says which"},
}

// unknownHint says what to write instead of an unknown flag: the flag that it may be a slip of, a
// format, as for --html, or what stands for another program's flag. It returns "" if it knows nothing.
func unknownHint(cmd *cobra.Command, name string) string {
	if near := flagsNear(cmd, name); len(near) > 0 {
		return "did you mean '--" + strings.Join(near, "' or '--") + "'?"
	}
	if f := cmd.Flags().Lookup("format"); f != nil && slices.Contains(strings.FieldsFunc(f.Usage, notLetter), name) {
		return "did you mean '--format " + name + "'?"
	}
	for _, other := range otherFlags {
		if slices.Contains(other.names, name) && cmd.Flags().Lookup(other.with) != nil {
			return other.hint
		}
	}
	return ""
}

// flagsNear lists the flags of a command that a name may be a slip or the beginning of. It lets
// cobra look for them as for commands.
func flagsNear(cmd *cobra.Command, name string) []string {
	flags := &cobra.Command{SuggestionsMinimumDistance: min(2, len(name)/2)}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	return flags.SuggestionsFor(name)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }
