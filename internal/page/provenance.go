package page

import (
	"strconv"
	"time"

	"verbatim/internal/number"
	"verbatim/internal/report"
)

// A provenanceView says how the numbers were made.
type provenanceView struct {
	Command safeText
	Tool    safeText
	Same    []fact // the facts that are the same for all runs
	Differ  *table // the others, a column for each run; nil without any
}

// A source is a named fact about the origin of a run.
type source struct {
	name string
	code bool
	of   func(*report.Head) safeText
}

func sources() []source {
	return []source{
		{"run", false, func(h *report.Head) safeText {
			if h.N > 0 {
				return safeText(number.Count(h.N)+" · ") + name(h.Name)
			}
			return name(h.Name)
		}},
		{"model", false, func(h *report.Head) safeText { return name(h.Model) }},
		{"served as", false, func(h *report.Head) safeText { return names(h.Served) }},
		{"note", false, func(h *report.Head) safeText { return sentence(h.Note) }},
		{"parameters sent", false, func(h *report.Head) safeText {
			if h.Origin != "" {
				return "unknown: imported"
			}
			return sentence(report.ParameterText(h.Params))
		}},
		{"prompt", false, func(h *report.Head) safeText {
			if text := report.VariantText(h.Variant); text != "" {
				return sentence(text)
			}
			return "of the items"
		}},
		{"started", false, func(h *report.Head) safeText { return instant(h.Started) }},
		{"ended", false, func(h *report.Head) safeText { return instant(h.Ended) }},
		{"took", false, func(h *report.Head) safeText { return safeText(number.Seconds(h.Took)) }},
		{"sent by", false, func(h *report.Head) safeText {
			switch {
			case h.Origin != "":
				return "imported from " + name(h.Origin)
			case h.Tool != "":
				return "verbatim " + name(h.Tool)
			}
			return missing
		}},
		{"graded by", false, func(h *report.Head) safeText { return names(h.Graders) }},
		{"score", false, func(h *report.Head) safeText { return name(h.Metric.String()) }},
		{"suite", false, func(h *report.Head) safeText { return name(h.Suite) }},
		{"items from", false, func(h *report.Head) safeText { return name(h.Items) }},
		{"edition", false, func(h *report.Head) safeText { return name(string(h.Edition)) }},
		{"seed", false, func(h *report.Head) safeText {
			if h.Items != "" { // items of a file are not drawn
				return missing
			}
			return safeText(strconv.FormatUint(h.Seed, 10))
		}},
		{"trials", false, func(h *report.Head) safeText { return safeText(number.Count(int64(h.Trials))) }},
		{"plan hash", true, func(h *report.Head) safeText { return name(h.Plan) }},
	}
}

func instant(t *time.Time) safeText {
	if t == nil {
		return missing
	}
	return safeText(t.UTC().Format("2006-01-02 15:04") + " UTC")
}

// newProvenance separates the facts that all runs share from the others.
func newProvenance(r *report.Report, runs []run) *provenanceView {
	v := &provenanceView{Command: sentence(r.Command), Tool: name(r.Tool)}
	differ := &table{ID: "t-provenance", Caption: "Where the runs come from", First: ""}
	for i := range runs {
		differ.Columns = append(differ.Columns, column{Run: &runs[i], Left: true})
	}
	for _, s := range sources() {
		same, known := true, false
		cells := make([]cell, len(r.Runs))
		for i := range r.Runs {
			cells[i].Safe = s.of(&r.Runs[i].Head)
			same = same && cells[i].Safe == cells[0].Safe
			known = known || cells[i].Safe != "" && cells[i].Safe != missing
		}
		switch {
		case !known:
		case same:
			v.Same = append(v.Same, fact{Name: s.name, Safe: cells[0].Safe, Code: s.code})
		default:
			differ.Rows = append(differ.Rows, row{Head: safeText(s.name), Cells: cells})
		}
	}
	v.Differ = differ.orNil()
	return v
}
