package cli

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// TestHelp holds the help of every command to the width of a terminal.
func TestHelp(t *testing.T) {
	n := 0
	visit(rootCommand(&Env{Getenv: func(string) string { return "" }}), func(c *cobra.Command) {
		n++
		path := c.CommandPath()
		if c.Long == "" || c.Example == "" {
			t.Errorf("%s: a command has a long text and examples", path)
		}
		for line := range strings.Lines(c.Example) {
			if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(line) > helpWidth {
				t.Errorf("%s --help: an example that is broken cannot be copied: %s", path, line)
			}
		}
		for line := range strings.Lines(helpOf(t, c)) {
			if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(line) > helpWidth {
				t.Errorf("%s --help: a line of more than %d columns: %s", path, helpWidth, line)
			}
		}
	})
	if n < 10 {
		t.Errorf("only %d commands were found", n)
	}
}

// visit calls f for a command and those below it, without those that cobra adds.
func visit(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" {
			visit(sub, f)
		}
	}
}

// helpOf returns what `verbatim COMMAND --help` prints.
func helpOf(t *testing.T, c *cobra.Command) string {
	t.Helper()
	args := append(strings.Fields(c.CommandPath())[1:], "--help")
	got := invoke(t, "", args...)
	if got.code != exitDone || !strings.Contains(got.out, "Usage:") {
		t.Fatalf("%q ends with exit code %d and prints %q", args, got.code, got.out)
	}
	return got.out
}
