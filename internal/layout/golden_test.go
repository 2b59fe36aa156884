package layout

import (
	"bytes"
	"flag"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/recordtest"
	"verbatim/internal/report"
	"verbatim/internal/table/tabletest"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
)

var update = flag.Bool("update", false, "write the golden files again; read the difference before you commit it")

// samples are the reports that the golden files show.
func samples(t *testing.T) map[string]*report.Report {
	t.Helper()
	quick := recordtest.Quick()
	quick.Families = quick.Families[:9]
	simpe := recordtest.Run{Name: "sim-careful-77ab01-2", Model: "sim:careful", Suite: "simpe", Edition: verbatim.Standard,
		Families: recordtest.SimpeFamilies(), N: 100, Trials: 1, Seed: 3, Outage: 0.05, Wrap: 0.1, Stop: 211}
	interrupted := input(simpe, 4)
	interrupted.Note = "Simulated: sim:careful knows the right answers and spoils some of them. These numbers say nothing about any real model."
	other := quick
	other.Name, other.Model, other.Seed, other.Wrap = "small-3f9a2c-1", "http://127.0.0.1:8080#small\x1b[31m", 9, 0.3
	two := []report.Input{input(quick, 3), input(other, 5)}
	two[1].Run.Params.Effort = "low"
	bare := recordtest.Quick()
	bare.Families, bare.Paid = bare.Families[:2], true
	shot := bare
	shot.Name, shot.Seed = "gpt-4o-mini-77ab01-1", 4
	shot.Variant = &verbatim.Variant{Shots: 2, Paraphrase: "1", System: "You copy, turn around and sort what you are given.\x1b[31m\nYou say nothing else."}
	return map[string]*report.Report{
		"variants":    must(report.Of(report.Options{}, input(bare, 7), input(shot, 8)))(t),
		"quick":       must(report.Of(report.Options{}, input(quick, 3)))(t),
		"interrupted": must(report.Of(report.Options{Metric: report.MetricSimilarity}, interrupted))(t),
		"two":         must(report.Of(report.Options{Metric: report.MetricExtracted}, two...))(t),
		"empty":       must(report.Of(report.Options{}, report.Input{Run: quick.Run(6), Records: func(func(verbatim.Record, error) bool) {}}))(t),
	}
}

func TestGoldenReports(t *testing.T) {
	all := samples(t)
	for _, c := range []struct {
		sample, format, file string
		style                terminal.Style
	}{
		{"quick", "text", "quick-80.txt", terminal.Style{}},
		{"quick", "text", "quick-120.txt", terminal.Style{Width: 120}},
		{"quick", "text", "quick-200.txt", terminal.Style{Width: 200}},
		{"quick", "text", "quick-120-colour.txt", terminal.Style{Width: 120, Color: true}},
		{"quick", "md", "quick.md", terminal.Style{}},
		{"interrupted", "text", "interrupted-80.txt", terminal.Style{}},
		{"interrupted", "text", "interrupted-120.txt", terminal.Style{Width: 120}},
		{"interrupted", "json", "interrupted.json", terminal.Style{}},
		{"interrupted", "csv", "interrupted.csv", terminal.Style{}},
		{"two", "text", "two-80.txt", terminal.Style{}},
		{"two", "md", "two.md", terminal.Style{}},
		{"empty", "text", "empty-80.txt", terminal.Style{}},
		{"variants", "text", "variants-80.txt", terminal.Style{}},
		{"variants", "text", "variants-120.txt", terminal.Style{Width: 120}},
		{"variants", "md", "variants.md", terminal.Style{}},
		{"variants", "csv", "variants.csv", terminal.Style{}},
		{"variants", "json", "variants.json", terminal.Style{}},
	} {
		t.Run(c.file, func(t *testing.T) {
			var out bytes.Buffer
			if err := tabletest.Write(&out, c.format, Report(all[c.sample], Options{}), c.style); err != nil {
				t.Fatal(err)
			}
			if bad := terminaltest.Unsafe(out.String()); bad != "" {
				t.Errorf("%s lets %s through", c.format, bad)
			}
			if !c.style.Color && strings.Contains(out.String(), "\x1b") {
				t.Error("colour that the style does not ask for")
			}
			terminaltest.Golden(t, *update, c.file, out.Bytes())
		})
	}
}

// Nothing may be wider than the terminal, whatever its width; colour must not
// change what is read.
func TestTextFitsEveryWidth(t *testing.T) {
	for name, r := range samples(t) {
		for width := 40; width <= 220; width++ {
			if width%9 != 0 && !exhaustive.All() {
				continue
			}
			var plainText, coloured bytes.Buffer
			if err := writeReport("text")(&plainText, r, terminal.Style{Width: width}); err != nil {
				t.Fatal(err)
			}
			if width%9 == 0 {
				if err := writeReport("text")(&coloured, r, terminal.Style{Width: width, Color: true}); err != nil {
					t.Fatal(err)
				}
			}
			for line := range strings.SplitSeq(plainText.String(), "\n") {
				if terminal.Width(line) > width {
					t.Errorf("%s at %d columns has a line of %d: %q", name, width, terminal.Width(line), line)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s at %d columns: spaces at the end of %q", name, width, line)
				}
			}
			if coloured.Len() > 0 && terminaltest.TrimLineEnds(terminaltest.WithoutColor(coloured.String())) != terminaltest.TrimLineEnds(plainText.String()) {
				t.Errorf("%s at %d columns reads differently in colour", name, width)
			}
		}
	}
}

// A table of anything at all fits every width: counts of any size, names of any
// length, lengths that are many or none.
func TestAnyReportFits(t *testing.T) {
	runs := 2
	if exhaustive.All() {
		runs = 9
	}
	rapid.Check(t, func(t *rapid.T) {
		r := anyReport(t, runs)
		width := rapid.IntRange(40, 220).Draw(t, "width")
		o := Options{EveryLength: rapid.Bool().Draw(t, "every length"), ByRun: rapid.Bool().Draw(t, "by run")}
		var out bytes.Buffer
		if err := tabletest.Write(&out, "text", Report(r, o), terminal.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(out.String(), "\n") {
			if terminal.Width(line) > width {
				t.Errorf("at %d columns a line of %d: %q", width, terminal.Width(line), line)
			}
		}
		if bad := terminaltest.Unsafe(out.String()); bad != "" {
			t.Errorf("the text lets %s through", bad)
		}
	})
}
