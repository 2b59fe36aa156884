package layout

import (
	"strconv"
	"strings"
	"time"

	"verbatim/internal/number"
	"verbatim/internal/report"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// description names the model, the plan and the parameters of a run.
func description(h *report.Head) table.Facts {
	model := []string{terminal.Visible(h.Model)}
	if len(h.Served) > 0 && !servedAsNamed(h) {
		model = append(model, "served as "+terminal.Visible(listedNames(h.Served)))
	}
	suite := []string{terminal.Visible(h.Suite)}
	if h.Items != "" {
		suite = append(suite, terminal.Visible(h.Items)+", no claim about other items")
	}
	suite = append(suite, terminal.Visible(string(h.Edition))+" edition")
	if h.Items == "" { // items of a file are not drawn
		suite = append(suite, "seed "+strconv.FormatUint(h.Seed, 10))
	}
	if h.Trials > 1 {
		suite = append(suite, number.Count(int64(h.Trials))+" trials")
	}
	if h.Plan != "" {
		suite = append(suite, "plan "+terminal.Visible(terminal.Prefix(h.Plan, 12)))
	}
	list := table.Facts{{Name: "model", Parts: model}, {Name: "suite", Parts: suite}}
	list = append(list, promptFact(h)...)
	list = append(list, table.Fact{Name: "sent", Parts: sent(h)})
	if h.Origin == "" {
		with := report.ParametersOrDefaults(report.ParameterList(h.Params))
		for i := range with {
			with[i] = terminal.Visible(with[i])
		}
		list = append(list, table.Fact{Name: "with", Parts: with})
	}
	if len(h.Graders) > 0 {
		list = append(list, table.Fact{Name: "graded", Parts: []string{"by " + terminal.Visible(gradersNamed(h.Graders)), "score: " + h.Metric.String()}})
	}
	return list
}

// servedAsNamed reports whether the server names the model as the request did.
func servedAsNamed(h *report.Head) bool {
	return len(h.Served) == 1 && (h.Model == h.Served[0].Name || strings.HasSuffix(h.Model, ":"+h.Served[0].Name))
}

// sent says when and by what the requests were sent.
func sent(h *report.Head) []string {
	var parts []string
	if h.Origin != "" {
		parts = append(parts, "elsewhere, imported from "+terminal.Visible(h.Origin))
		if h.Started != nil { // the time of the import, if the files have none
			parts = append(parts, h.Started.UTC().Format(time.DateOnly))
		}
	} else if h.Started != nil {
		parts = append(parts, span(h))
	}
	if h.Tool != "" {
		parts = append(parts, "verbatim "+terminal.Visible(h.Tool))
	}
	if len(parts) == 0 {
		parts = append(parts, number.Missing)
	}
	return parts
}

// span prints the time of a run.
func span(h *report.Head) string {
	const day, clock = "2006-01-02 15:04", "15:04"
	text := h.Started.UTC().Format(day)
	switch {
	case h.Ended == nil:
		text += " UTC, not finished"
	case h.Ended.UTC().Format(time.DateOnly) == h.Started.UTC().Format(time.DateOnly):
		text += " to " + h.Ended.UTC().Format(clock) + " UTC"
	default:
		text += " to " + h.Ended.UTC().Format(day) + " UTC"
	}
	if h.Took != nil {
		text += " (" + number.Seconds(h.Took) + ")"
	}
	return text
}

// reading explains the columns and the drawings of the table.
func reading(b *report.Block, t *runTable) table.Fact {
	parts := []string{"exact: of the n answered, with its 95 % range"}
	if b.Total.Exact.Items < b.Total.Exact.Of {
		parts = []string{"n: items × trials, or items (answers)", "exact: of all answers, with its 95 % range by item"}
	}
	if !complete(&b.Total) {
		parts = append(parts, "of all: of everything planned")
	}
	parts = append(parts, "extracted: the answer found in the reply is right")
	switch {
	case t.grid == nil:
		parts = append(parts, "bars: █ to the low end of the range, ▓ to the share, ░ to the high end", "▁▄█ shares by length")
	case t.grid.ranges:
		parts = append(parts, "below each length: its share and range", "--every-length: more of each")
	default:
		parts = append(parts, "below each length: its share", "--every-length: with ranges")
	}
	return table.Fact{Name: "reading", Parts: parts}
}
