package cli

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/cli/console"
	"verbatim/internal/cli/exit"
	"verbatim/internal/cli/help"
	"verbatim/internal/plainwords"
)

// longestHelpSentence is the most words that a sentence of the help may have.
const longestHelpSentence = 25

// TestHelpWords holds the help of every command to the project's vocabulary, to the
// width of a terminal and to sentences of a bounded length.
func TestHelpWords(t *testing.T) {
	n := 0
	visit(rootCommand(&console.Env{Getenv: func(string) string { return "" }}), func(c *cobra.Command) {
		n++
		path := c.CommandPath()
		if c.Long == "" || c.Example == "" {
			t.Errorf("%s: a command has a long text and examples", path)
		}
		for line := range strings.Lines(c.Example) {
			if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(line) > help.Width {
				t.Errorf("%s --help: an example that is broken cannot be copied: %s", path, line)
			}
		}
		for _, fault := range helpFaults(helpOf(t, c), helpProse(c)) {
			t.Errorf("%s --help: %s", path, fault)
		}
	})
	if n < 20 {
		t.Errorf("only %d commands were found", n)
	}
}

// TestHelpWordsShowsFaults: the parts of TestHelpWords see what they look for.
func TestHelpWordsShowsFaults(t *testing.T) {
	for name, test := range map[string]struct {
		lines string
		prose []string
		want  string
	}{
		"good":     {"Print the runs.", []string{"Print the runs.", "time limit of one attempt (default 5s)"}, ""},
		"word":     {"", []string{"The runs that are kept."}, `"kept": say save, saved`},
		"flag":     {"", []string{"the chance that is\nPut Up With"}, `"Put Up With": say accepted, maximum error rate`},
		"names":    {"", []string{"see --reasoning-tags, 'verbatim try' and tries=1"}, ""},
		"width":    {strings.Repeat("é", 81), nil, "a line of 81 columns, at most 80"},
		"fits":     {strings.Repeat("é", 80), nil, ""},
		"sentence": {"", []string{"Short. " + strings.Repeat("word ", 26) + "."}, "a sentence of 27 words, at most 25"},
	} {
		got := strings.Join(helpFaults(test.lines, test.prose), "; ")
		if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
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
	if got.code != exit.Done || !strings.Contains(got.out, "Usage:") {
		t.Fatalf("%q ends with exit code %d and prints %q", args, got.code, got.out)
	}
	return got.out
}

// helpProse returns the texts of a command's help: the short and the long one, and
// those of its own flags.
func helpProse(c *cobra.Command) []string {
	list := append([]string{c.Short}, helpParagraphs(c.Long)...)
	c.Flags().VisitAll(func(f *pflag.Flag) { list = append(list, strings.ReplaceAll(f.Usage, "`", "")) })
	c.PersistentFlags().VisitAll(func(f *pflag.Flag) { list = append(list, strings.ReplaceAll(f.Usage, "`", "")) })
	return list
}

// helpParagraphs splits a long text; indented lines, as of a list, are paragraphs of
// their own.
func helpParagraphs(text string) (list []string) {
	open := false
	for line := range strings.Lines(text) {
		switch alone := strings.HasPrefix(line, "  "); {
		case strings.TrimSpace(line) == "":
			open = false
		case open && !alone:
			list[len(list)-1] += line
		default:
			list = append(list, line)
			open = !alone
		}
	}
	return list
}

var (
	// helpNames are flags, quoted commands and names with a value, which are no prose.
	helpNames     = regexp.MustCompile(`--[a-z][a-z-]*|'[^']*'|\b[a-z-]+=\S*`)
	helpSentences = regexp.MustCompile(`[.!?:;]["')]*\s+`)
)

// helpFaults lists what is wrong with a help's lines and with its texts.
func helpFaults(lines string, prose []string) (faults []string) {
	for line := range strings.Lines(lines) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > help.Width {
			faults = append(faults, "a line of "+strconv.Itoa(n)+" columns, at most "+strconv.Itoa(help.Width)+": "+line)
		}
	}
	for _, text := range prose {
		text = helpNames.ReplaceAllString(strings.Join(strings.Fields(text), " "), "NAME")
		for _, fault := range plainwords.Message(text) {
			faults = append(faults, strconv.Quote(fault.Found)+": say "+fault.Say+": "+text)
		}
		for _, s := range helpSentences.Split(text, -1) {
			if n := len(strings.Fields(s)); n > longestHelpSentence {
				faults = append(faults, "a sentence of "+strconv.Itoa(n)+" words, at most "+strconv.Itoa(longestHelpSentence)+": "+s)
			}
		}
	}
	return faults
}
