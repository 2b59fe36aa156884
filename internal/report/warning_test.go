package report

import (
	"slices"
	"strings"
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
		"":                  mixed(func(*verbatim.Record) {}),
		"served_models":     mixed(func(r *verbatim.Record) { r.Reply.ServedModel = "m2" }),
		"editions":          mixed(func(r *verbatim.Record) { r.Item.Facts[verbatim.FactEdition] = "paper" }),
		"graders":           mixed(func(r *verbatim.Record) { r.Grade.Grader = "text/3" }),
		"published":         mixed(func(r *verbatim.Record) { r.Grade.Grader = "published" }),
		"score":             mixed(func(r *verbatim.Record) { r.Grade.Score = nil }),
		"truncated":         mixed(func(r *verbatim.Record) { *r = recordtest.Record("copy", "8", verbatim.Truncated, "cut_short") }),
		"no_content":        mixed(func(r *verbatim.Record) { *r = recordtest.Record("copy", "8", verbatim.Truncated, "empty") }),
		"reasoning_in_text": mixed(func(r *verbatim.Record) { r.Reply.Reasoning, r.Reply.ReasoningField = "so", "text:<think>" }),
		"refused":           mixed(func(r *verbatim.Record) { *r = recordtest.Record("copy", "8", verbatim.Refused, "refusal") }),
		"unanswered":        mixed(func(r *verbatim.Record) { *r = recordtest.Record("copy", "8", verbatim.Errored, "") }),
		"load":              loaded(3, 2),
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

// TestNoContent: answers without content at the token limit have their number and their
// cost, and the warning says both.
func TestNoContent(t *testing.T) {
	cost := 25 * verbatim.Dollar / 100
	hollow := func() verbatim.Record {
		r := recordtest.Record("copy", "8", verbatim.Truncated, "empty")
		r.Reply.Cost = &cost
		return r
	}
	partial := recordtest.Record("copy", "8", verbatim.Truncated, "cut_short")
	partial.Reply.Cost = &cost
	b := of(t, Input{Records: recordtest.Each(hollow(), partial, hollow(), recordtest.Record("copy", "8", verbatim.Pass, "pass"))})
	e := b.NoContent
	if e == nil || e.N != 2 || e.Of != 4 || e.Cost == nil || e.Cost.Known != 2 || *e.Cost.Dollars != 2*cost {
		t.Fatalf("%+v", e)
	}
	i := slices.IndexFunc(b.Warnings, func(w Warning) bool { return w.Kind == "no_content" })
	if i < 0 || !strings.HasPrefix(b.Warnings[i].Text, "2 of 4 answers were still without content at the token limit, and cost $0.50.") {
		t.Errorf("%+v", b.Warnings)
	}
}

// loaded is a run of one answer with a load.
func loaded(peak, slots int) Input {
	r := recordtest.Record("copy", "8", verbatim.Pass, "pass")
	return Input{Run: verbatim.Run{Plan: verbatim.Plan{Count: 1}, Load: &verbatim.Load{Peak: peak, Slots: slots}}, Records: recordtest.Each(r)}
}

// A load gives a warning only above what the server runs, where that is known.
func TestLoadWithinSlots(t *testing.T) {
	for _, in := range []Input{loaded(2, 2), loaded(1, 2), loaded(64, 0)} {
		if w := of(t, in).Warnings; len(w) > 0 {
			t.Errorf("%+v: %v", in.Run.Load, w)
		}
	}
}
