package layout

import (
	"bytes"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
)

func TestGoldenGroups(t *testing.T) {
	for _, c := range []struct {
		file  string
		by    string
		style terminal.Style
		write func(*bytes.Buffer, *report.Report, terminal.Style) error
	}{
		{"groups-80.txt", "model,length", terminal.Style{}, text2},
		{"groups-120.txt", "task,length", terminal.Style{Width: 120}, text2},
		{"groups-200.txt", "day,model", terminal.Style{Width: 200}, text2},
		{"groups-colour.txt", "task", terminal.Style{Width: 120, Color: true}, text2},
		{"groups.md", "model,length", terminal.Style{}, func(b *bytes.Buffer, r *report.Report, s terminal.Style) error { return writeReport("md")(b, r, s) }},
		{"groups.csv", "task,length", terminal.Style{}, func(b *bytes.Buffer, r *report.Report, s terminal.Style) error { return writeReport("csv")(b, r, s) }},
		{"groups.json", "task", terminal.Style{}, func(b *bytes.Buffer, r *report.Report, s terminal.Style) error {
			return writeReport("json")(b, &report.Report{Groups: r.Groups}, s)
		}},
	} {
		by, err := report.ParseGroupBy(c.by)
		if err != nil {
			t.Fatal(err)
		}
		r := must(report.Of(report.Options{GroupBy: by}, twoModels()...))(t)
		var out bytes.Buffer
		if err := c.write(&out, r, c.style); err != nil {
			t.Fatal(err)
		}
		if bad := terminaltest.Unsafe(out.String()); bad != "" {
			t.Errorf("%s lets %s through", c.file, bad)
		}
		terminaltest.Golden(t, *update, c.file, out.Bytes())
		for width := 40; width <= 220; width += 9 {
			var out bytes.Buffer
			if err := writeReport("text")(&out, r, terminal.Style{Width: width}); err != nil {
				t.Fatal(err)
			}
			fits(t, c.file, out.String(), width)
		}
	}
}

func text2(b *bytes.Buffer, r *report.Report, s terminal.Style) error {
	return writeReport("text")(b, r, s)
}

// twoModels are two runs that differ in more than the model.
func twoModels() []report.Input {
	a := driftingRun()
	b := driftingRun()
	s := recordtest.Quick()
	s.Families, s.N, s.Seed = s.Families[:3], 30, 5
	b.Records = drifting(s, 1)
	b.Run.N, b.Run.Name, b.Run.Model = 4, "small-3f9a2c-1", "http://127.0.0.1:8080#small\x1b[31m"
	b.Run.Params.Effort = "low"
	b.Run.Plan.Seed = 2
	b.Note = "Simulated: made from the right answers."
	return []report.Input{a, b}
}

// TestPromptsAreAFactor wants runs that differ in nothing but the prompt to be
// named and warned about, and not to be called runs of different items.
func TestPromptsAreAFactor(t *testing.T) {
	cells := []verbatim.Cell{{Family: "copy", Version: 1, Length: verbatim.Lengths{Min: 8, Max: 8}, N: 1}}
	plain := verbatim.Plan{Hash: "aa", Suite: "custom", Seed: 1, Trials: 1, Count: 1, Cells: cells}
	with := func(hash string, v verbatim.Variant) verbatim.Plan {
		p := plain
		p.Hash, p.Variant = hash, &v
		return p
	}
	file := func(hash, name, sum string, v *verbatim.Variant) verbatim.Plan {
		return verbatim.Plan{Hash: hash, Suite: "items", Trials: 1, Count: 1, Items: &verbatim.ItemFile{Name: name, SHA256: sum, N: 1}, Variant: v}
	}
	seed := with("dd", verbatim.Variant{Shots: 2})
	seed.Seed = 2
	other := plain
	other.Hash = "ee"
	shots := &verbatim.Variant{Shots: 1}
	for _, test := range []struct {
		name  string
		plans []verbatim.Plan
		want  string // kinds of warnings
		says  string // what the heads say of prompts, run by run
	}{
		{"one", []verbatim.Plan{plain}, "", ""},
		{"alike", []verbatim.Plan{plain, plain}, "", " / "},
		{"one with", []verbatim.Plan{with("bb", verbatim.Variant{Shots: 2})}, "", "2 shots"},
		{"alike with", []verbatim.Plan{with("bb", verbatim.Variant{Shots: 2}), with("bb", verbatim.Variant{Shots: 2})}, "", "2 shots / 2 shots"},
		{"with and without", []verbatim.Plan{plain, with("bb", verbatim.Variant{Shots: 2})}, "prompts", "as the items have it / 2 shots"},
		{"without and with", []verbatim.Plan{with("bb", verbatim.Variant{Shots: 2}), plain}, "prompts", "2 shots / as the items have it"},
		{"two variants", []verbatim.Plan{with("bb", verbatim.Variant{Shots: 2}), with("cc", verbatim.Variant{Paraphrase: "1"})}, "prompts", "2 shots / paraphrase 1"},
		{"the third", []verbatim.Plan{plain, plain, with("cc", verbatim.Variant{Paraphrase: "1"})}, "prompts", "as the items have it / as the items have it / paraphrase 1"},
		{"another seed too", []verbatim.Plan{plain, seed}, "plans prompts", "as the items have it / 2 shots"},
		{"another plan", []verbatim.Plan{plain, other}, "plans", " / "},
		{"a file", []verbatim.Plan{file("a", "x", "1", nil), file("b", "y", "1", shots)}, "prompts", "as the items have it / 1 shot"},
		{"another file", []verbatim.Plan{file("a", "x", "1", nil), file("b", "x", "2", shots)}, "plans prompts", "as the items have it / 1 shot"},
	} {
		var in []report.Input
		for _, p := range test.plans {
			in = append(in, report.Input{Run: verbatim.Run{Name: "r", Plan: p}, Records: recordtest.Each(recordtest.Record("copy", "8", verbatim.Pass, "pass"))})
		}
		r := must(report.Of(report.Options{}, in...))(t)
		if got := kinds(r.Warnings); got != test.want {
			t.Errorf("%s: the warnings are %q, want %q", test.name, got, test.want)
		}
		var says []string
		for i := range r.Runs {
			parts := ""
			for _, f := range description(&r.Runs[i].Head) {
				if f.Name == "prompt" {
					parts = strings.Join(f.Parts, " ")
				}
			}
			says = append(says, parts)
		}
		if got := strings.Join(says, " / "); got != test.says {
			t.Errorf("%s: the runs say %q, want %q", test.name, got, test.says)
		}
		for _, f := range table.Formats() {
			var out bytes.Buffer
			if err := f.Write(&out, Report(r, Options{}), terminal.Style{}); err != nil {
				t.Fatal(err)
			}
			// Rows have columns of their own for it, and no warnings.
			if strings.Contains(test.want, "prompts") && !f.RowsOnly && !strings.Contains(out.String(), "different prompts") {
				t.Errorf("%s: %s does not warn:\n%s", test.name, f.Name, out.String())
			}
		}
	}
}

// Items of a file come from no seed, and the file says how many there are in all, not
// in each family.
func TestItemsOfAFile(t *testing.T) {
	run := verbatim.Run{Origin: "sortbench", Plan: verbatim.Plan{Suite: "sortbench", Seed: 77, Trials: 1, Count: 3, Items: &verbatim.ItemFile{Name: "lists of May", N: 3}}}
	in := report.Input{Run: run, Records: recordtest.Each(recordtest.Record("sort", "2", verbatim.Pass, "pass"))}
	b := of(t, in)
	if *b.Total.Planned != 3 || b.Families[0].Total.Planned != nil {
		t.Errorf("planned %d in all", *b.Total.Planned)
	}
	var out bytes.Buffer
	if err := writeReport("text")(&out, must(report.Of(report.Options{}, in))(t), terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Contains(text, "seed") || !strings.Contains(text, "lists of May") || !strings.Contains(text, "imported from sortbench") {
		t.Errorf("the head of an import:\n%s", text)
	}
}
