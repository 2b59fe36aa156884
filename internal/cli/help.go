package cli

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/terminal"
)

// helpWidth is the number of columns that the help may take.
const helpWidth = 80

// fewFlags is how many flags the help lists without groups.
const fewFlags = 20

// flagGroups are the groups in which the help of a command with many flags lists them, in
// the order of their use. Flags of no group come last.
var flagGroups = []struct{ title, flags string }{
	{"What is asked", "suite task length items trials seed"},
	{"Which model, and how", "model concurrency max-tokens config reasoning-tokens reasoning-effort temperature"},
	{"Prompt", "shots paraphrase system no-system system-as"},
	{"How much", "budget for batch new rpm tpm"},
	{"Statistics", "baseline margin until-verdict rope alpha scope metric"},
	{"Output", "json quiet format output markdown junit db help"},
}

// setHelp makes the help of all commands fit the terminal, and lists many flags in groups.
func (env *Env) setHelp(root *cobra.Command) {
	width := helpWidth
	if env.OutWidth > 0 {
		width = min(env.OutWidth, helpWidth)
	}
	template := root.UsageTemplate()
	plain := cobra.Command{}
	usage, help := plain.UsageFunc(), plain.HelpFunc()
	root.SetUsageFunc(func(c *cobra.Command) error {
		text := strings.ReplaceAll(template, "Flags.FlagUsages", "Flags.FlagUsagesWrapped "+strconv.Itoa(width))
		if groups := groupedFlags(c, width); groups != "" {
			before, _, _ := strings.Cut(text, "{{if .HasAvailableLocalFlags}}")
			text = before + groups
		}
		c.SetUsageTemplate(text)
		return usage(c)
	})
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long, c.Example = wrapLines(c.Long, width), wrapLines(c.Example, width)
		help(c, args)
	})
}

// groupedFlags returns the usage of the command's flags in groups, "" if they are few or
// not about models.
func groupedFlags(c *cobra.Command, width int) string {
	c.InitDefaultHelpFlag()
	flags := map[string]*pflag.Flag{}
	for _, set := range []*pflag.FlagSet{c.LocalFlags(), c.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				flags[f.Name] = f
			}
		})
	}
	if len(flags) < fewFlags || flags["model"] == nil {
		return ""
	}
	var b strings.Builder
	write := func(title string, names []string) {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		for _, name := range names {
			if f := flags[name]; f != nil {
				set.AddFlag(f)
				delete(flags, name)
			}
		}
		if set.HasFlags() {
			b.WriteString("\n" + title + ":\n" + set.FlagUsagesWrapped(width))
		}
	}
	for _, g := range flagGroups {
		write(g.title, strings.Fields(g.flags))
	}
	var rest []string
	for name := range flags {
		rest = append(rest, name)
	}
	slices.Sort(rest)
	write("Rarely used", rest)
	return b.String()
}

// firstColumn matches the indentation of a line, with a first column before a wide gap.
var firstColumn = regexp.MustCompile(`^ *(\S+ {2,})?`)

// wrapLines breaks the lines of a text that are too long, and indents what follows as far
// as the text of the line was.
func wrapLines(text string, width int) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if terminal.Fits(line, width) {
			lines = append(lines, line)
			continue
		}
		indent := firstColumn.FindString(line)
		room := terminal.Width(indent)
		for _, part := range terminal.Wrap(line[len(indent):], width-room) {
			lines = append(lines, indent+part)
			indent = strings.Repeat(" ", room)
		}
	}
	return strings.Join(lines, "\n")
}
