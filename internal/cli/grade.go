package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"verbatim/internal/app"
	"verbatim/internal/grade/jsonl"
)

func gradeCommand(env *Env) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "grade [FILE]",
		Short: "Grade replies from JSON lines, without a database",
		Long: `Read JSON lines with an expected answer and a reply each, and write the same
lines with a grade added. Lines are graded in parallel and keep their order.
Without FILE, the command reads the standard input. At the end it lists the
numbers of the lines that could not be graded; all others are written.

  in   {"want": "K9mX7Ba", "source": "aB7Xm9K", "reply": "k9mx7ba"}
       {"item": {"id": …, "messages": …, "want": …}, "reply": …,
        "finish_reason": "stop"}   (on one line)
  out  the same line with "grade": {"outcome", "label", "detail", "exact",
       "extracted", …}

docs/format.md describes every field.

Exit codes: 0 done, 1 failed or some lines not graded, 2 usage error.`,
		Example: `  verbatim grade replies.jsonl > graded.jsonl
  my-model < items.jsonl | verbatim grade | jq -c .grade.label | sort | uniq -c`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := env.input(args)
			if err != nil {
				return err
			}
			defer in.Close()
			w, err := env.output(out, asJSON)
			if err != nil {
				return err
			}
			defer w.Discard()
			f, err := jsonl.Grade(in, w)
			if err != nil {
				return err
			}
			if err := w.Keep(); err != nil {
				return err
			}
			return badLines(f)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "output `file` (default: the standard output)")
	return cmd
}

// badLines says which lines could not be graded; nil when all could.
func badLines(f jsonl.Result) error {
	if f.Bad == 0 {
		return nil
	}
	e := &app.Error{
		Kind: app.Failed, Err: fmt.Errorf("%d lines could not be graded, %d were", f.Bad, f.Graded),
		Hint: `a line is like {"want": "SIRAP", "reply": "sirap"}; 'verbatim grade --help' shows the forms`,
	}
	for _, b := range f.Named {
		e.Details = append(e.Details, b.String())
	}
	if more := f.Bad - int64(len(f.Named)); more > 0 {
		e.Details = append(e.Details, fmt.Sprintf("and %d more", more))
	}
	return e
}
