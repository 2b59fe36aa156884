package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"verbatim/internal/app"

	"verbatim/internal/errkind"
	"verbatim/internal/layout"
	"verbatim/internal/library"

	"verbatim/internal/page"
	"verbatim/internal/paper"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// reportFlags holds the flags of `report`.
type reportFlags struct {
	format      formatFlags
	out         string
	metric      string
	baseline    string
	groupBy     string
	preset      string
	figures     string
	samples     int
	failUnder   float64
	everyLength bool
	byRun       bool
	raw         bool
}

// reportCommand returns the command `report`.
func reportCommand(env *Env) *cobra.Command {
	var r reportFlags
	cmd := &cobra.Command{
		Use:   "report [RUN...]",
		Short: "Print the tables of saved runs",
		Long: `Print the tables of one or several runs. RUN is a number that 'verbatim runs'
prints, a run's name or its prefix, a model's name (its newest run), "last", or
a file that 'verbatim export' wrote (default: the last run).

Rates refer to answered requests and have 95 % Wilson intervals. The share of
all planned requests is printed next to them. Several runs are ranked, with 95 %
simultaneous intervals of the ranks. docs/report.md explains the tables.

--group-by pools the answers of all runs by facts. It warns if that mixes
records that should stay separate. The facts are
` + groupFacts() + `and every fact that the items name, as fact:NAME.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim report last
  verbatim report 1 2 --metric extracted
  verbatim report 1 2 3 --format html -o report.html
  verbatim report 1 2 --group-by model,length
  verbatim report last --json | jq '.runs[0].total.exact'`,
		ValidArgsFunction: env.completeRuns(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.preset != "" {
				return r.study(cmd, env, args)
			}
			return r.run(cmd, env, args)
		},
	}
	f := cmd.Flags()
	r.format.register(cmd, table.Formats())
	f.StringVarP(&r.out, "output", "o", "", "output `file` (default: the standard output)")
	f.StringVar(&r.metric, "metric", "", "`score` that ranks runs and fills the score column: score (the suite's own), exact, extracted, similarity or sortbench, or over trials pass@K, all@K, all or majority (default: exact ranks, next to the suite's own)")
	singleFlag(f, &r.baseline, "baseline", "", "baseline `RUN` that the others are compared with (default: the leader)")
	f.StringVar(&r.groupBy, "group-by", "", "`facts` by which answers are pooled, such as model,length (default: none)")
	f.StringVar(&r.preset, "preset", "", "tables and figures of a published `study`: "+strings.Join(presets(), " or ")+" (docs/papers.md; default: none)")
	f.StringVar(&r.figures, "figures", "", "`folder` for figures as SVG, PDF and PNG (default: none)")
	f.IntVar(&r.samples, "samples", 3, "number of `samples` per run, family and label, in formats that print samples")
	f.Float64Var(&r.failUnder, "fail-under", 0, "with --format junit: exact `share` below which a length of a task fails, such as 0.9 (default: none)")
	f.BoolVar(&r.everyLength, "every-length", false, "a row for every length, even if it has one item")
	f.BoolVar(&r.byRun, "by-run", false, "separate tables for every run, even if several fit side by side")
	f.BoolVar(&r.raw, "raw", false, "CSV cells unchanged, even if a spreadsheet may read them as formulas")
	completeFlag(cmd, "metric", metricNames)
	completeFlag(cmd, "preset", presets)
	completeFlag(cmd, "group-by", groupWords)
	cmd.RegisterFlagCompletionFunc("baseline", env.completeRuns())
	return cmd
}

// groupWords lists the facts with their descriptions, for completion.
func groupWords() (words []string) {
	for _, f := range report.GroupFacts() {
		words = append(words, f.Name+"\t"+f.Doc)
	}
	return words
}

// groupFacts lists the facts in columns, for the help.
func groupFacts() string {
	var b strings.Builder
	for _, f := range report.GroupFacts() {
		fmt.Fprintf(&b, "  %-12s %s\n", f.Name, f.Doc)
	}
	return b.String()
}

// A reportFormat is a way to print a report.
type reportFormat struct {
	table.Format
	compares bool // it shows comparisons
	samples  bool // it shows samples
	// write prints the report in a way of its own; nil: as other documents are printed.
	write func(io.Writer, *report.Report, terminal.Style) error
}

// reportFormatOf returns how a report is printed in a format.
func reportFormatOf(f table.Format) reportFormat {
	switch f.Name {
	case "json":
		return reportFormat{Format: f, compares: true}
	case "html":
		return reportFormat{Format: f, compares: true, samples: true,
			write: func(w io.Writer, r *report.Report, _ terminal.Style) error { return page.Report(w, r) }}
	case "latex":
		return reportFormat{Format: f, compares: true,
			write: func(w io.Writer, r *report.Report, s terminal.Style) error { return paper.LaTeX(w, paper.Report(r), s) }}
	}
	return reportFormat{Format: f}
}

func (r *reportFlags) run(cmd *cobra.Command, env *Env, args []string) error {
	chosen, err := r.format.chosen()
	if err != nil {
		return err
	}
	format := reportFormatOf(chosen)
	if cmd.Flags().Changed("fail-under") && format.Name != "junit" {
		return errkind.Usagef("add --format junit; 'verbatim check' compares with a baseline and sets the exit code", "--fail-under does not go with --format %s", format.Name)
	}
	if err := onlyCSV("raw", r.raw, format.Name); err != nil {
		return err
	}
	if format.Name == "html" && env.OutWidth > 0 && (r.out == "" || r.out == "-") {
		return errkind.Usagef("name a file: -o report.html", "a page is not for a terminal")
	}
	if !format.samples {
		r.samples = 0
	}
	lib := env.app(cmd).Library()
	defer lib.Close()
	p, err := r.compute(cmd.Context(), env, lib, args)
	if err != nil {
		return err
	}
	if err := p.Rank(); err != nil {
		return err
	}
	// Comparisons take time: they are computed for two runs that can be ranked, and otherwise only
	// for the formats that show them.
	if format.compares || r.figures != "" || len(p.Runs) == 2 && p.Leaderboard != nil {
		if err := p.Compare(format.compares); err != nil {
			return err
		}
	}
	if r.figures != "" {
		if err := r.draw(cmd.Context(), env, p); err != nil || !r.format.Given() && r.out == "" {
			return err
		}
	}
	return env.writeResult(r.out, contentOf(format.Name), func(w *File, s terminal.Style) error {
		if format.write != nil {
			return format.write(w, p.Report, s)
		}
		o := layout.Options{EveryLength: r.everyLength, ByRun: r.byRun, Raw: r.raw, Program: env.program()}
		if cmd.Flags().Changed("fail-under") {
			o.FailUnder = &r.failUnder
		}
		return format.Write(w, layout.Report(p.Report, o), s)
	})
}

// compute computes the report of the runs that the arguments name. A baseline is the first of
// them.
func (r *reportFlags) compute(ctx context.Context, env *Env, lib *library.Library, args []string) (*library.Report, error) {
	metric, err := parseMetric(r.metric)
	if err != nil {
		return nil, err
	}
	by, err := report.ParseGroupBy(r.groupBy)
	if err != nil {
		return nil, errkind.Usagef("", "--group-by: %w", err)
	}
	if len(args) == 0 {
		args = []string{"last"}
	}
	if r.baseline != "" {
		args = append([]string{r.baseline}, args...)
	}
	runs, err := lib.Named(ctx, args)
	if err != nil {
		return nil, err
	}
	defer app.SaveReportMemory(env.Getenv, runs)()
	p, err := library.ReportOf(ctx, report.Options{Metric: metric, GroupBy: by, Samples: r.samples}, runs)
	if err != nil {
		return nil, err
	}
	if r.baseline != "" {
		p.Baseline = 0
	}
	a := env.app(nil)
	p.Tool, p.Command, p.Database = a.Tool, a.CommandLine(), a.NamedDatabase()
	return p, nil
}

// draw writes the figures of the report.
func (r *reportFlags) draw(ctx context.Context, env *Env, p *library.Report) error {
	paths, err := paper.WriteFigures(ctx, r.figures, paper.Charts(p.Report), env.Unfinished.Add)
	if err != nil {
		return errkind.Runtimef("", "%w", err)
	}
	for _, path := range paths {
		env.Note("%s", path)
	}
	return nil
}

// study writes the study that --preset names.
func (r *reportFlags) study(cmd *cobra.Command, env *Env, args []string) error {
	o := presetOptions{Name: r.preset, Out: r.out, Figures: r.figures, Raw: r.raw}
	if r.format.Given() {
		var err error
		if o.Format, err = r.format.Name(); err != nil {
			return err
		}
		if err := onlyCSV("raw", r.raw, o.Format); err != nil {
			return err
		}
	}
	return presetReport(cmd, env, args, o)
}
