package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// A Range bounds the number that is given for a flag. The default of a flag may be outside:
// it then means that there is no such number.
type valueRange struct{ Least, Most float64 }

// valueRanges are the ranges of flags by their names: a flag means the same in every command.
// The command itself checks the flags that are not listed.
var valueRanges = map[string]valueRange{
	"concurrency":       {1, 4096},
	"max-attempts":      {1, 1000},
	"max-tokens":        {1, 1_000_000_000},
	"trials":            {1, 1_000_000},
	"horizon":           {1, 100_000},
	"items":             {1, 1_000_000_000},
	"shots":             {0, 256},
	"warmup":            {0, 10_000},
	"rpm":               {0, 1e9},
	"tpm":               {0, 1e12},
	"temperature":       {0, 100},
	"top-p":             {0, 1},
	"reasoning-budget":  {0, 1e9},
	"logprobs":          {0, 20},
	"samples":           {0, 10_000},
	"trial":             {0, 1_000_000},
	"width":             {0, 1000},
	"margin":            {0, 1},
	"rope":              {0, 1},
	"max-unanswered":    {0, 1},
	"max-truncated-gap": {0, 1},
	"fail-under":        {0, 1},
	"port":              {0, 65535},
	"chunk":             {1, 1 << 20},
	"speedup":           {0.001, 1e6},
	"latency-spread":    {0, 10},
	"wrong":             {0, 1},
	"batch-failed":      {0, 1},
	"batch-expired":     {0, 1},
	"batch-lost":        {0, 1},
	"batch-busy":        {0, 1},
	"slots":             {0, 1_000_000},
	"queue":             {0, 1_000_000},
	"knee":              {0, 1_000_000},
	"burst":             {1, 1_000_000},
	"window-requests":   {0, 1e9},
}

// longest bounds every duration: a year.
const longest = 365 * 24 * time.Hour

// checkValues refuses wrong values of the flags that are given: numbers out of range or not finite,
// durations out of range, and empty texts.
func checkValues(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		given := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			given = strings.Join(list.GetSlice(), ",")
		}
		if must := requirement(cmd, f); must != "" && err == nil {
			err = errkind.Usagef("'"+cmd.CommandPath()+" --help' describes the flag", "--%s must %s, got %q", f.Name, must, given)
		}
	})
	return err
}

// requirement says what a flag's value must be; "" if it is that.
func requirement(cmd *cobra.Command, f *pflag.Flag) string {
	texts := []string{f.Value.String()}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		texts = list.GetSlice()
	}
	blank := len(texts) == 0 || slices.ContainsFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" })
	switch f.Value.Type() {
	case "duration":
		d, _ := time.ParseDuration(f.Value.String())
		least, text := time.Duration(1), "be longer than 0"
		if cmd.Name() == "fake" && f.Name != "for" { // the latencies and windows of the test server
			least, text = 0, "be 0 or longer"
		}
		if d < least || d > longest {
			return text + " and at most 8760h"
		}
	case "int", "int64", "float64":
		v, _ := strconv.ParseFloat(f.Value.String(), 64)
		if r, known := valueRanges[f.Name]; known && !(v >= r.Least && v <= r.Most) {
			plain := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) } // without an exponent
			return "be a number from " + plain(r.Least) + " to " + plain(r.Most)
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "be a finite number"
		}
	case "string", "stringArray", "stringSlice":
		if blank {
			return "not be empty"
		}
	}
	return ""
}

// checkOutputs refuses outputs that cannot be written. It also refuses those that would replace the
// database at this path, or a file that the command reads.
func checkOutputs(cmd *cobra.Command, args []string, database string) error {
	changed := func(flag string) (string, bool) {
		f := cmd.Flags().Lookup(flag)
		if f == nil || !f.Changed {
			return "", false
		}
		return f.Value.String(), true
	}
	inputs := slices.Clone(args)
	for _, flag := range []string{"items", "lists", "config", "prices", "system", "baseline"} {
		if path, ok := changed(flag); ok {
			inputs = append(inputs, strings.TrimPrefix(path, "@"))
		}
	}
	outputs := map[string]string{} // paths by flag
	for _, flag := range []string{"output", "junit", "markdown", "figures", "ready-file"} {
		path, ok := changed(flag)
		if !ok || path == "-" {
			continue
		}
		folder := takesFolder(cmd, flag)
		info, err := os.Stat(path)
		switch {
		case err != nil && !folder && !isFolder(filepath.Dir(path)):
			return errkind.Usagef("make it, or name another file", "--%s %s: there is no folder %s", flag, path, filepath.Dir(path))
		case err == nil && info.IsDir() && !folder:
			return errkind.Usagef("name a file", "--%s %s is a folder", flag, path)
		case err == nil && info.IsDir():
			continue
		case err == nil && (info.Mode()&fs.ModeSocket != 0 || info.Mode()&fs.ModeDevice != 0 && info.Mode()&fs.ModeCharDevice == 0):
			return errkind.Usagef("name a file", "--%s %s is no file that can be written", flag, path)
		}
		for _, end := range []string{"", "-wal", "-shm", "-journal"} {
			if database != "" && sameFile(path, resolved(database)+end) {
				return errkind.Usagef("name another file", "--%s %s is the database, or a file that SQLite makes for it", flag, path)
			}
		}
		for _, input := range inputs {
			if _, err := os.Stat(input); err == nil && sameFile(path, input) {
				return errkind.Usagef("name another file", "--%s %s is a file that this command reads", flag, path)
			}
		}
		for other, there := range outputs {
			if sameFile(path, there) {
				return errkind.Usagef("name two files", "--%s and --%s name the same file %s", other, flag, path)
			}
		}
		outputs[flag] = path
	}
	return nil
}

// takesFolder reports whether the flag may name a folder.
func takesFolder(cmd *cobra.Command, flag string) bool {
	switch cmd.Name() {
	case "export":
		return true
	case "items":
		return cmd.Flags().Changed("layout")
	case "report":
		return flag == "figures" || cmd.Flags().Changed("preset")
	}
	return false
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sameFile reports whether two paths name one file, which may not exist yet.
func sameFile(a, b string) bool {
	at, err := os.Stat(a)
	there, otherErr := os.Stat(b)
	if err == nil && otherErr == nil {
		return os.SameFile(at, there)
	}
	return resolved(a) == resolved(b)
}

// resolved returns the absolute path of a file without links, whether the file exists or not.
func resolved(path string) string {
	for range 40 { // as many links as Linux follows
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path
}

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
