package flagcheck

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
)

// Arguments makes unknown subcommands and surplus arguments usage errors, with the
// nearest name if there is one. The output of root must be set: the commands that cobra adds
// for completion keep it.
func Arguments(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = helpTopic
			continue
		case "completion":
			for _, shell := range c.Commands() {
				shell.Args = NoArguments
			}
		}
		checkArguments(c)
	}
	root.Args = subcommand
}

// helpTopic refuses a word that is no command, as the Args of the command help.
func helpTopic(cmd *cobra.Command, args []string) error {
	if c, rest, err := cmd.Root().Find(args); err == nil && c.HasSubCommands() {
		return subcommand(c, rest)
	}
	return nil
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
		if err == nil {
			return nil
		}
		if own, ok := errors.AsType[*errkind.Error](err); ok {
			return own
		}
		if len(given) == 0 {
			return errkind.Usagef("usage: "+cmd.UseLine(), "%q needs an argument", cmd.CommandPath())
		}
		return errkind.Usagef("usage: "+cmd.UseLine(), "%q takes one argument, got %d", cmd.CommandPath(), len(given))
	}
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

// NoArguments refuses arguments, as the Args of a command that takes flags alone. The hint
// names the flag that takes the word, if the command has one.
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

// flagOf returns the name of the flag of cmd that takes the word, or "": --task for a task
// family, --suite, --baseline for the number of a run or "last", or --model for what has the
// form of a model's name.
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

// completes reports whether the word is one that the shell completes for the flag.
func completes(cmd *cobra.Command, flag, word string) bool {
	complete, ok := cmd.GetFlagCompletionFunc(flag)
	if !ok {
		return false
	}
	words, _ := complete(cmd, nil, word)
	return slices.ContainsFunc(words, func(w string) bool {
		name, _, _ := strings.Cut(w, "\t") // a description follows the tab
		return name == word
	})
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
		if sortedLetters(sub.Name()) == sortedLetters(word) && !slices.Contains(near, sub.Name()) {
			near = append(near, sub.Name())
		}
	}
	if len(near) > 0 {
		return "did you mean '" + strings.Join(near, "' or '") + "'?"
	}
	return "'" + c.CommandPath() + " --help' lists the commands"
}

// sortedLetters returns the letters of a word in order: equal for words that differ only in
// the order of their letters.
func sortedLetters(word string) string {
	letters := []rune(strings.ToLower(word))
	slices.Sort(letters)
	return string(letters)
}
