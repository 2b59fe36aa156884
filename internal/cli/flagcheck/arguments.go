package flagcheck

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
)

// Arguments makes unknown subcommands and surplus arguments usage errors, with the
// nearest name if there is one.
func Arguments(root *cobra.Command) {
	root.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return errkind.Usagef(commandHint(cmd, args[0]), "there is no command %q", args[0])
	}
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = helpTopic
			continue
		}
		checkArguments(c)
	}
}

// helpTopic refuses a word that is no command, as the Args of the command help.
func helpTopic(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if c, _, err := cmd.Root().Find(args); err == nil && c != cmd.Root() {
		return nil
	}
	return errkind.Usagef(commandHint(cmd.Root(), args[0]), "there is no command %q", args[0])
}

// checkArguments makes a wrong number of arguments of a command, and of those below it, a
// usage error.
func checkArguments(c *cobra.Command) {
	for _, sub := range c.Commands() {
		checkArguments(sub)
	}
	if c.HasSubCommands() && !c.Runnable() { // cobra prints the help whatever the word
		c.RunE = func(cmd *cobra.Command, args []string) error { return cmd.Help() }
		c.Args = subcommand
		return
	}
	args := c.Args
	if args == nil {
		return
	}
	c.Args = func(cmd *cobra.Command, given []string) error {
		err := args(cmd, given)
		var own *errkind.Error
		switch {
		case err == nil || errors.As(err, &own):
			return err
		case len(given) == 0:
			return errkind.Usagef("usage: "+cmd.UseLine(), "%q needs an argument", cmd.CommandPath())
		}
		return errkind.Usagef("usage: "+cmd.UseLine(), "%q takes one argument, got %d", cmd.CommandPath(), len(given))
	}
}

// subcommand refuses a word that is no command below cmd.
func subcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	path := strings.TrimPrefix(cmd.CommandPath()+" "+args[0], cmd.Root().Name()+" ")
	return errkind.Usagef(nearCommand(cmd, args[0]), "there is no command %q", path)
}

// NoArguments refuses arguments, as the Args of a command that takes flags alone. Its hint
// names the flag that takes the word, where the command has one.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "usage: " + cmd.UseLine()
	if flag := flagOf(cmd, args[0]); flag != "" {
		hint = "did you mean '" + cmd.CommandPath() + " --" + flag + " " + args[0] + "'?"
	}
	return errkind.Usagef(hint, "%q takes no arguments, and %q is one", cmd.CommandPath(), args[0])
}

// flagOf returns the flag of cmd that would take the word, or "": a task family, a suite, a
// run for --baseline, or what has the form of a model.
func flagOf(cmd *cobra.Command, word string) string {
	for _, flag := range []string{"task", "suite"} {
		if completes(cmd, flag, word) {
			return flag
		}
	}
	number := strings.Trim(word, "0123456789") == "" || word == "last"
	if number && cmd.Flags().Lookup("baseline") != nil {
		return "baseline"
	}
	if cmd.Flags().Lookup("model") != nil && (strings.Contains(word, ":") || word == "nano") {
		return "model"
	}
	return ""
}

// completes tells whether the word is one that the shell completes for the flag.
func completes(cmd *cobra.Command, flag, word string) bool {
	complete, ok := cmd.GetFlagCompletionFunc(flag)
	if !ok {
		return false
	}
	words, _ := complete(cmd, nil, word)
	return slices.ContainsFunc(words, func(w string) bool {
		name, _, _ := strings.Cut(w, "\t") // the tab is before its description
		return name == word
	})
}

// otherWords are words that people type for commands of another name.
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

// commandHint says what to type instead of an unknown command.
func commandHint(root *cobra.Command, word string) string {
	for _, o := range otherWords {
		if slices.Contains(strings.Fields(o.words), strings.ToLower(word)) {
			return o.hint
		}
	}
	return nearCommand(root, word)
}

// nearCommand names the commands below c that a word may be a slip of.
func nearCommand(c *cobra.Command, word string) string {
	// Two edits make nearly every word of three letters another one.
	c.SuggestionsMinimumDistance = 1 + min(1, len(word)/5)
	near := c.SuggestionsFor(word)
	for _, sub := range c.Commands() {
		if sortedLetters(sub.Name()) == sortedLetters(word) && !slices.Contains(near, sub.Name()) {
			near = append(near, sub.Name())
		}
	}
	if len(near) > 0 {
		return "did you mean '" + strings.Join(near, "' or '") + "'?"
	}
	return "'" + c.CommandPath() + " --help' lists the commands"
}

// sortedLetters is the same for two words that differ in the order of their letters.
func sortedLetters(word string) string {
	letters := []rune(strings.ToLower(word))
	slices.Sort(letters)
	return string(letters)
}
