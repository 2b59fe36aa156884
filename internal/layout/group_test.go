package layout

import (
	"bytes"
	"testing"

	"verbatim/internal/recordtest"
	"verbatim/internal/report"
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
