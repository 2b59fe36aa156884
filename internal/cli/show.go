package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"

	"verbatim/internal/errkind"
	"verbatim/internal/layout"
	"verbatim/internal/library"

	"verbatim/internal/page"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

// showFlags holds the flags of `show`.
type showFlags struct {
	trial   int
	outcome string
	label   string
	all     bool
	full    bool
	asJSON  bool
	open    bool
	ref     string // the name of the run in printed commands
}

// whole reports whether records are shown in full.
func (s *showFlags) whole() bool { return s.full || s.asJSON }

// showCommand returns the command `show`.
func showCommand(env *Env) *cobra.Command {
	var s showFlags
	cmd := &cobra.Command{
		Use:   "show RUN [ITEM...]",
		Short: "Show the failures of a run, or items in full",
		Long: `Without ITEM, print the records of a run that did not pass, counted by label,
with up to three samples each. With --label, --outcome or --all, list records, a
line each.

With ITEM, print one record in full: the prompt, the reply, the grade with an
explanation of its label, and every attempt. An aligned diff makes invisible
characters visible. ITEM is the id of an item, or a part that no other
item has. With --open, the record is a page in the browser, with the pictures of
its prompt.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim show last
  verbatim show last --label dropped_char
  verbatim show last reverse@1/len=16/seed=1/0
  verbatim show last --full | less
  verbatim show last hard-image-size@1/len=4/seed=1/0 --open`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: env.completeRuns(),
		RunE: func(cmd *cobra.Command, args []string) error {
			lib := env.app(cmd).Library()
			defer lib.Close()
			run, err := lib.Find(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			s.ref = args[0]
			if lib.Holds(run) {
				s.ref = strconv.FormatInt(run.N, 10)
			}
			switch {
			case s.open && (len(args) != 2 || s.asJSON):
				return errkind.Usagef("verbatim show last ITEM --open", "--open takes one item, and no --json")
			case len(args) > 1:
				return s.items(cmd, env, run, args[1:])
			case s.whole() || s.all || s.outcome != "" || s.label != "":
				return s.list(cmd, env, run)
			}
			return s.failures(cmd, env, run)
		},
	}
	f := cmd.Flags()
	f.IntVar(&s.trial, "trial", 0, "`trial` of the item, from 0 (default 0)")
	f.StringVar(&s.outcome, "outcome", "", "`outcome` of the records: wrong, wrapped, refused, truncated, cut, error or pass (default: all but pass)")
	f.StringVar(&s.label, "label", "", "`label` of the records, such as dropped_char, or failure class, such as overload (default: all)")
	f.BoolVar(&s.all, "all", false, "records that passed too")
	f.BoolVar(&s.full, "full", false, "every listed record in full")
	f.BoolVar(&s.asJSON, "json", false, "JSON output: one document for an item, a line per record for a list")
	f.BoolVar(&s.open, "open", false, "open the record as a page in the browser")
	return cmd
}

// selects reports whether the flags select a record.
func (s *showFlags) selects(r *verbatim.Record) bool {
	label := ""
	switch {
	case r.Grade != nil:
		label = r.Grade.Label
	case r.Failure != nil:
		label = string(r.Failure.Class)
	}
	if s.outcome != "" && r.Outcome != verbatim.Outcome(s.outcome) {
		return false
	}
	if s.label != "" && label != s.label {
		return false
	}
	return s.all || s.outcome != "" || s.label != "" || r.Outcome != verbatim.Pass
}

// items shows records in full.
func (s *showFlags) items(cmd *cobra.Command, env *Env, run library.SavedRun, items []string) error {
	for i, text := range items {
		item, err := run.FindItem(cmd.Context(), text, s.trial, func(r *verbatim.Record) bool { return s.selects(r) && r.Outcome != verbatim.Pass })
		if errors.Is(err, library.ErrNoItem) {
			return errkind.Usagef("list its items with: "+env.program().Command("show", []string{s.ref}, "--all"), "run %s has no item %q in trial %d", run.Name, text, s.trial)
		}
		if err != nil {
			return err
		}
		rec, err := run.Store.Record(cmd.Context(), run.N, item.ID, s.trial)
		if err != nil {
			return err
		}
		if s.open {
			return openRecord(env, recordview.New(run.Run, rec))
		}
		if s.asJSON {
			write := terminal.WriteJSON
			if len(items) > 1 {
				write = terminal.WriteJSONLine
			}
			if err := write(env.Out, recordview.New(run.Run, rec)); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Fprintln(env.Out)
		}
		if err := recordview.WriteText(env.Out, recordview.New(run.Run, rec), env.Style()); err != nil {
			return err
		}
		if len(items) == 1 {
			s.noteNeighbours(env, item)
		}
	}
	return nil
}

// noteNeighbours prints the commands that show the previous and the next item.
func (s *showFlags) noteNeighbours(env *Env, item library.FoundItem) {
	for _, n := range []struct{ word, id string }{{"previous", item.Before}, {"next", item.After}} {
		if n.id == "" {
			continue
		}
		var flags []string
		if s.trial > 0 {
			flags = append(flags, "--trial", strconv.Itoa(s.trial))
		}
		if s.label != "" {
			flags = append(flags, "--label", s.label)
		}
		env.Note("%s: %s", n.word, env.program().Command("show", []string{s.ref, n.id}, flags...))
	}
}

// noteOne prints the command that shows one item.
func (s *showFlags) noteOne(env *Env) {
	env.Note("'%s' shows one in full", env.program().Command("show", []string{s.ref, "ITEM"}))
}

// failures prints the records that did not pass, counted by label, with samples.
func (s *showFlags) failures(cmd *cobra.Command, env *Env, run library.SavedRun) error {
	l := report.Listing{Run: run.Run, Ref: s.ref, Note: library.BuiltInNote(&run.Run)}
	for r, err := range run.Store.Records(cmd.Context(), run.N, store.Read{Attempts: true}) {
		if err != nil {
			return err
		}
		l.Add(&r)
	}
	var err error
	if l.Unrecorded, l.MayHave, err = run.Store.Unrecorded(cmd.Context(), run.N); err != nil {
		return err
	}
	if err := layout.ListingText(env.Out, &l, layout.Options{Program: env.program()}, env.Style()); err != nil {
		return err
	}
	if l.Passed < l.Records {
		s.noteOne(env)
	}
	return nil
}

// list prints the selected records: a line for each, or each in full.
func (s *showFlags) list(cmd *cobra.Command, env *Env, run library.SavedRun) error {
	whole := s.whole()
	what := textContent
	if s.asJSON {
		what = JSON
	}
	out, err := env.Output("", what)
	if err != nil {
		return err
	}
	n, passed := 0, 0
	for r, err := range run.Store.Records(cmd.Context(), run.N, store.Read{Texts: whole, Measures: whole, Attempts: whole}) {
		if err != nil {
			return err
		}
		if r.Outcome == verbatim.Pass {
			passed++
		}
		if !s.selects(&r) {
			continue
		}
		switch {
		case s.asJSON:
			err = terminal.WriteJSONLine(out, recordview.New(run.Run, r))
		case s.full:
			if n > 0 {
				fmt.Fprintln(out)
			}
			err = recordview.WriteText(out, recordview.New(run.Run, r), env.Style())
		default:
			_, err = fmt.Fprintln(out, recordview.Line(&r))
		}
		if err != nil {
			return err
		}
		n++
	}
	if err := out.keep(); err != nil {
		return err
	}
	if n == 0 {
		s.noteNone(env, passed)
	} else if !whole {
		s.noteOne(env)
	}
	return nil
}

// noteNone says why no record is listed. Passed is the number of records that passed.
func (s *showFlags) noteNone(env *Env, passed int) {
	var of []string
	if s.label != "" {
		of = append(of, fmt.Sprintf("the label %q", s.label))
	}
	if s.outcome != "" {
		of = append(of, fmt.Sprintf("the outcome %q", s.outcome))
	}
	if of == nil {
		env.Note("no record is selected: %d passed; --all lists them too", passed)
		return
	}
	env.Note("no record has %s; '%s' counts the labels of the run", strings.Join(of, " and "), env.program().Command("show", []string{s.ref}))
}

// openRecord writes the record as a page and opens it.
func openRecord(env *Env, record *recordview.View) error {
	path, err := page.WriteRecord(record, env.program().Database)
	if err != nil {
		return err
	}
	if err := page.OpenBrowser(path); err != nil {
		env.Note("%s did not open the page (%v): open it yourself", page.Opener, err)
	}
	_, err = env.Out.Write([]byte(path + "\n"))
	return err
}
