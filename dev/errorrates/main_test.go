package main

import (
	"bytes"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/verdict"
)

const published = "../../internal/oracle/testdata/stats/"

func publishedScores(t *testing.T) *scores {
	t.Helper()
	s, err := readScores(published + "cells.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStatedRates makes the short form of every section and fails where a stated rate is missed by more
// than chance, or where the page has another text, another setting, or another number that is summed exactly.
func TestStatedRates(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates for half a minute")
	}
	page, err := os.ReadFile("../../docs/dev/error-rates.md")
	if err != nil {
		t.Fatal(err)
	}
	l := &simulator{workers: runtime.GOMAXPROCS(0), short: true, scores: publishedScores(t)}
	if !bytes.HasPrefix(page, []byte(introduction)) {
		t.Error("docs/dev/error-rates.md begins otherwise: make it again")
	}
	for _, s := range sections() {
		t.Run(s.name, func(t *testing.T) {
			var b bytes.Buffer
			rates := l.section(&b, s)
			if len(rates) == 0 {
				t.Error("nothing is stated")
			}
			for _, r := range rates {
				if r.missed(l.tolerance()) {
					t.Error(r)
				}
			}
			for line := range strings.Lines(b.String()) {
				if strings.HasPrefix(line, "| ") && s.name != "shares" && s.name != "few" {
					line, _, _ = strings.Cut(line[2:], " | ") // the numbers are of fewer runs
				}
				if !bytes.Contains(page, []byte(line)) {
					t.Errorf("docs/dev/error-rates.md lacks %q: make it again", line)
				}
			}
		})
	}
}

// The page for users must have a rate for each claim.
func TestUsersPage(t *testing.T) {
	saved, err := os.ReadFile("../../docs/error-rates.md")
	if err != nil {
		t.Fatal(err)
	}
	made := string(usersPage(nil))
	for i, line := range strings.Split(made, "\n") {
		if c := strings.Split(line, " | "); len(c) == 4 && i > 6 {
			if !bytes.Contains(saved, []byte(c[0]+" | ")) || !bytes.Contains(saved, []byte(" | "+c[3])) {
				t.Errorf("docs/error-rates.md lacks %q: make it again", line)
			}
		} else if !bytes.Contains(saved, []byte(line)) {
			t.Errorf("docs/error-rates.md lacks %q: make it again", line)
		}
	}
	l := &simulator{short: true, scores: publishedScores(t)}
	known := map[string]bool{}
	for _, s := range sections() {
		for _, table := range s.tables(l) {
			for _, c := range table.cases {
				for _, limit := range c.stated {
					known[limit.claim] = true
				}
			}
		}
	}
	for _, c := range claims() {
		for _, name := range c.limits {
			if !known[name] {
				t.Errorf("no limit is of %q", name)
			}
		}
	}
}

// The pages must not depend on the machine.
func TestRepeatIsTheSameOnAnyNumberOfCores(t *testing.T) {
	draw := func(workers int, name string) []estimate {
		return (&simulator{workers: workers}).repeat(simulation{name, 1234, []string{"normal", "share"}, func(r *rand.Rand, out []float64) {
			out[0], out[1] = r.NormFloat64(), indicator(r.Float64() < .3)
		}, nil})
	}
	few, many := draw(1, "draws"), draw(7, "draws")
	if few[0] != many[0] || few[1] != many[1] {
		t.Errorf("%v with one worker, %v with seven", few, many)
	}
	if few[0].runs != 1234 || few[0].share || !few[1].share {
		t.Errorf("%+v of 1,234 runs, of numbers and of shares", few)
	}
	if e := few[0]; e.mean < -4*e.se || e.mean > 4*e.se || e.se < .025 || e.se > .032 {
		t.Errorf("the mean of normal numbers is %v", e)
	}
	if e := few[1]; e.mean < .3-4*e.se || e.mean > .3+4*e.se {
		t.Errorf("a share of .3 is %v", e)
	}
	if draw(2, "other draws")[0].mean == few[0].mean {
		t.Error("another name, and the same numbers")
	}
}

func TestMissed(t *testing.T) {
	share := func(mean float64) estimate { return estimate{mean: mean, se: .001, runs: 10_000, share: true} }
	for _, c := range []struct {
		measured     estimate
		rate         float64
		least        bool
		missed, full bool // with a tolerance of four errors, and without one
	}{
		{share(.05), .05, false, false, false},
		{share(.058), .05, false, false, true}, // within four errors of .0022
		{share(.06), .05, false, true, true},
		{share(.942), .95, true, false, true},
		{share(.94), .95, true, true, true},
		{estimate{mean: .94}, .945, true, true, true}, // summed: no error
		{estimate{mean: .946}, .945, true, false, false},
	} {
		r := statedRate{limit{rate: c.rate, least: c.least}, c.measured, ""}
		if r.missed(4) != c.missed || r.missed(0) != c.full {
			t.Errorf("%v: missed %v, without tolerance %v", r, r.missed(4), r.missed(0))
		}
	}
	for want, e := range map[string]estimate{
		"0.0123 ± 0.0011": {.0123, .0011, 10_000, true},
		"< 0.0003":        {0, 0, 10_000, true},
		"> 0.9997":        {1, 0, 10_000, true},
		"0.0000 ± 0.0100": {0, .01, 10_000, false},
		"0.9500":          {mean: .95},
	} {
		if e.String() != want {
			t.Errorf("%q, want %q", e, want)
		}
	}
}

func TestCommand(t *testing.T) {
	page, users := filepath.Join(t.TempDir(), "page.md"), filepath.Join(t.TempDir(), "users.md")
	var stdout, stderr bytes.Buffer
	args := []string{"-short", "-only", "shares", "-scores", published + "cells.json"}
	if code := command(append(args, "-o", page, "-users", users), &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d: %s", code, &stderr)
	}
	for name, want := range map[string]string{page: "\n## Intervals of a share\n", users: "| ≥ 94.5 %; ≥ 90 % | 95.0 %; 90.4 % |"} {
		if data, err := os.ReadFile(name); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("no %q in the page (%v):\n%s", want, err, data)
		}
	}
	for code, args := range map[int][]string{2: {"-nonsense"}, 1: {"-only", "nonsense", "-scores", published + "cells.json"}} {
		if got := command(args, &stdout, &stderr); got != code {
			t.Errorf("%v: exit %d", args, got)
		}
	}
	if got := command([]string{"-scores", "nothing"}, &stdout, &stderr); got != 1 {
		t.Errorf("without scores: exit %d", got)
	}
}

// A population must have the difference that it says.
func TestPopulationsAreWhatTheySay(t *testing.T) {
	s := publishedScores(t)
	l := &simulator{workers: 2}
	for _, p := range append(publishedPopulations(s), exactAnswers(.9, 1440), outrightFailures(1440)) {
		for _, delta := range []float64{0, -.02, -.1} {
			e := l.repeat(simulation{"population/" + p.name, 60, []string{"mean"}, func(r *rand.Rand, out []float64) {
				b := p.draw(r, delta)
				out[0] = mean(b.differences)
				for i, c := range b.cells {
					if c%len(s.lengths) != i%len(s.lengths) {
						t.Errorf("position %d of the order has an item of length %d", i, c%len(s.lengths))
						return
					}
				}
			}, nil})[0]
			if e.mean < delta-4*e.se-1e-12 || e.mean > delta+4*e.se+1e-12 {
				t.Errorf("%s of %v: %v", p.name, delta, e)
			}
		}
	}
}

// The table of few items must have the verdicts of compare: a posterior alone is wrong too
// often, the sign-flip test mends it, and large differences are found.
func TestVerdictTable(t *testing.T) {
	alone, tested := newVerdictTable(12, false), newVerdictTable(12, true)
	if worst := alone.worstEqual(); worst < .14 || worst > .15 {
		t.Errorf("12 items, posterior alone: wrong in %.4f of comparisons at worst, want .14 to .15", worst)
	}
	if worst := tested.worstEqual(); worst <= .01 || worst > alpha {
		t.Errorf("12 items, with the test: wrong in %.4f of comparisons at worst, want .01 to %g", worst, alpha)
	}
	for onlyA := range alone {
		for onlyB := range alone[onlyA] {
			c := comparisonOf(12, onlyA, onlyB)
			word := (&verdict.Options{Threshold: threshold}).Word(&c.Difference)
			if got, want := tested[onlyA][onlyB], word == verdict.Worse || word == verdict.Better; got != want {
				t.Errorf("%d only A, %d only B, with the test: %v, but compare says %q", onlyA, onlyB, got, word)
			}
		}
	}
}

// What stopping early saves on published scores is what another program found, for
// bets that do not use the baseline's scores, and not less for those that do.
func TestSavingsAreThosePublished(t *testing.T) {
	s := publishedScores(t)
	f, err := os.Open(published + "seqsim_real.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	l, found := &simulator{workers: 2}, 0
	for _, row := range rows[1:] {
		pair := strings.Split(row[0], ">")
		want, err := strconv.ParseFloat(row[8], 64)
		if err != nil {
			t.Fatal(err)
		}
		plain := test{width: rope}.fresh(false)
		switch row[3] {
		case "betting, finite benchmark, block 8":
			plain = test{width: rope}.whole(false, false)
		case "betting, superpopulation, block 8":
		default:
			continue
		}
		found++
		e := l.repeat(simulation{row[0], 40, []string{"items", "cost of the baseline"}, func(r *rand.Rand, out []float64) {
			b := s.realised(r, pair[0], pair[1])
			_, _, items := plain(b, 0)
			_, _, withBaseline := test{width: rope}.whole(false, true)(b, 0)
			out[0], out[1] = float64(items), float64(withBaseline-items)
		}, nil})
		// Theirs is a mean of 1,000 orders, 25 times as many; some of them stop early
		// where none of these does.
		if math.Abs(e[0].mean-want) > 4*e[0].se*math.Sqrt(1+1./25)+5 {
			t.Errorf("%s, %s: %.0f ± %.0f items, another program found %.0f", row[0], row[3], e[0].mean, e[0].se, want)
		}
		if e[1].mean > 4*e[1].se+1 {
			t.Errorf("%s: the baseline's scores cost %.1f ± %.1f items", row[0], e[1].mean, e[1].se)
		}
	}
	if found != 42 {
		t.Errorf("%d rows were compared, of 21 pairs in two scopes", found)
	}
}
