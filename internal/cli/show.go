package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/report"
	"verbatim/internal/store"
)

// A showing holds the flags of `show`.
type showing struct {
	trial   int
	outcome string
	label   string
	all     bool
	full    bool
	asJSON  bool
}

func showCommand(env *Env) *cobra.Command {
	var s showing
	cmd := &cobra.Command{
		Use:   "show RUN [ITEM]",
		Short: "Show what went wrong in a run, or one item in full",
		Long: `Without ITEM, list the records of a run that did not pass, each with its label.
With ITEM, show one in full: the prompt, the reply, the verdict with a sentence on
its label, an aligned difference in which invisible characters can be seen, and
every attempt. ITEM is an item's id or a part of it that only one item has.`,
		Example: `  verbatim show last
  verbatim show last --label dropped_char
  verbatim show last reverse@1/len=16/seed=1/0
  verbatim show last --full | less`,
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: completeRuns(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			lib := env.library(cmd)
			defer lib.Close()
			run, err := lib.find(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if len(args) == 2 {
				return s.one(cmd, env, run, args[1])
			}
			return s.list(cmd, env, run)
		},
	}
	f := cmd.Flags()
	f.IntVar(&s.trial, "trial", 0, "which trial of the item, from 0")
	f.StringVar(&s.outcome, "outcome", "", "only records with this outcome: wrong, wrapped, refused, limit, cut, error, pass")
	f.StringVar(&s.label, "label", "", "only records with this label, such as dropped_char")
	f.BoolVar(&s.all, "all", false, "also records that passed")
	f.BoolVar(&s.full, "full", false, "show every listed record in full")
	f.BoolVar(&s.asJSON, "json", false, "print JSON: one document for an item, a line each for a list")
	return cmd
}

// wanted reports whether the flags select a record.
func (s *showing) wanted(r *verbatim.Record) bool {
	label := ""
	if r.Grade != nil {
		label = r.Grade.Label
	}
	switch {
	case s.outcome != "" && string(r.Outcome) != s.outcome, s.label != "" && label != s.label:
		return false
	}
	return s.all || s.outcome != "" || s.label != "" || r.Outcome != verbatim.Pass
}

// one shows one record in full.
func (s *showing) one(cmd *cobra.Command, env *Env, run keptRun, item string) error {
	id, err := s.resolve(cmd, run, item)
	if err != nil {
		return err
	}
	rec, err := run.store.Record(cmd.Context(), run.N, id, s.trial)
	if err != nil {
		return err
	}
	if s.asJSON {
		return report.ShowJSON(env.Out, report.Look(run.Run, rec))
	}
	return report.ShowText(env.Out, report.Look(run.Run, rec), env.style())
}

// resolve finds the one item whose id is, or holds, the text.
func (s *showing) resolve(cmd *cobra.Command, run keptRun, text string) (string, error) {
	var found []string
	for r, err := range run.store.Records(cmd.Context(), run.N, store.Read{}) {
		switch {
		case err != nil:
			return "", err
		case r.Trial != s.trial:
		case r.Item.ID == text:
			return text, nil
		case strings.Contains(r.Item.ID, text) && len(found) < 10:
			found = append(found, r.Item.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", misused("'verbatim show "+run.Name+" --all' lists its items", "run %s has no item %q in trial %d", run.Name, text, s.trial)
	case 1:
		return found[0], nil
	}
	return "", misused("type more of it", "%q is a part of several ids:\n  %s", text, strings.Join(found, "\n  "))
}

// list prints a line for every selected record, or all of it.
func (s *showing) list(cmd *cobra.Command, env *Env, run keptRun) error {
	whole := s.full || s.asJSON
	out, err := env.output("")
	if err != nil {
		return err
	}
	n, passed := 0, 0
	for r, err := range run.store.Records(cmd.Context(), run.N, store.Read{Texts: whole, Measures: whole, Attempts: whole || s.failures()}) {
		if err != nil {
			return err
		}
		if r.Outcome == verbatim.Pass {
			passed++
		}
		if !s.wanted(&r) {
			continue
		}
		switch {
		case s.asJSON:
			err = report.ShowJSON(out, report.Look(run.Run, r))
		case s.full:
			if n > 0 {
				fmt.Fprintln(out)
			}
			err = report.ShowText(out, report.Look(run.Run, r), env.style())
		default:
			_, err = fmt.Fprintln(out, recordLine(&r))
		}
		if err != nil {
			return err
		}
		n++
	}
	if err := out.Keep(); err != nil {
		return err
	}
	if n == 0 {
		writeNote(env, "no record is selected: %d passed; --all lists them too", passed)
	} else if !whole {
		writeNote(env, "'verbatim show %s ITEM' shows one in full", run.Name)
	}
	return nil
}

// failures reports whether records without an answer are listed.
func (s *showing) failures() bool { return s.label == "" }

func recordLine(r *verbatim.Record) string {
	line := fmt.Sprintf("%-8s %-18s %s", r.Outcome, "", report.Visible(r.Item.ID))
	if r.Grade != nil {
		line = fmt.Sprintf("%-8s %-18s %s", r.Outcome, r.Grade.Label, report.Visible(r.Item.ID))
		if r.Grade.Detail != "" {
			line += "  " + report.Visible(r.Grade.Detail)
		}
	}
	if r.Failure != nil {
		line = fmt.Sprintf("%-8s %-18s %s", r.Outcome, r.Failure.Class, report.Visible(r.Item.ID))
	}
	if r.Trial > 0 {
		line += fmt.Sprintf("  trial %d", r.Trial)
	}
	return line
}
