package cli

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// elsewhere lists flags of other programs for what is said otherwise here.
var elsewhere = []struct {
	names []string
	with  string // a flag of the commands that this is for
	hint  string
}{
	{[]string{"api-base", "base-url", "endpoint", "host", "server", "url"}, "concurrency", "a server is named by its address: --model http://127.0.0.1:8080/v1"},
	{[]string{"api-key", "key", "token"}, "concurrency", "keys are read from the environment: 'verbatim models' says which"},
}

// flagHint says what to do about flags that cannot be read: one that there is not may be
// a slip of the one that is near, a format, as in --html, or another program's.
func flagHint(cmd *cobra.Command, err error) string {
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
