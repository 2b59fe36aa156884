package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
)

// registerArguments makes unknown subcommands and surplus arguments usage errors, with the
// nearest name if there is one. The output of root must be set: the commands that cobra adds
// for completion keep it.
func registerArguments(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	checkArguments(root)
}

func checkArguments(c *cobra.Command) {
	for _, sub := range c.Commands() {
		checkArguments(sub)
	}
	args := c.Args
	switch {
	case c.Name() == "help":
		c.Args = helpTopic
	case !c.HasParent():
		c.Args = subcommand
	case c.HasSubCommands() && !c.Runnable(): // cobra prints the help whatever the word
		c.RunE = func(cmd *cobra.Command, args []string) error { return cmd.Help() }
		c.Args = subcommand
	case c.Parent().Name() == "completion":
		c.Args = noArguments
	case args != nil:
		c.Args = func(cmd *cobra.Command, given []string) error { return usageError(cmd, given, args(cmd, given)) }
	}
}

// usageError makes a usage error of cobra's error about the number of arguments.
func usageError(cmd *cobra.Command, given []string, err error) error {
	if _, own := errors.AsType[*errkind.Error](err); own || err == nil {
		return err
	}
	if len(given) == 0 {
		return errkind.Usagef("usage: "+cmd.UseLine(), "%q needs an argument", cmd.CommandPath())
	}
	return errkind.Usagef("usage: "+cmd.UseLine(), "%q takes one argument, got %d", cmd.CommandPath(), len(given))
}

// helpTopic refuses a word that is no command, as the Args of the command help.
func helpTopic(cmd *cobra.Command, args []string) error {
	if c, rest, err := cmd.Root().Find(args); err == nil && c.HasSubCommands() {
		return subcommand(c, rest)
	}
	return nil
}

// subcommand refuses a word that is no command below cmd, as the Args of a command that only
// holds others.
func subcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	path := strings.TrimPrefix(cmd.CommandPath()+" "+args[0], cmd.Root().Name()+" ")
	return errkind.Usagef(commandHint(cmd, args[0]), "there is no command %q", path)
}

// noArguments refuses arguments, as the Args of a command that takes flags alone. The hint
// names the flag that takes the word, if the command has one.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "usage: " + cmd.UseLine()
	if flag := flagOf(cmd, args[0]); flag != "" {
		hint = "did you mean '" + cmd.CommandPath() + " --" + flag + " " + args[0] + "'?"
	}
	return errkind.Usagef(hint, "%q takes no arguments, and %q is one", cmd.CommandPath(), args[0])
}

// flagOf returns the name of the flag of cmd that takes the word, or "": --task for a task
// family, --suite, --baseline for the number of a run or "last", or --model for what has the
// form of a model's name.
func flagOf(cmd *cobra.Command, word string) string {
	has := func(flag string) bool { return cmd.Flags().Lookup(flag) != nil }
	for _, flag := range []string{"task", "suite"} {
		if complete, ok := cmd.GetFlagCompletionFunc(flag); ok {
			words, _ := complete(cmd, nil, word)
			if slices.ContainsFunc(words, func(w string) bool { return w == word || strings.HasPrefix(w, word+"\t") }) {
				return flag
			}
		}
	}
	switch {
	case has("baseline") && (strings.Trim(word, "0123456789") == "" || word == "last"):
		return "baseline"
	case has("model") && (strings.Contains(word, ":") || word == "nano"):
		return "model"
	}
	return ""
}

// otherWords are words that people type for commands with other names.
var otherWords = []struct{ words, hint string }{
	{"list ls history", "'verbatim runs' lists the saved runs, 'verbatim models' the models, 'verbatim tasks' and 'verbatim suites' what can be run"},
	{"man docs doc info usage", "'verbatim --help' lists the commands; 'verbatim COMMAND --help' describes one"},
	{"test eval evaluate bench benchmark start ask", "did you mean 'run'?"},
	{"results result summary table html page", "did you mean 'report'?"},
	{"diff vs", "did you mean 'compare'?"},
	{"view cat failures errors", "did you mean 'show'?"},
	{"serve server mock proxy", "did you mean 'fake'?"},
	{"cost price prices estimate", "did you mean 'plan' or 'models'?"},
}

// commandHint says what to type instead of an unknown command below c: the command that the
// word usually stands for, or those that it may be a slip of.
func commandHint(c *cobra.Command, word string) string {
	if !c.HasParent() {
		for _, o := range otherWords {
			if slices.Contains(strings.Fields(o.words), strings.ToLower(word)) {
				return o.hint
			}
		}
	}
	// Two edits make nearly every word of three letters another one.
	c.SuggestionsMinimumDistance = 1 + min(1, len(word)/5)
	near := c.SuggestionsFor(word)
	for _, sub := range c.Commands() {
		if sameLetters(sub.Name(), word) && !slices.Contains(near, sub.Name()) {
			near = append(near, sub.Name())
		}
	}
	if len(near) > 0 {
		return "did you mean '" + strings.Join(near, "' or '") + "'?"
	}
	return "'" + c.CommandPath() + " --help' lists the commands"
}

// sameLetters reports whether two words differ only in the order of their letters.
func sameLetters(a, b string) bool {
	sorted := func(s string) []string { return slices.Sorted(slices.Values(strings.Split(strings.ToLower(s), ""))) }
	return slices.Equal(sorted(a), sorted(b))
}
