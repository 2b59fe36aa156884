// Command errorrates repeats by simulation the error rates that the statistics of
// this program state, and writes the page docs/error-rates.md:
//
//	go run ./internal/cmd/errorrates -o docs/error-rates.md
//
// Everything is drawn from fixed seeds, in portions that have each their own, so
// that the page is the same however many cores work on it. The published SortBench
// scores, where -oracle finds them, lend the simulations their shapes; without them
// the built-in shapes remain. The tests of this package run a short form of the same
// and fail where a stated rate is broken.
//
// Start reading at sections, the list of what is simulated.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"
)

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// command runs the program and returns its exit code: 0 done, 1 failed, or a
// stated rate is broken, 2 misused.
func command(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("errorrates", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", "", "write the page to `FILE` instead of standard output")
	oracle := flags.String("oracle", "internal/oracle/testdata", "folder that holds stats/cells.json, the published scores")
	short := flags.Bool("short", false, "make fewer settings and fewer runs of each: a look, not the page")
	only := flags.String("only", "", "make the one section of this `NAME`")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		if err == nil {
			fmt.Fprintln(stderr, "errorrates: usage: errorrates [-o FILE] [-oracle DIR] [-short] [-only NAME]")
		}
		return 2
	}
	known, err := readScores(*oracle)
	switch {
	case errors.Is(err, os.ErrNotExist):
		fmt.Fprintln(stderr, "errorrates: no published scores: built-in shapes only:", err)
	case err != nil:
		fmt.Fprintln(stderr, "errorrates:", err)
		return 1
	}
	l := &lab{workers: runtime.GOMAXPROCS(0), short: *short, scores: known}
	broken, err := write(l, *out, *only, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "errorrates:", err)
		return 1
	}
	for _, c := range broken {
		fmt.Fprintln(stderr, "errorrates: broken:", c)
	}
	if len(broken) > 0 {
		return 1
	}
	return 0
}

// write makes the sections and writes the page, to a file where one is named, which
// is replaced only by a whole page. It returns the claims that are broken.
func write(l *lab, file, only string, stdout, stderr io.Writer) (broken []claim, err error) {
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
		return nil, fmt.Errorf("no section is named %q", only)
	}
	for _, s := range made {
		for _, c := range s.claims {
			if c.broken() {
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
	w := bufio.NewWriter(f)
	if err := errors.Join(page(w, l, made), w.Flush(), f.Close()); err != nil {
		return broken, err
	}
	return broken, os.Rename(file+".new", file)
}

// sections lists what is simulated, in the order of the page.
func sections() []maker {
	return []maker{
		{"shares", shareCoverage},
		{"differences", differenceCoverage},
		{"strata", strataCoverage},
		{"ranks", rankCoverage},
		{"tasks", taskCoverage},
		{"stops", stopCoverage},
		{"limits", limitCoverage},
		{"compare", compareVerdicts},
		{"benchmark", benchmarkVerdicts},
		{"endpoint", endpointVerdicts},
		{"gate", gateVerdicts},
		{"twice", askedTwice},
		{"rivals", rivals},
		{"savings", savings},
	}
}

// A maker makes one section of the page.
type maker struct {
	name string // as -only knows it
	make func(l *lab) section
}
