package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"

	"verbatim/internal/errkind"
	"verbatim/internal/grade"
	"verbatim/internal/grade/jsonl"
	"verbatim/internal/input"
	"verbatim/internal/store"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
)

func gradeCommand(env *Env) *cobra.Command {
	var out, names string
	cmd := &cobra.Command{
		Use:   "grade [FILE]",
		Short: "Grade replies from JSON lines, without a database",
		Long: `Read JSON lines with an expected answer and a reply each, and write the same
lines with a grade added. Lines are graded in parallel and keep their order.
Without FILE, the command reads the standard input. A line that cannot be graded
is written with the reason, and listed again at the end.

  in   {"want": "K9mX7Ba", "source": "aB7Xm9K", "reply": "k9mx7ba"}
       {"item": {"id": …, "messages": …, "want": …}, "reply": …,
        "finish_reason": "stop"}   (on one line)
  out  the same line with "grade": {"outcome", "label", "detail", "exact",
       "extracted", …}, or with "grade": null, "grade_error": reason

The answer may have another name, such as target, answer, ideal or expected, and
FILE may be a JSON array or a CSV file with the replies in the column reply.
docs/format.md describes every field.

Exit codes: 0 done, 1 failed or some lines not graded, 2 usage error.`,
		Example: `  verbatim grade replies.jsonl > graded.jsonl
  my-model < items.jsonl | verbatim grade | jq -c .grade.label | sort | uniq -c`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			fields, err := task.NewFields(names)
			if err != nil {
				return err
			}
			in, err := env.Input(args)
			if err != nil {
				return err
			}
			defer in.Close()
			w, err := env.Output(out, JSON)
			if err != nil {
				return err
			}
			defer w.Discard()
			lines, err := jsonLines(cmp.Or(strings.Join(args, ""), "-"), in)
			if err != nil {
				return err
			}
			f, err := jsonl.Grade(lines, w, fields, w.Flush)
			if err != nil {
				return err
			}
			if err := w.keep(); err != nil {
				return err
			}
			if taken := fields.Taken(); taken != "" {
				env.Note("%s", taken)
			}
			return badLines(f)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "output `file` (default: the standard output)")
	registerFields(cmd.Flags(), &names)
	return cmd
}

// jsonLines returns a file as JSON lines. It reads a file that does not begin as such to its end.
func jsonLines(name string, in io.Reader) (io.Reader, error) {
	r := bufio.NewReader(in)
	start, _ := r.Peek(4) // the reader of the lines gets the error too
	if start = bytes.TrimPrefix(start, []byte("\ufeff")); len(start) == 0 || start[0] == '{' || start[0] <= ' ' {
		return r, nil
	}
	data, err := io.ReadAll(io.LimitReader(r, input.MaxItems+1))
	if err != nil {
		return nil, err
	}
	if len(data) > input.MaxItems {
		return nil, errkind.Usagef("write it as JSON lines, which may have any length", "%s is no JSON lines, and has more than %d MiB", name, input.MaxItems>>20)
	}
	var lines bytes.Buffer
	err = task.Rows(name, data, func(_ string, _ int, row []byte) {
		if json.Compact(&lines, row) != nil {
			lines.Write(row) // it is named as a bad line
		}
		lines.WriteByte('\n')
	})
	return &lines, err
}

// badLines returns the error that lists the lines which could not be graded; nil if there are none.
func badLines(f jsonl.Result) error {
	if f.Bad == 0 {
		return nil
	}
	e := &errkind.Error{
		Kind: errkind.Failed, Err: fmt.Errorf("%d lines could not be graded, %d were", f.Bad, f.Graded),
		Hint: `a line is like {"want": "SIRAP", "reply": "sirap"}; 'verbatim grade --help' shows the forms`,
	}
	for _, b := range f.Named {
		e.Details = append(e.Details, b.String())
	}
	addMore(e, f.Bad)
	return e
}

// addMore adds how many of n faults the details leave out.
func addMore(e *errkind.Error, n int64) {
	if more := n - int64(len(e.Details)); more > 0 {
		e.Details = append(e.Details, fmt.Sprintf("and %d more", more))
	}
}

func regradeCommand(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "regrade RUN...",
		Short: "Grade saved replies again and print what changed",
		Long: `Grade the saved replies of runs with the graders of this version, and print
every grade that changed. It sends no requests. New grades replace the old ones.
Imported scores without replies are skipped.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example:           `  verbatim regrade last`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: env.completeRuns(),
		RunE: func(cmd *cobra.Command, args []string) error {
			lib := env.app(cmd).Library()
			defer lib.Close()
			type changeJSON struct {
				Item   string          `json:"item"`
				Trial  int             `json:"trial"`
				Before *verbatim.Grade `json:"before"`
				After  verbatim.Grade  `json:"after"`
			}
			type regradeJSON struct {
				Run     string       `json:"run"`
				Replies int64        `json:"replies"`
				Passed  int64        `json:"without_reply"`
				Changes []changeJSON `json:"changes"`
				Failed  int64        `json:"failed"`
			}
			runs, err := lib.FindAll(cmd.Context(), args)
			if err != nil {
				return err
			}
			var all []regradeJSON
			var failed failedReplies
			for _, run := range runs {
				done := regradeJSON{Run: run.Name, Changes: []changeJSON{}}
				result, err := run.Store.Regrade(cmd.Context(), run.N, grade.Try, func(before verbatim.Record, after verbatim.Grade) {
					if asJSON {
						done.Changes = append(done.Changes, changeJSON{before.Item.ID, before.Trial, before.Grade, after})
						return
					}
					was := "not graded"
					if before.Grade != nil {
						was = fmt.Sprintf("%s %s (%s)", before.Grade.Outcome, before.Grade.Label, before.Grade.Grader)
					}
					fmt.Fprintln(env.Out, terminal.SafeLine(fmt.Sprintf("%s: %s, now %s %s (%s)", before.Item.ID, was, after.Outcome, after.Label, after.Grader)))
				})
				if err != nil {
					return err
				}
				done.Replies, done.Passed, done.Failed = result.Replies, result.Passed, result.Failed
				failed.add(run.Name, result)
				all = append(all, done)
				env.Note("%s: %d replies graded, %d verdicts changed", run.Name, result.Replies, result.Changed)
			}
			if asJSON {
				err := writeDocument(env.Out, "regrade", struct {
					Runs []regradeJSON `json:"runs"`
				}{all})
				if err != nil {
					return err
				}
			}
			return failed.err()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document instead of text")
	return cmd
}

// failedReplies are the replies on which a grader failed while runs were graded again.
type failedReplies struct {
	n     int64
	named []string // the first of them
}

// add counts the failures of a run.
func (f *failedReplies) add(run string, r store.RegradeResult) {
	f.n += r.Failed
	for _, reply := range r.Named {
		if len(f.named) < store.MaxNamed {
			f.named = append(f.named, terminal.SafeLine(fmt.Sprintf("%s, %s, trial %d: %v", run, reply.Item, reply.Trial, reply.Err)))
		}
	}
}

// err returns the error that lists the replies which could not be graded; nil if there are none.
func (f *failedReplies) err() error {
	if f.n == 0 {
		return nil
	}
	e := &errkind.Error{
		Kind: errkind.Failed, Err: fmt.Errorf("%d replies could not be graded; they keep their earlier grades", f.n),
		Hint: "please report it; 'verbatim show RUN ITEM' prints a reply", Details: f.named,
	}
	addMore(e, f.n)
	return e
}
