// Package cli is the command line.
//
// Start at Main and at groups, the list of subcommands. Each subcommand has the file of its name.
// Flags that several of them share are in flags.go, run.go and probe.go, and flagcheck.go
// refuses wrong values. output.go writes documents.
//
// Data go to the standard output, progress and notes to the standard error. The tests run whole
// command lines.
package cli

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"verbatim/internal/app"

	"verbatim/internal/errkind"
	"verbatim/internal/memory"
)

// heapLimit is the memory limit of the Go runtime: near it, garbage is collected more often
// than the GC percentage of Main says. With that percentage alone, the heap may grow to five
// times what is in use. Large replies in flight hold up to memory.Default, and five times that
// is too much for a small machine. Nothing else comes near the limit.
const heapLimit = 2 * memory.Default

// Main runs the command line args and returns the exit code.
func Main(args []string, env Env) int {
	app.TuneCollector(env.Getenv, 400)
	if env.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapLimit)
	}
	ctx, end := env.Start(args)
	defer end()
	root := rootCommand(&env)
	defer takeApart(root)
	root.SetArgs(args)
	called, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = env.Flush()
	}
	if err == nil {
		return exitDone
	}
	if errors.Is(context.Cause(ctx), errkind.ErrInterrupted) { // the error follows from that
		err = &errkind.Error{Kind: errkind.Interrupted, Err: errkind.ErrInterrupted}
	}
	asJSON, _ := called.Flags().GetBool("json") // false without such a flag
	format, _ := called.Flags().GetString("format")
	return printError(env.Err, env.ErrWidth, err, asJSON || format == "json", env.app(nil).Redactor())
}

// takeApart removes all commands and flags from each other. Cobra's global table of completions
// refers to some of them, and a process that runs many command lines, as tests do, would hold all.
func takeApart(cmd *cobra.Command) {
	parts := slices.Clone(cmd.Commands())
	cmd.RemoveCommand(parts...)
	cmd.ResetFlags()
	for _, c := range parts {
		takeApart(c)
	}
}

// rootCommand builds the root command and its subcommands.
func rootCommand(env *Env) *cobra.Command {
	root := &cobra.Command{
		Use:   "verbatim",
		Short: "Test language models with tasks that have exactly one right answer",
		Long: `Verbatim tests language models with tasks that have exactly one right answer:
copy this, reverse this, sort this, add these. It grades the answers without a
judge model, and prints success rates with confidence intervals.

Every answer is saved in one file (./verbatim.db, or --db) as soon as it
arrives. The same command again continues an unfinished run and sends no request
for an answer that is saved.

Exit codes: 0 done, 1 failed, 2 usage error, 3 worse, 4 undecided, 130
interrupted. 3 and 4 are those of check, verify, preflight, smoke and sentinel.`,
		Example: `  verbatim run                                    on a local server, or nano
  verbatim run --model http://127.0.0.1:8080/v1   an OpenAI-compatible endpoint
  verbatim run --task reverse --length 8..64 --items 20
  verbatim report last                            the tables of the last run
  verbatim show last                              its failures, by label`,
		Version:       Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := checkValues(cmd); err != nil {
				return err
			}
			return checkOutputs(cmd, args, env.databasePath(cmd))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return cmd.Help()
		},
	}
	root.SetIn(env.In)
	root.SetOut(env.Out)
	root.SetErr(env.Err)
	root.SetVersionTemplate("verbatim {{.Version}}\n")
	root.PersistentFlags().String("db", "", "database `file` of the runs (default ./verbatim.db, or $VERBATIM_DB)")
	root.SetFlagErrorFunc(unreadable)
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, build := range g.commands {
			c := build(env)
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID("other")
	root.SetCompletionCommandGroupID("other")
	registerArguments(root)
	setHelp(root, env.OutWidth)
	return root
}

// groups lists the subcommands as the help shows them.
var groups = []struct {
	id, title string
	commands  []func(*Env) *cobra.Command
}{
	{"measure", "Measure models:", []func(*Env) *cobra.Command{runCommand, horizonCommand, aaCommand, checkCommand, planCommand, modelsCommand}},
	{"endpoints", "Test endpoints and clients:", []func(*Env) *cobra.Command{preflightCommand, smokeCommand, verifyCommand, sentinelCommand, fakeCommand}},
	{"results", "Read results:", []func(*Env) *cobra.Command{reportCommand, compareCommand, runsCommand, showCommand}},
	{"tasks", "Tasks and graders:", []func(*Env) *cobra.Command{tasksCommand, suitesCommand, itemsCommand, gradeCommand, regradeCommand, selfcheckCommand}},
	{"files", "Files:", []func(*Env) *cobra.Command{importCommand, exportCommand}},
	{"other", "Other:", nil},
}
