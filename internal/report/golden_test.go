package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim"
)

var update = flag.Bool("update", false, "write the golden files anew; read the difference before you commit it")

// golden compares got with a file of testdata, or writes the file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("%s differs (-want +got); if it should, run with -update:\n%s", path, diff)
	}
}

// samples are the reports that the golden files show.
func samples(t *testing.T) map[string]*Report {
	t.Helper()
	quick := quickRun()
	quick.families = quick.families[:9]
	simpe := sampled{name: "sim-careful-77ab01-2", model: "sim:careful", suite: "simpe", edition: verbatim.Standard,
		families: simpeFamilies(), n: 100, trials: 1, seed: 3, outage: 0.05, wrap: 0.1, stop: 211}
	interrupted := simpe.input(4)
	interrupted.Note = "Simulated: sim:careful knows the right answers and spoils some of them. These numbers say nothing about any real model."
	other := quick
	other.name, other.model, other.seed, other.wrap = "small-3f9a2c-1", "http://127.0.0.1:8080#small\x1b[31m", 9, 0.3
	two := []Input{quick.input(3), other.input(5)}
	two[1].Run.Params.Effort = "low"
	bare := quickRun()
	bare.families, bare.paid = bare.families[:2], true
	shot := bare
	shot.name, shot.seed = "gpt-4o-mini-77ab01-1", 4
	shot.variant = &verbatim.Variant{Shots: 2, Paraphrase: "1", System: "You copy, turn around and sort what you are given.\x1b[31m\nYou say nothing else."}
	return map[string]*Report{
		"variants":    must(Of(Options{}, bare.input(7), shot.input(8)))(t),
		"quick":       must(Of(Options{}, quick.input(3)))(t),
		"interrupted": must(Of(Options{On: OnSimilarity}, interrupted))(t),
		"two":         must(Of(Options{On: OnPayload}, two...))(t),
		"empty":       must(Of(Options{}, Input{Run: quick.input(6).Run, Records: func(func(verbatim.Record, error) bool) {}}))(t),
	}
}

func must(r *Report, err error) func(*testing.T) *Report {
	return func(t *testing.T) *Report {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func TestGoldenReports(t *testing.T) {
	all := samples(t)
	for _, c := range []struct {
		sample, format, file string
		style                Style
	}{
		{"quick", "text", "quick-80.txt", Style{}},
		{"quick", "text", "quick-120.txt", Style{Width: 120}},
		{"quick", "text", "quick-200.txt", Style{Width: 200}},
		{"quick", "text", "quick-120-colour.txt", Style{Width: 120, Color: true}},
		{"quick", "md", "quick.md", Style{}},
		{"interrupted", "text", "interrupted-80.txt", Style{}},
		{"interrupted", "text", "interrupted-120.txt", Style{Width: 120}},
		{"interrupted", "json", "interrupted.json", Style{}},
		{"interrupted", "csv", "interrupted.csv", Style{}},
		{"two", "text", "two-80.txt", Style{}},
		{"two", "md", "two.md", Style{}},
		{"empty", "text", "empty-80.txt", Style{}},
		{"variants", "text", "variants-80.txt", Style{}},
		{"variants", "text", "variants-120.txt", Style{Width: 120}},
		{"variants", "md", "variants.md", Style{}},
		{"variants", "csv", "variants.csv", Style{}},
		{"variants", "json", "variants.json", Style{}},
	} {
		t.Run(c.file, func(t *testing.T) {
			var out bytes.Buffer
			if err := format(t, c.format)(&out, all[c.sample], c.style); err != nil {
				t.Fatal(err)
			}
			if bad := harmless(out.String()); bad != "" {
				t.Errorf("%s lets %s through", c.format, bad)
			}
			if !c.style.Color && strings.Contains(out.String(), "\x1b") {
				t.Error("colour that the style does not ask for")
			}
			golden(t, c.file, out.Bytes())
		})
	}
}

func format(t *testing.T, name string) func(w *bytes.Buffer, r *Report, s Style) error {
	t.Helper()
	for _, f := range Formats() {
		if f.Name == name {
			return func(w *bytes.Buffer, r *Report, s Style) error { return f.Write(w, r, s) }
		}
	}
	t.Fatalf("there is no format %q", name)
	return nil
}

// Nothing may be wider than the terminal, whatever its width; colour must not
// change what is read.
func TestTextFitsEveryWidth(t *testing.T) {
	for name, r := range samples(t) {
		for width := 40; width <= 220; width++ {
			var plainText, coloured bytes.Buffer
			if err := Text(&plainText, r, Style{Width: width}); err != nil {
				t.Fatal(err)
			}
			if width%9 == 0 {
				if err := Text(&coloured, r, Style{Width: width, Color: true}); err != nil {
					t.Fatal(err)
				}
			}
			for line := range strings.SplitSeq(plainText.String(), "\n") {
				if wide(line) > width {
					t.Errorf("%s at %d columns has a line of %d: %q", name, width, wide(line), line)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s at %d columns: spaces at the end of %q", name, width, line)
				}
			}
			if coloured.Len() > 0 && squeezed(uncoloured(coloured.String())) != squeezed(plainText.String()) {
				t.Errorf("%s at %d columns reads differently in colour", name, width)
			}
		}
	}
}

func squeezed(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func uncoloured(s string) string {
	var b strings.Builder
	for s != "" {
		if n := ourColour(s); n > 0 {
			s = s[n:]
			continue
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	return b.String()
}

func TestGoldenShow(t *testing.T) {
	run := quickRun().input(3).Run
	for _, width := range []int{80, 120} {
		var out bytes.Buffer
		for _, n := range records() {
			out.WriteString("===== " + n.name + "\n")
			if err := ShowText(&out, Look(run, n.rec), Style{Width: width}); err != nil {
				t.Fatal(err)
			}
		}
		if bad := harmless(out.String()); bad != "" {
			t.Errorf("show lets %s through", bad)
		}
		golden(t, map[int]string{80: "show-80.txt", 120: "show-120.txt"}[width], out.Bytes())
	}
	var out bytes.Buffer
	for _, n := range records() {
		if n.name == "hostile" || n.name == "list" || n.name == "outage" {
			if err := ShowJSON(&out, Look(run, n.rec)); err != nil {
				t.Fatal(err)
			}
		}
	}
	golden(t, "show.json", out.Bytes())
}

// A table of anything at all fits every width: counts of any size, names of any
// length, lengths that are many or none.
func TestAnyReportFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyReport(t)
		width := rapid.IntRange(40, 220).Draw(t, "width")
		s := Style{Width: width, EveryLength: rapid.Bool().Draw(t, "every length"), ByRun: rapid.Bool().Draw(t, "by run")}
		var out bytes.Buffer
		if err := Text(&out, r, s); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(out.String(), "\n") {
			if wide(line) > width {
				t.Errorf("at %d columns a line of %d: %q", width, wide(line), line)
			}
		}
		if bad := harmless(out.String()); bad != "" {
			t.Errorf("the text lets %s through", bad)
		}
	})
}
