// Command errorrates checks the error rates that the statistics of this program state, by
// simulation, and writes two pages, one for developers with every table, and one for users:
//
//	cd dev && go run ./errorrates -o ../docs/dev/error-rates.md -users ../docs/error-rates.md
//
// All random numbers come from fixed seeds, in batches with a stream each, so that the
// pages are the same on any number of cores. Some populations use the published SortBench
// scores. The tests of this package run a short form and fail if a stated rate is missed.
//
// A section has tables, and a table has a case for each row: its settings, what is
// simulated, and the rates that are stated (simulator.go). intervals.go, verdicts.go and
// endpoints.go list the cases; populations.go draws the data.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// command runs the program and returns its exit code: 0 success, 1 an error or a stated rate that is
// missed, 2 usage error.
func command(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("errorrates", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", "", "write the tables to `FILE` instead of standard output")
	users := flags.String("users", "", "write the page for users to `FILE`")
	published := flags.String("scores", "../internal/oracle/testdata/stats/cells.json", "the `FILE` of the published scores")
	short := flags.Bool("short", false, "short form: fewer settings, fewer runs")
	only := flags.String("only", "", "make only the sections `NAME,…`")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		flags.Usage()
		return 2
	}
	known, err := readScores(*published)
	if err == nil {
		l := &simulator{workers: runtime.GOMAXPROCS(0), short: *short, scores: known, progress: stderr}
		err = l.write(*out, *users, *only, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "errorrates:", err)
		return 1
	}
	return 0
}

// write makes the sections, or only one, and writes the pages. The error names the stated rates that are missed.
func (l *simulator) write(out, users, only string, stdout io.Writer) error {
	var page bytes.Buffer
	page.WriteString(introduction)
	if l.short {
		page.WriteString("\n*This page is the short form, with a part of the settings and of the runs.*\n")
	}
	var rates []statedRate
	for _, s := range sections() {
		if only != "" && !slices.Contains(strings.Split(only, ","), s.name) {
			continue
		}
		start := time.Now()
		rates = append(rates, l.section(&page, s)...)
		fmt.Fprintf(l.progress, "errorrates: %s took %.0f s\n", s.name, time.Since(start).Seconds())
	}
	if len(rates) == 0 {
		return fmt.Errorf("unknown section %q", only)
	}
	var missed []error
	for _, r := range rates {
		if r.missed(l.tolerance()) {
			missed = append(missed, fmt.Errorf("missed: %s", r))
		}
	}
	if out == "" {
		_, err := stdout.Write(page.Bytes())
		missed = append(missed, err)
	} else {
		missed = append(missed, os.WriteFile(out, page.Bytes(), 0o666))
	}
	if users != "" {
		missed = append(missed, os.WriteFile(users, usersPage(rates), 0o666))
	}
	return errors.Join(missed...)
}

// sections lists the sections in the order of the page.
func sections() []section {
	return append(append(intervals(), verdicts()...), endpoints(), invalidRules(), savings())
}

// introduction opens the page with all tables.
const introduction = `# Error rates: all tables

How often the statistics of this program are wrong, by simulation: populations with a known truth are drawn again and again, and the errors are counted. [Error rates](../error-rates.md) is the summary for users.

- “0.0123 ± 0.0011” is a share and its Monte Carlo standard error. “< 0.0008” never occurred; the number is the 95 % bound on its rate.
- Some populations are built in. The others draw from the published SortBench scores in ` + "`internal/oracle/testdata/stats/cells.json`" + `: seven models, 18 tasks, 8 lengths, ten lists each. Their differences have the ties and tails of real answers.
- The command fails if any measured rate misses its stated rate, by however little. ` + "`go test ./errorrates`" + ` in ` + "`dev`" + ` runs a short form with fewer runs, which may miss by four Monte Carlo errors.

To repeat the simulation (about half an hour on one core; the pages are the same, byte for byte, on any number of them):

` + "```" + `
cd dev && go run ./errorrates -o ../docs/dev/error-rates.md -users ../docs/error-rates.md
` + "```" + `
`

// usersPage writes the page for users: a row for each claim, with the worst measured rate.
func usersPage(rates []statedRate) []byte {
	var b bytes.Buffer
	b.WriteString(usersIntroduction)
	for _, c := range claims() {
		var stated, measured []string
		for _, limit := range c.limits {
			var worst statedRate
			for _, r := range rates {
				if r.claim == limit && (worst.claim == "" || r.slack() < worst.slack()) {
					worst = r
				}
			}
			sign := "≤"
			if worst.least {
				sign = "≥"
			}
			stated, measured = append(stated, fmt.Sprintf("%s %.3g %%", sign, 100*worst.rate)), append(measured, worst.measured.percentBound())
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.text, strings.Join(stated, "; "), strings.Join(measured, "; "), c.assumption)
	}
	b.WriteString(usersEnd)
	return b.Bytes()
}

const usersIntroduction = `# Error rates

How often the statistics of this program are wrong: what is stated, and the worst that was measured in simulations with a known truth. The populations are exact answers of any accuracy, rare failures, and draws from the
published SortBench scores. A rate holds on average over many runs; nothing is stated for one baseline or one benchmark alone.

| claim | stated | worst measured | assumption |
|---|---|---|---|
`

const usersEnd = `
Proved are the rates of tests that stop early by bets: they hold for any scores and any number of looks. Proved is also the 5 % of ` + "`compare`" + ` on equal models, for any number of items that differ. Enumerated are the rates of “equivalent” and of the last look of ` + "`check`" + ` on the edge, for right or wrong
answers and 10 to 300 items: no outcome is left out. All other rates are measured. Each holds for one look: someone who looks at ` + "`compare`" + ` again and again until there is a verdict has more errors.

[All tables](dev/error-rates.md) have every population and setting, the rules that do not hold, the calls that stopping early saves, and the command that repeats the simulation.
`

// A claim is a row of the page for users: one or more stated rates under one assumption.
type claim struct {
	text, assumption string
	limits           []string // the names of its rates
}

func claims() []claim {
	return []claim{
		{"the interval of a share holds it: on average over true shares; for the worst of them", "independent answers, 10 items or more; Wilson intervals, summed exactly over every outcome", []string{"share, average", "share, worst"}},
		{"the interval of a mean difference holds it: up to 20 items; more items", "independent items; tasks and lengths fixed", []string{"difference, few", "difference"}},
		{"the rank intervals of a leaderboard all hold", "all runs answered the same items, 20 or more; up to seven runs, equal, nearly equal or apart", []string{"ranks"}},
		{"the interval for tasks that were not asked holds", "the tasks are a sample of all tasks; five or more", []string{"tasks"}},
		{"the interval where a test stopped holds", "proved, for any scores: in the scope of the endpoint or of the benchmark", []string{"stop"}},
		{"the interval of the 50 % horizon holds it", "independent answers; the share right is logistic in the logarithm of the length, or a step, below any share of lapses", []string{"horizon"}},
		{"`compare` is wrong: equal models called different, all of one output together; on the edge of the ROPE", "one look, at a number of items chosen in advance; for equal models, differences as likely in one direction as in the other", []string{"compare, equal", "compare"}},
		{"`--until-verdict` is wrong: about the endpoint or the benchmark; about an unchanged endpoint, from 80 items on", "items in random order; worst on the edge of the ROPE", []string{"until", "until, unchanged"}},
		{"`check` is wrong: “worse” or “pass”; “worse” of an unchanged endpoint, from 80 items on", "averaged over baselines; worst on the edge of the margin", []string{"check", "check, unchanged"}},
		{"`verify`, `smoke` or `sentinel` alarms on an endpoint that does not change", "a command as a whole; a watch of 365 days with deviations up to its tolerance", []string{"endpoints"}},
	}
}
