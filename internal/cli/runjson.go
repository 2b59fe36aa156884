package cli

import (
	"bytes"
	"encoding/json"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/report/headline"
)

// The lines of `run --json`. Each names its kind; the first one the format.

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

type summaryLine struct {
	Kind    string          `json:"kind"` // "summary"
	Summary headline.Report `json:"summary"`
}

// writeLine prints one line of JSON.
func (env *Env) writeLine(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := env.Out.Write(rawjson.Printable(b.Bytes()))
	return err
}

func (env *Env) writePlanLine(plan verbatim.Plan, runs []verbatim.Run) error {
	line := planLine{Format: "verbatim/run/2", Kind: "plan", Plan: plan}
	for _, r := range runs {
		line.Runs = append(line.Runs, planRun{r.N, r.Name, r.Model})
	}
	return env.writeLine(line)
}

func (env *Env) writeSavedLine(run verbatim.Run, r *verbatim.Record) error {
	line := savedLine{Kind: "saved", Run: run.Name, Seq: r.Seq, Item: r.Item.ID, Trial: r.Trial, Outcome: r.Outcome}
	if g := r.Grade; g != nil {
		line.Label, line.Exact, line.Extracted, line.Score = g.Label, &g.Exact, &g.Extracted, g.Score
	}
	if r.Reply != nil && r.Reply.Times.Total > 0 {
		s := r.Reply.Times.Total.Seconds()
		line.Seconds = &s
	}
	if r.Failure != nil {
		line.Error = r.Failure.Error()
	}
	return env.writeLine(line)
}
