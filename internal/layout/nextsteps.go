package layout

import (
	"strconv"

	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// AddNextSteps appends to the document of a report the commands that a newcomer may want next.
// Without runs it changes nothing.
func AddNextSteps(d *table.Document, r *report.Report, program terminal.ShellProgram) {
	var refs []string
	failed := ""
	for i := range r.Runs {
		ref := strconv.FormatInt(r.Runs[i].Head.N, 10)
		refs = append(refs, ref)
		if failed == "" && r.Runs[i].Total.Exact.N < r.Runs[i].Total.Exact.Of {
			failed = ref
		}
	}
	if len(refs) == 0 {
		return
	}
	next := table.List{Kind: table.Examples}
	add := func(text, command string, args []string, flags ...string) {
		next.Items = append(next.Items, table.Item{Text: text, Command: program.Command(command, args, flags...)})
	}
	if failed != "" {
		add("see the failures", "show", []string{failed})
	}
	if len(refs) > 1 {
		add("compare the models", "compare", refs)
	}
	add("save a page with charts", "report", refs, "--format", "html", "-o", "report.html")
	if len(refs) == 1 {
		add("compare it, after a run of another model", "compare", []string{refs[0], "last"})
	}
	body := d.Body
	d.Body = func(columns int) []table.Block {
		return append(body(columns), table.Blank{}, table.Heading{Text: "What next"}, next)
	}
}
