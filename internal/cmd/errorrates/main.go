// Command errorrates checks the error rates that the statistics of this program state, by
// simulation, and writes the page docs/error-rates.md:
//
//	go run ./internal/cmd/errorrates -o docs/error-rates.md
//
// All random numbers come from fixed seeds, in batches with a stream each, so that the
// page is the same on any number of cores. Some populations use the published SortBench
// scores in the folder -oracle; without them only the built-in populations remain. The
// tests of this package run a short form and fail if a stated rate is missed.
//
// One file for each part:
//
//	main.go, page.go, introduction.go           the command and the page
//	simulator.go, statedrate.go                 repeated runs; measured and stated rates
//	benchmark.go, differences.go, scores.go     the populations
//	coverage.go, intervals.go                   sections on intervals
//	horizon.go, ranks.go, stoppedintervals.go   further sections on intervals
//	verdicts.go, gate.go, unchanged.go          sections on verdicts
//	few.go, several.go, onebaseline.go          few items, several models, many checks
//	endpoints.go, verifycommand.go              verify, smoke and sentinel
//	invalidrules.go, savings.go                 rules that do not hold; requests saved
//
// Start reading at sections.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"
)

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// command runs the program and returns its exit code: 0 success, 1 an error or a stated rate that is
// missed, 2 usage error.
func command(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("errorrates", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", "", "write the page to `FILE` instead of standard output")
	oracle := flags.String("oracle", "internal/oracle/testdata", "folder that holds stats/cells.json, the published scores")
	short := flags.Bool("short", false, "short form: fewer settings, fewer runs")
	only := flags.String("only", "", "make only the section `NAME`")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		if err == nil {
			fmt.Fprintln(stderr, "errorrates: usage: errorrates [-o FILE] [-oracle DIR] [-short] [-only NAME]")
		}
		return 2
	}
	known, err := readScores(*oracle)
	switch {
	case errors.Is(err, os.ErrNotExist):
		fmt.Fprintln(stderr, "errorrates: no published scores, built-in populations only:", err)
	case err != nil:
		fmt.Fprintln(stderr, "errorrates:", err)
		return 1
	}
	l := &simulator{workers: runtime.GOMAXPROCS(0), short: *short, scores: known}
	broken, err := write(l, *out, *only, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "errorrates:", err)
		return 1
	}
	for _, c := range broken {
		fmt.Fprintln(stderr, "errorrates: missed:", c)
	}
	if len(broken) > 0 {
		return 1
	}
	return 0
}

// write makes the sections and writes the page, to stdout or to a file, which is replaced only by a
// complete page. only is the name of the only section to make; empty: all. It returns the stated
// rates that are missed.
func write(l *simulator, file, only string, stdout, stderr io.Writer) (broken []statedRate, err error) {
	var made []section
	for _, s := range sections() {
		if only != "" && s.name != only {
			continue
		}
		start := time.Now()
		made = append(made, s.make(l))
		fmt.Fprintf(stderr, "errorrates: %s took %.0f s\n", s.name, time.Since(start).Seconds())
	}
	if len(made) == 0 {
		return nil, fmt.Errorf("unknown section %q", only)
	}
	for _, s := range made {
		for _, c := range s.stated {
			if c.broken(l.tolerance()) {
				broken = append(broken, c)
			}
		}
	}
	if file == "" {
		return broken, page(stdout, l, made)
	}
	f, err := os.Create(file + ".new")
	if err != nil {
		return broken, err
	}
	err = errors.Join(page(f, l, made), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return broken, err
}

// sections lists the sections in the order of the page.
func sections() []sectionMaker {
	return []sectionMaker{
		{"shares", shareCoverage},
		{"differences", differenceCoverage},
		{"strata", strataCoverage},
		{"ranks", rankCoverage},
		{"tasks", taskCoverage},
		{"stopped", stoppedCoverage},
		{"horizon", horizonCoverage},
		{"compare", compareVerdicts},
		{"few", fewItems},
		{"several", severalModels},
		{"benchmark", benchmarkVerdicts},
		{"endpoint", endpointVerdicts},
		{"gate", gateVerdicts},
		{"one-baseline", oneBaseline},
		{"unchanged", unchangedEndpoint},
		{"endpoints", endpointTests},
		{"invalid-rules", invalidRules},
		{"savings", savings},
	}
}

// A sectionMaker makes one section of the page.
type sectionMaker struct {
	name string // for -only
	make func(l *simulator) section
}
