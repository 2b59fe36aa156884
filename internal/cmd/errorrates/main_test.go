package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"verbatim/internal/oracle"
)

// scoresDir returns the folder of published scores.
func scoresDir(t *testing.T) string {
	t.Helper()
	return filepath.Dir(oracle.Path(t, "stats"))
}

// TestStatedRates makes the short form of every section and fails where a stated
// rate is missed by more than chance.
func TestStatedRates(t *testing.T) {
	if os.Getenv("VERBATIM_EXHAUSTIVE") == "" {
		t.Skip("VERBATIM_EXHAUSTIVE=1 simulates the rates; scripts/check exhaustive does")
	}
	l := &simulator{workers: runtime.GOMAXPROCS(0), short: true}
	s, err := readScores(scoresDir(t))
	if err != nil {
		t.Fatal(err)
	}
	l.scores = s
	saved, err := os.ReadFile("../../../docs/error-rates.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range sections() {
		t.Run(m.name, func(t *testing.T) {
			s := m.make(l)
			if !bytes.Contains(saved, []byte("\n## "+s.title+"\n")) {
				t.Errorf("docs/error-rates.md has no section %q: make it again", s.title)
			}
			for _, text := range wording(s) {
				if !bytes.Contains(saved, []byte(text)) {
					t.Errorf("docs/error-rates.md lacks the text %q of %q: make it again", text, s.title)
				}
			}
			for _, row := range summedRows(s) {
				if !bytes.Contains(saved, []byte(row)) {
					t.Errorf("docs/error-rates.md lacks the row %q of %q: make it again", row, s.title)
				}
			}
			if len(s.stated) == 0 && (m.name != "savings" || l.scores != nil) {
				t.Error("nothing was claimed")
			}
			for _, c := range s.stated {
				if c.broken(l.tolerance()) {
					t.Error(c)
				}
			}
			for _, table := range s.tables {
				if len(table.rows) == 0 {
					t.Errorf("%q has no rows", table.title)
				}
				for _, r := range table.rows {
					if len(r) != len(table.head) {
						t.Errorf("%q: %d cells below %d heads: %q", table.title, len(r), len(table.head), r)
					}
				}
			}
		})
	}
}

// wording returns the texts of a section that no number changes, as the page has them.
func wording(s section) []string {
	texts := []string{"\n" + strings.TrimSpace(s.text) + "\n"}
	for _, t := range s.tables {
		texts = append(texts, "\n| "+strings.Join(t.head, " | ")+" |\n")
		if t.title != "" {
			texts = append(texts, "\n**"+t.title+"**\n")
		}
		if t.note != "" {
			texts = append(texts, "\n"+t.note+"\n")
		}
	}
	return texts
}

// summedRows returns the rows of a section that is summed exactly, which the short form has
// as the page has them.
func summedRows(s section) (rows []string) {
	for _, c := range s.stated {
		if c.measured.runs > 0 {
			return nil
		}
	}
	for _, t := range s.tables {
		for _, r := range t.rows {
			rows = append(rows, "\n| "+strings.Join(r, " | ")+" |\n")
		}
	}
	return rows
}

// The page must not depend on the machine.
func TestRepeatIsTheSameOnAnyNumberOfCores(t *testing.T) {
	draw := func(workers, runs int) []estimate {
		l := &simulator{workers: workers}
		return l.repeat("draws", runs, 2, func(r *rand.Rand, out []float64) {
			out[0], out[1] = r.NormFloat64(), indicator(r.Float64() < .3)
		})
	}
	few, many := draw(1, 1234), draw(7, 1234)
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
	other := (&simulator{workers: 2}).repeat("other draws", 1234, 2, func(r *rand.Rand, out []float64) { out[0] = r.NormFloat64() })
	if other[0].mean == few[0].mean {
		t.Error("another name, and the same numbers")
	}
}

func TestClaim(t *testing.T) {
	share := func(mean float64) estimate { return estimate{mean: mean, se: .001, runs: 10_000, share: true} }
	for _, c := range []struct {
		statedRate
		broken bool
	}{
		{statedRate{"", share(.05), .05, false}, false},
		{statedRate{"", share(.058), .05, false}, false}, // within four errors of .0022
		{statedRate{"", share(.06), .05, false}, true},
		{statedRate{"", share(.942), .95, true}, false},
		{statedRate{"", share(.94), .95, true}, true},
		{statedRate{"", estimate{mean: .94}, .945, true}, true}, // summed: no error
		{statedRate{"", estimate{mean: .946}, .945, true}, false},
	} {
		if c.statedRate.broken(shortErrors) != c.broken {
			t.Errorf("%v: broken is %v", c.statedRate, !c.broken)
		}
		if above := c.measured.mean > c.limit != c.minimum; c.statedRate.broken(0) != above {
			t.Errorf("%v: without tolerance broken is %v", c.statedRate, !above)
		}
	}
}

func TestEstimateString(t *testing.T) {
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
	dir := t.TempDir()
	file := filepath.Join(dir, "page.md")
	var stdout, stderr bytes.Buffer
	if code := command([]string{"-short", "-only", "shares", "-o", file, "-oracle", dir}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d: %s", code, &stderr)
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Error rates\n", "without the published scores", "short form", "\n## Intervals of a share\n", "| 1440 |"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in the page:\n%s", want, page)
		}
	}
	if left, _ := filepath.Glob(file + ".*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	for _, args := range [][]string{{"-nonsense"}, {"argument"}} {
		if code := command(args, &stdout, &stderr); code != 2 {
			t.Errorf("%v: exit %d", args, code)
		}
	}
	if code := command([]string{"-only", "nonsense", "-oracle", dir}, &stdout, &stderr); code != 1 {
		t.Errorf("a section of nonsense: exit %d", code)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if code := command([]string{"-short", "-only", "shares", "-o", folder, "-oracle", dir}, &stdout, &stderr); code != 1 {
		t.Errorf("a folder in place of the page: exit %d", code)
	}
	if left, _ := filepath.Glob(folder + ".*"); len(left) > 0 {
		t.Errorf("a page that could not get its name is left: %v", left)
	}
}

// The page in docs is of this code: it must hold what is summed exactly.
func TestPageInDocs(t *testing.T) {
	saved, err := os.ReadFile("../../../docs/error-rates.md")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	l := &simulator{scores: &scores{}}
	if err := page(&b, l, []section{shareCoverage(l)}); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(saved, b.Bytes()) {
		t.Error("docs/error-rates.md does not begin as the command writes it: make it again")
	}
}

func TestReadScores(t *testing.T) {
	dir := t.TempDir()
	if _, err := readScores(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "stats"), 0o777); err != nil {
		t.Fatal(err)
	}
	ten := "[1,1,1,1,1,1,1,1,1,1]"
	for data, fine := range map[string]bool{
		`{`: false,
		`{"cells":[["b",16],["b",2],["a",16],["a",2]],"v":{"y":[` + ten + "," + ten + `,[0,0,0,0,0,0,0,0,0,0.5],` + ten + `],"x":[` + ten + "," + ten + "," + ten + "," + ten + `]}}`: true,
		`{"cells":[["b",16],["b",2],["a",16]],"v":{}}`:             false, // no grid
		`{"cells":[["b",16]],"v":{"x":[[1]]}}`:                     false, // one list of ten
		`{"cells":[["b",16]],"v":{"x":[]}}`:                        false,
		`{"cells":[[1,16]],"v":{}}`:                                false,
		`{"cells":[["b",16]],"v":{"x":[[0,0,0,0,0,0,0,0,0,1.5]]}}`: false, // no score
	} {
		if err := os.WriteFile(filepath.Join(dir, "stats", "cells.json"), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := readScores(dir)
		if (err == nil) != fine {
			t.Errorf("%s: %v", data, err)
			continue
		}
		if fine {
			d := s.differences("x", "y")
			if got := d[s.index(0, 1, 9)]; got != -.5 || s.lengths[1] != 16 || s.tasks[0] != "a" || s.models[0] != "x" {
				t.Errorf("%v: %+v", got, s)
			}
			if at := s.atLength(d, 16); len(at) != 20 || at[9] != -.5 || s.atLength(d, 3) != nil {
				t.Errorf("%v", at)
			}
		}
	}
}

// A family must have the difference that it says.
func TestFamiliesAreWhatTheySay(t *testing.T) {
	s, err := readScores(scoresDir(t))
	if err != nil {
		t.Fatal(err)
	}
	l := &simulator{workers: 2}
	for _, p := range append(publishedPopulations(s), exactAnswers(.9, 1440), outrightFailures(1440)) {
		for _, delta := range []float64{0, -.02, -.1} {
			e := l.repeat("family/"+p.name, 60, 2, func(r *rand.Rand, out []float64) {
				b := p.draw(r, delta)
				out[0] = mean(b.differences)
				if b.cells == nil {
					return
				}
				count := map[int]int{}
				for i, c := range b.cells {
					count[c]++
					if c%len(s.lengths) != i%len(s.lengths) {
						t.Errorf("position %d of the order has an item of length %d", i, c%len(s.lengths))
						return
					}
				}
				if len(count) != 144 || count[7] != lists {
					t.Errorf("%d cells, %d items in one", len(count), count[7])
				}
			})[0]
			if e.mean < delta-4*e.se-1e-12 || e.mean > delta+4*e.se+1e-12 {
				t.Errorf("%s of %v: %v", p.name, delta, e)
			}
		}
	}
}
