package cli

import (
	"bytes"
	"cmp"
	"io"
	"maps"
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
	{"What is asked", "suite task length items fields trials seed"},
	{"Which model, and how", "model concurrency max-tokens config reasoning-tokens reasoning-effort temperature"},
	{"Prompt", "shots paraphrase system no-system system-as"},
	{"How much", "budget for batch new rpm tpm"},
	{"Statistics", "baseline margin until-verdict rope alpha scope metric"},
	{"Output", "json quiet format output markdown junit db help"},
}

// setHelp sets the help of all commands of root. Columns is the width of the terminal, 0 without one.
func setHelp(root *cobra.Command, columns int) {
	width := helpWidth
	if columns > 0 {
		width = min(columns, helpWidth)
	}
	template := root.UsageTemplate()
	plain := cobra.Command{}
	usage, help := plain.UsageFunc(), plain.HelpFunc()
	root.SetUsageFunc(func(c *cobra.Command) error {
		text := strings.ReplaceAll(template, "Flags.FlagUsages", "Flags.FlagUsagesWrapped "+strconv.Itoa(width))
		if groups := groupedFlags(c, width); groups != "" {
			before, _, _ := strings.Cut(text, "{{if .HasAvailableLocalFlags}}")
			text = before + "\n" + groups
		}
		c.SetUsageTemplate(text)
		out := c.OutOrStderr()
		var b bytes.Buffer
		c.SetOut(&b)
		err := usage(c)
		c.SetOut(out)
		_, writeErr := io.WriteString(out, terminal.WrapLines(b.String(), width))
		return cmp.Or(err, writeErr)
	})
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long, c.Example = terminal.WrapLines(joinLines(c.Long), width), terminal.WrapLines(c.Example, width)
		help(c, args)
	})
}

// joinLines makes one line of each paragraph, so that it can be broken for any width. A line
// that begins with a space or a tab, as in tables and commands, stays as it is.
func joinLines(text string) string {
	var lines []string
	open := false // the next line of prose continues the last line
	for line := range strings.SplitSeq(text, "\n") {
		prose := line != "" && line[0] != ' ' && line[0] != '\t'
		if prose && open {
			lines[len(lines)-1] += " " + line
		} else {
			lines = append(lines, line)
		}
		open = prose
	}
	return strings.Join(lines, "\n")
}

// groupedFlags returns the usage of the command's flags in groups. It returns "" for a command with
// few flags or without --model.
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
	write("Rarely used", slices.Sorted(maps.Keys(flags)))
	return b.String()
}
