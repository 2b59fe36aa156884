package layout

import (
	"io"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// Text writes the report for a terminal: the table of a run, or several runs next to
// each other where they fit, of the width that the style gives, and below them who
// leads. Without colour it is plain text that reads the same in a pipe.
func Text(w io.Writer, r *report.Report, s terminal.Style) error {
	if r.Groups != nil {
		return GroupText(w, r, s)
	}
	together, err := sides(w, r, s)
	if err == nil && !together {
		err = blocks(w, r, s)
	}
	if err == nil && r.Leaderboard != nil {
		_, err = io.WriteString(w, "\n")
		if err == nil {
			err = LeaderboardText(w, r.Leaderboard, s)
		}
	}
	if err == nil {
		err = writeComparisons(w, r, s)
	}
	if err != nil {
		return err
	}
	if len(r.Warnings) == 0 {
		return nil
	}
	_, err = io.WriteString(w, "\n"+warnings(r.Warnings, s))
	return err
}

// blocks writes the runs one below the other.
func blocks(w io.Writer, r *report.Report, s terminal.Style) error {
	for i := range r.Runs {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := block(w, &r.Runs[i], s, i == len(r.Runs)-1); err != nil {
			return err
		}
	}
	return nil
}

// block writes one run; the last one explains how all of them are read.
func block(w io.Writer, b *report.Block, s terminal.Style, last bool) error {
	if _, err := io.WriteString(w, heading(&b.Head, s)+"\n"); err != nil {
		return err
	}
	list := summary(b)
	if len(b.Families) > 0 {
		t := newTable(b, s)
		if err := t.write(w); err != nil {
			return err
		}
		if last {
			list = append(list, reading(b, t))
		}
	}
	if err := dayTable(w, b, s); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n"+facts(list, s)+warnings(b.Warnings, s))
	return err
}

// A fact is a named line of parts; lines break between parts, and inside one
// only where it does not fit a line of its own.
type fact struct {
	name  string
	parts []string
}

// facts lays out names and parts in two columns.
func facts(list []fact, s terminal.Style) string {
	name := 9
	for _, f := range list {
		name = max(name, terminal.Width(f.name)+1)
	}
	var b strings.Builder
	for _, f := range list {
		for i, line := range terminal.JoinParts(f.parts, s.Columns()-name) {
			label := terminal.PadRight("", name)
			if i == 0 {
				label = terminal.PadRight(f.name, name)
			}
			b.WriteString(s.Paint(terminal.Faint, label) + line + "\n")
		}
	}
	return b.String()
}

func heading(h *report.Head, s terminal.Style) string {
	title := terminal.Visible(h.Name)
	if h.N > 0 {
		title = "run " + number.Count(h.N) + " · " + title
	}
	var b strings.Builder
	b.WriteString(s.Paint(terminal.Bold, terminal.Truncate(title, s.Columns())) + "\n")
	if h.Note != "" {
		for _, line := range terminal.Wrap(terminal.Visible(h.Note), s.Columns()) {
			b.WriteString(s.Paint(terminal.Alert, line) + "\n")
		}
	}
	b.WriteString(facts(description(h), s))
	return b.String()
}

// description says in words what was asked of whom.
func description(h *report.Head) []fact {
	model := []string{terminal.Visible(h.Model)}
	if len(h.Served) > 0 && !servedAsNamed(h) {
		model = append(model, "served as "+terminal.Visible(listedNames(h.Served)))
	}
	suite := []string{terminal.Visible(h.Suite)}
	if h.Items != "" {
		suite = append(suite, terminal.Visible(h.Items))
	}
	suite = append(suite, terminal.Visible(string(h.Edition))+" edition")
	if h.Items == "" { // items that were given are drawn from no seed
		suite = append(suite, "seed "+strconv.FormatUint(h.Seed, 10))
	}
	if h.Trials > 1 {
		suite = append(suite, number.Count(int64(h.Trials))+" trials")
	}
	if h.Plan != "" {
		suite = append(suite, "plan "+terminal.Visible(terminal.Prefix(h.Plan, 12)))
	}
	list := []fact{{"model", model}, {"suite", suite}}
	list = append(list, promptFact(h)...)
	list = append(list, fact{"asked", asked(h)})
	if h.Origin == "" {
		with := report.OrDefaults(report.ParameterList(h.Params))
		for i := range with {
			with[i] = terminal.Visible(with[i])
		}
		list = append(list, fact{"with", with})
	}
	if len(h.Graders) > 0 {
		list = append(list, fact{"graded", []string{"by " + terminal.Visible(gradersNamed(h.Graders)), "score: " + h.Metric.String()}})
	}
	return list
}

// servedAsNamed reports whether the server names the model as it was asked for.
func servedAsNamed(h *report.Head) bool {
	return len(h.Served) == 1 && (h.Model == h.Served[0].Name || strings.HasSuffix(h.Model, ":"+h.Served[0].Name))
}

func asked(h *report.Head) []string {
	var parts []string
	if h.Origin != "" {
		parts = append(parts, "elsewhere, imported from "+terminal.Visible(h.Origin))
		if h.Started != nil { // of the import, where the files do not tell theirs
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

// reading explains the table to who sees it for the first time.
func reading(b *report.Block, t *table) fact {
	parts := []string{"exact: of the n answered, with its 95 % range"}
	if !complete(&b.Total) {
		parts = append(parts, "of all: of everything planned")
	}
	parts = append(parts, "extracted: right once unwrapped")
	switch {
	case t.grid == nil:
		parts = append(parts, "bars: █ to the low end of the range, ▓ to the share, ░ to the high end", "▁▄█ shares by length")
	case t.grid.ranges:
		parts = append(parts, "below each length: its share and range", "--every-length: more of each")
	default:
		parts = append(parts, "below each length: its share", "--every-length: with ranges")
	}
	return fact{"reading", parts}
}

func warnings(list []report.Warning, s terminal.Style) string {
	var b strings.Builder
	for _, w := range list {
		for i, line := range terminal.Wrap(terminal.Visible(w.Text), s.Columns()-2) {
			mark := "  "
			if i == 0 {
				mark = "! "
			}
			b.WriteString(s.Paint(terminal.Alert, mark+line) + "\n")
		}
	}
	return b.String()
}
