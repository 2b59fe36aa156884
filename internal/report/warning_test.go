package report

import (
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
)

func TestWarnings(t *testing.T) {
	mixed := func(change func(*verbatim.Record)) Input {
		a, b := recordtest.Record("copy", "8", verbatim.Pass, "pass"), recordtest.Record("copy", "8", verbatim.Pass, "pass")
		change(&b)
		a.Reply.ServedModel, a.Item.Facts[verbatim.FactEdition] = "m1", "standard"
		return Input{Run: verbatim.Run{Plan: verbatim.Plan{Count: 2}}, Records: recordtest.Each(a, b)}
	}
	for want, in := range map[string]Input{
		"":              mixed(func(*verbatim.Record) {}),
		"served_models": mixed(func(r *verbatim.Record) { r.Reply.ServedModel = "m2" }),
		"editions":      mixed(func(r *verbatim.Record) { r.Item.Facts[verbatim.FactEdition] = "paper" }),
		"graders":       mixed(func(r *verbatim.Record) { r.Grade.Grader = "text/2" }),
		"score":         mixed(func(r *verbatim.Record) { r.Grade.Score = nil }),
		"truncated":     mixed(func(r *verbatim.Record) { *r = recordtest.Record("copy", "8", verbatim.Truncated, "cut_short") }),
		"refused":       mixed(func(r *verbatim.Record) { *r = recordtest.Record("copy", "8", verbatim.Refused, "refusal") }),
		"unanswered":    mixed(func(r *verbatim.Record) { *r = recordtest.Record("copy", "8", verbatim.Errored, "") }),
	} {
		if got := kinds(of(t, in).Warnings); got != want {
			t.Errorf("warnings %q, want %q", got, want)
		}
	}
	one, other := verbatim.Run{Plan: verbatim.Plan{Hash: "a"}}, verbatim.Run{Plan: verbatim.Plan{Hash: "b"}, Params: verbatim.Params{Effort: "low"}}
	r := must(Of(Options{}, Input{Run: one, Records: recordtest.Each()}, Input{Run: other, Records: recordtest.Each(recordtest.Record("copy", "8", verbatim.Pass, "pass"))}))(t)
	if got := kinds(r.Warnings); got != "plans parameters graders" {
		t.Errorf("warnings between runs %q", got)
	}
}
