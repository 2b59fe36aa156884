package cli

import (
	"io"

	"verbatim"
	"verbatim/internal/report"

	"verbatim/internal/terminal"
)

// The lines of `run --json`. Each has its kind, and the first one the format.

type planLine struct {
	Format string        `json:"format"`
	Kind   string        `json:"kind"` // "plan"
	Plan   verbatim.Plan `json:"plan"`
	Runs   []planRun     `json:"runs"`
}

type planRun struct {
	N     int64  `json:"n"`
	Name  string `json:"name"`
	Model string `json:"model"`
}

type savedLine struct {
	Kind      string           `json:"kind"` // "saved"
	Run       string           `json:"run"`
	Seq       int64            `json:"seq"`
	Item      string           `json:"item"`
	Trial     int              `json:"trial"`
	Outcome   verbatim.Outcome `json:"outcome"`
	Label     string           `json:"label,omitempty"`
	Exact     *bool            `json:"exact"` // null: not answered
	Extracted *bool            `json:"extracted"`
	Score     *float64         `json:"score"`
	Seconds   *float64         `json:"seconds"`
	Error     string           `json:"error,omitempty"`
}

// writePlan writes the first line of `run --json`: the plan and its runs.
func writePlan(w io.Writer, plan verbatim.Plan, runs []verbatim.Run) error {
	line := planLine{Format: "verbatim/run/1", Kind: "plan", Plan: plan}
	for _, r := range runs {
		line.Runs = append(line.Runs, planRun{r.N, r.Name, r.Model})
	}
	return terminal.WriteJSONLine(w, line)
}

// writeSaved writes the line of a saved record.
func writeSaved(w io.Writer, run verbatim.Run, r *verbatim.Record) error {
	line := savedLine{Kind: "saved", Run: run.Name, Seq: r.Seq, Item: r.Item.ID, Trial: r.Trial, Outcome: r.Outcome}
	if g := r.Grade; g != nil {
		line.Label, line.Exact, line.Extracted, line.Score = g.Label, &g.Exact, &g.Extracted, g.Score
	}
	if r.Reply != nil && r.Reply.Times.Total > 0 {
		line.Seconds = new(r.Reply.Times.Total.Seconds())
	}
	if r.Failure != nil {
		line.Error = r.Failure.Error()
	}
	return terminal.WriteJSONLine(w, line)
}

// writeSummary writes the last line of a run: its report.
func writeSummary(w io.Writer, r *report.Report) error {
	return terminal.WriteJSONLine(w, struct {
		Kind    string                `json:"kind"`
		Summary report.HeadlineReport `json:"summary"`
	}{"summary", report.HeadlineReport{Report: r, Headline: report.HeadlineOf(r)}})
}

// writeVerdict writes the last line of a run that ends with a verdict.
func writeVerdict(w io.Writer, c *report.Check) error {
	return terminal.WriteJSONLine(w, struct {
		Kind    string        `json:"kind"`
		Verdict *report.Check `json:"verdict"`
	}{"verdict", c})
}
