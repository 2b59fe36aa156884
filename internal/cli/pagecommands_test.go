package cli

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/model"
)

var (
	// shownCommand matches a command of this program in a line of code, alone or after a pipe.
	shownCommand = regexp.MustCompile(`(?:^|\$ |\| |run: |-- )(?:go run \./cmd/)?verbatim (.*)$`)
	// inlineCommand matches a command of this program in running text.
	inlineCommand = regexp.MustCompile("`verbatim ([^`]*)`")
	// endOfCommand matches what follows a command on a line: a comment, a pipe, a file, an explanation after a gap.
	endOfCommand = regexp.MustCompile(`\s{2,}.*$|\s+#.*$|\s[|>;&].*$|\\$`)
)

// TestShownCommands reads every command that a page or a help shows, as the program does: it
// has such a command, such flags with such values, and so many arguments.
func TestShownCommands(t *testing.T) {
	n := 0
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				list, inline := commandsIn(line)
				for _, shown := range list {
					n++
					if fault := faultOf(shown, inline); fault != "" {
						t.Errorf("%s: verbatim %s: %s", filepath.Base(path), shown, fault)
					}
				}
			}
		}
	}
	visit(commandTree(), func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			list, _ := commandsIn("    " + strings.TrimSpace(line))
			for _, shown := range list {
				n++
				if fault := faultOf(shown, false); fault != "" {
					t.Errorf("%s --help: verbatim %s: %s", c.CommandPath(), shown, fault)
				}
			}
		}
	})
	if n < 300 {
		t.Errorf("only %d commands were found", n)
	}
}

// TestShownCommandsShowsFaults: the parts of TestShownCommands see what they look for.
func TestShownCommandsShowsFaults(t *testing.T) {
	for line, want := range map[string]string{
		"    verbatim compare --across prompt   # both":      `"verbatim compare" needs an argument`,
		"    $ verbatim runs --verfy | head":                 "unknown flag: --verfy",
		"| a | `verbatim rum` |":                             `there is no command "rum"`,
		"      - run: verbatim run --items":                  "--items needs a value",
		"    verbatim fake --echo -- verbatim run -j no":     "--concurrency must be",
		"    verbatim verify vllm:a vlm:a":                   "there is no provider vlm",
		"    verbatim run -m sim:careful -m vlm:a":           "there is no provider vlm",
		"    verbatim report last > x":                       "",
		"text with verbatim rum in it":                       "",
		"    verbatim run -m 'exec:python3 my.py' -n 3":      "",
		"`verbatim check … --on-inconclusive pass`":          "",
		"    verbatim fake --fault 500:0.3 -- curl -s {url}": "",
	} {
		got := ""
		list, inline := commandsIn(line)
		for _, shown := range list {
			if got == "" {
				got = faultOf(shown, inline)
			}
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// commandTree returns the root command without an environment.
func commandTree() *cobra.Command {
	return rootCommand(&Env{Getenv: func(string) string { return "" }})
}

// commandsIn returns the commands of this program that a line of a page shows, without its
// name, and whether they are in running text.
func commandsIn(line string) (list []string, inline bool) {
	line = strings.TrimRight(line, "\n")
	if strings.HasPrefix(line, "    ") {
		if m := shownCommand.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			list = append(list, m[1])
		}
		return list, false
	}
	for _, m := range inlineCommand.FindAllStringSubmatch(line, -1) {
		list = append(list, m[1])
	}
	return list, true
}

// faultOf says why the program would refuse a command line before it does anything; "" if it
// would not. A line with an ellipsis is not whole, and a command in running text may be a name
// alone.
func faultOf(line string, name bool) string {
	if strings.Contains(line, "…") || strings.Contains(line, "...") {
		return ""
	}
	words, err := model.SplitCommand(endOfCommand.ReplaceAllString(line, ""))
	if err != nil {
		return err.Error()
	}
	if i := slices.Index(words, "--"); i >= 0 {
		if i+1 < len(words) && words[i+1] == "verbatim" {
			if fault := faultOfWords(words[i+2:], name); fault != "" {
				return fault
			}
		}
		words = words[:i]
	}
	return faultOfWords(words, name)
}

func faultOfWords(words []string, name bool) string {
	c, rest, err := commandTree().Find(words)
	if err != nil {
		return err.Error()
	}
	c.InitDefaultVersionFlag()
	if err := c.ParseFlags(rest); errors.Is(err, pflag.ErrHelp) {
		return ""
	} else if err != nil {
		return c.FlagErrorFunc()(c, err).Error()
	}
	if err := checkValues(c); err != nil {
		return err.Error()
	}
	args := c.Flags().Args()
	if version := c.Flags().Lookup("version"); len(args) == 0 && (name || version != nil && version.Changed) {
		return ""
	}
	if err := c.ValidateArgs(args); err != nil {
		return err.Error()
	}
	names, _ := c.Flags().GetStringArray("model")
	switch c.Name() {
	case "verify", "preflight", "smoke", "init":
		names = append(names, args...)
	}
	for _, name := range names {
		scheme, rest, ok := strings.Cut(name, ":")
		if _, known := model.FindProvider(scheme); ok && !known && scheme != "sim" && scheme != "exec" && !strings.HasPrefix(rest, "//") && !strings.HasPrefix(name, "{") {
			return "there is no provider " + scheme
		}
	}
	return ""
}
