package paper

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/chart"
	"verbatim/internal/figure"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

const (
	// maxSeries bounds the runs that one figure tells apart; the caption says how
	// many there are.
	maxSeries = 24
	// maxPanels is how many panels a page holds.
	maxPanels = 18
)

// Charts returns the figures of an ordinary report, numbered from 1, as far as it
// has what they show: the exact share, the extracted share and the score over length,
// a panel for each task; tasks by length as a heat map for each run; what goes wrong;
// the runs by rank; the differences to the baseline; time over length; cost next to
// the exact share. Shares have their 95 % Wilson intervals. A run has the same color,
// dash and mark in all of them.
func Charts(r *report.Report) []Figure {
	c := &charts{report: r}
	c.Names = seriesNames(r)
	c.Runs = r.Runs[:len(c.Names)]
	c.Other = func(h *verdict.RunInfo) string { return nameOf(h.Model, h.Name) }
	for _, draw := range []func() []Figure{
		c.exact, c.extracted, c.score, c.heat, c.failures, c.leaderboard, c.differences, c.taskDifferences, c.time, c.firstToken, c.cost,
	} {
		c.list = append(c.list, draw()...)
	}
	for i := range c.list {
		f := &c.list[i]
		f.Number = i + 1
		if f.Figure.Names == nil {
			f.Figure.Names = c.Names
		}
		f.Caption = sentences(f.Caption, c.left(), notes(r))
		f.Figure.Title, f.Figure.Text = "Figure "+strconv.Itoa(f.Number)+". "+f.Caption, f.Text
	}
	return c.list
}

// charts holds what the figures of one report share: at most maxSeries runs, whose names
// are all different.
type charts struct {
	chart.Set
	report *report.Report
	list   []Figure
}

// left says which runs are not shown.
func (c *charts) left() string {
	if n := len(c.report.Runs) - len(c.Names); n > 0 {
		return "The first " + strconv.Itoa(len(c.Names)) + " of " + strconv.Itoa(len(c.report.Runs)) + " runs are shown."
	}
	return ""
}

// seriesNames names the runs by their models, with what sets them apart where models
// are the same, or look the same once they are drawn.
func seriesNames(r *report.Report) []string {
	runs := r.Runs[:min(len(r.Runs), maxSeries)]
	names := make([]string, len(runs))
	for i := range runs {
		names[i] = nameOf(runs[i].Head.Model, runs[i].Head.Name)
	}
	names = apart(names, func(i int) string { return nameOf(runs[i].Head.Name, runs[i].Head.Model) })
	return apart(names, func(i int) string { return names[i] + " #" + strconv.Itoa(i+1) })
}

// apart returns the names, with another in place of each that stands there twice.
func apart(names []string, other func(i int) string) []string {
	count := make(map[string]int)
	for _, n := range names {
		count[n]++
	}
	out := make([]string, len(names))
	for i, n := range names {
		if out[i] = n; count[n] > 1 {
			out[i] = other(i)
		}
	}
	return out
}

// nameOf returns the first of the words that says anything, bounded, as it is drawn.
func nameOf(words ...string) string {
	const most = 48
	for _, w := range words {
		if name := figure.Printable(terminal.Visible(w)); name != "" {
			if letters := []rune(name); len(letters) > most {
				name = string(letters[:most-1]) + "…"
			}
			return name
		}
	}
	return "run"
}

// notes says what must be said wherever numbers appear, such as that a model is
// simulated.
func notes(r *report.Report) string {
	var list []string
	for i := range r.Runs {
		if n := terminal.Visible(r.Runs[i].Head.Note); n != "" && !has(list, n) && len(list) < 4 {
			list = append(list, n)
		}
	}
	return capital(strings.Join(list, "; "))
}

// capital returns s with a great letter at its beginning.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

func has(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// sentences joins what is not empty, each with a full stop.
func sentences(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p)
		if !strings.ContainsAny(p[len(p)-1:], ".!?") {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// pages cuts the panels into figures of at most maxPanels, and numbers their names.
func pages(name, caption, text string, legend bool, panels []chart.Panel) []Figure {
	var out []Figure
	for i := 0; i < len(panels); i += maxPanels {
		f := Figure{Name: name, Caption: caption, Text: text}
		if len(panels) > maxPanels {
			page := strconv.Itoa(i/maxPanels + 1)
			f.Name, f.Caption = name+"-"+page, sentences(caption, "Part "+page)
		}
		f.Figure = figure.Figure{Panels: panels[i:min(i+maxPanels, len(panels))], Legend: legend}
		out = append(out, f)
	}
	return out
}
