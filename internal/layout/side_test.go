package layout

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"verbatim/internal/table/tabletest"

	"verbatim/internal/number"
	"verbatim/internal/recordtest"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// severalRuns are n runs of three families.
func severalRuns(t *testing.T, n int) *report.Report {
	t.Helper()
	var in []report.Input
	for i := range n {
		s := recordtest.Quick()
		s.Families, s.Seed, s.Name, s.Model = s.Families[:3], uint64(i+1), fmt.Sprintf("m%d-3f9a2c-1", i+1), fmt.Sprintf("provider:model-of-a-kind-%d", i+1)
		in = append(in, input(s, int64(i+1)))
	}
	return must(report.Of(report.Options{}, in...))(t)
}

// As many runs are side by side as fit, distributed evenly over the tables.
func TestRunsPerTable(t *testing.T) {
	for _, c := range []struct{ runs, width, tables int }{
		{2, 80, 1}, {4, 80, 1}, {5, 80, 2}, {7, 80, 2}, {7, 120, 1}, {12, 120, 2}, {12, 200, 1}, {3, 44, 2},
	} {
		var out bytes.Buffer
		if err := writeReport("text")(&out, severalRuns(t, c.runs), terminal.Style{Width: c.width}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "\nexact in %"); n != c.tables {
			t.Errorf("%d runs in %d columns: %d tables, want %d\n%s", c.runs, c.width, n, c.tables, out.String())
		}
		for i := range c.runs {
			if n := strings.Count(out.String(), fmt.Sprintf("run %d\n", i+1)) + strings.Count(out.String(), fmt.Sprintf("run %d ", i+1)); n < 2 {
				t.Errorf("%d runs in %d columns: run %d is missing", c.runs, c.width, i+1)
			}
		}
	}
}

// Every run can be shown by itself, and is where there is no room for two.
func TestRunsByThemselves(t *testing.T) {
	r := severalRuns(t, 3)
	for _, s := range []struct {
		Options
		terminal.Style
	}{{Options: Options{ByRun: true}}, {Options: Options{EveryLength: true}}, {Style: terminal.Style{Width: 40}}} {
		var out bytes.Buffer
		if err := tabletest.Write(&out, "text", Report(r, s.Options), s.Style); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "\nmodel  "); n != 3 {
			t.Errorf("%+v: %d runs by themselves", s, n)
		}
	}
}

// In a table side by side, each figure belongs to the run above it.
func TestSidesHaveTheirOwnFigures(t *testing.T) {
	r := severalRuns(t, 4)
	var out bytes.Buffer
	if err := writeReport("text")(&out, r, terminal.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(out.String()) {
		for _, f := range r.Runs[0].Families {
			if !strings.HasPrefix(line, f.Name+" ") {
				continue
			}
			rows++
			var want []string
			for i := range r.Runs {
				e := r.Runs[i].Families[slices.IndexFunc(r.Runs[i].Families, func(o report.Family) bool { return o.Name == f.Name })].Total.Exact
				want = append(want, number.Percent(e.Share), number.PercentRange(e.Low, e.High, 0))
			}
			if got := strings.Fields(line)[1:]; !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", f.Name, got, want)
			}
		}
	}
	if rows != 3 {
		t.Errorf("%d rows of families, want 3", rows)
	}
}

// Names are broken after punctuation, and cut only where nothing else helps.
func TestHeaded(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		want  []string
	}{
		{"gpt-4o", 12, []string{"gpt-4o"}},
		{"claude-3-5-haiku-20241022", 12, []string{"claude-3-5-", "haiku-", "20241022"}},
		{"http://127.0.0.1:8080/v1#small", 12, []string{"http://", "127.0.0.1:", "8080/v1#", "small"}},
		{"abcdefghijklmnop", 6, []string{"abcdef", "ghijkl", "mnop"}},
		{strings.Repeat("abc-", 20), 8, []string{"abc-abc-", "abc-abc-", "abc-abc-", "abc-abc…"}},
		{"", 12, []string{""}},
	} {
		if got := headed(c.name, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d columns: %q, want %q", c.name, c.width, got, c.want)
		}
	}
}
