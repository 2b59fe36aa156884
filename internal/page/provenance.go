package page

import (
	"strconv"
	"time"

	"verbatim/internal/report"
)

// A provenanceView says where the numbers come from.
type provenanceView struct {
	Command said
	Tool    said
	Same    []fact // of all runs
	Differ  *table // a column for each run
}

// A source is a fact of a run's origin with how it is read.
type source struct {
	name string
	code bool
	of   func(*report.Head) said
}

func sources() []source {
	return []source{
		{"run", false, func(h *report.Head) said {
			if h.N > 0 {
				return said(count(h.N)+" · ") + name(h.Name)
			}
			return name(h.Name)
		}},
		{"model asked", false, func(h *report.Head) said { return name(h.Model) }},
		{"served as", false, func(h *report.Head) said { return names(h.Served) }},
		{"note", false, func(h *report.Head) said { return sentence(h.Note) }},
		{"parameters sent", false, func(h *report.Head) said {
			if h.Origin != "" {
				return "not known: asked elsewhere"
			}
			return sentence(report.Parameters(h.Params))
		}},
		{"prompt", false, func(h *report.Head) said {
			if text := report.VariantText(h.Variant); text != "" {
				return sentence(text)
			}
			return "as the items have it"
		}},
		{"started", false, func(h *report.Head) said { return instant(h.Started) }},
		{"ended", false, func(h *report.Head) said { return instant(h.Ended) }},
		{"took", false, func(h *report.Head) said { return said(seconds(h.Took)) }},
		{"asked by", false, func(h *report.Head) said {
			switch {
			case h.Origin != "":
				return "imported from " + name(h.Origin)
			case h.Tool != "":
				return "verbatim " + name(h.Tool)
			}
			return missing
		}},
		{"graded by", false, func(h *report.Head) said { return names(h.Graders) }},
		{"score", false, func(h *report.Head) said { return name(h.Metric.String()) }},
		{"suite", false, func(h *report.Head) said { return name(h.Suite) }},
		{"items from", false, func(h *report.Head) said { return name(h.Items) }},
		{"edition", false, func(h *report.Head) said { return name(string(h.Edition)) }},
		{"seed", false, func(h *report.Head) said {
			if h.Items != "" { // items that were given are drawn from none
				return missing
			}
			return said(strconv.FormatUint(h.Seed, 10))
		}},
		{"trials", false, func(h *report.Head) said { return said(count(int64(h.Trials))) }},
		{"plan hash", true, func(h *report.Head) said { return name(h.Plan) }},
	}
}

func instant(t *time.Time) said {
	if t == nil {
		return missing
	}
	return said(t.UTC().Format("2006-01-02 15:04") + " UTC")
}

// newProvenance sets apart what is the same for all runs.
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
			cells[i].Said = s.of(&r.Runs[i].Head)
			same = same && cells[i].Said == cells[0].Said
			known = known || cells[i].Said != "" && cells[i].Said != missing
		}
		switch {
		case !known:
		case same:
			v.Same = append(v.Same, fact{Name: s.name, Said: cells[0].Said, Code: s.code})
		default:
			differ.Rows = append(differ.Rows, row{Head: said(s.name), Cells: cells})
		}
	}
	if len(differ.Rows) > 0 {
		v.Differ = differ
	}
	return v
}
