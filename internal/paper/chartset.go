package paper

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/figure"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

const (
	// maxSeries is the largest number of runs in a figure; the caption has the number of all.
	maxSeries = 24
	// maxPanels is the largest number of panels in a figure.
	maxPanels = 18
)

// charts holds what the figures of one report share: at most maxSeries runs, whose names
// are all different.
type charts struct {
	figure.Set
	report *report.Report
}

// left says that runs are left out; empty if none is.
func (c *charts) left() string {
	if n := len(c.report.Runs) - len(c.Names); n > 0 {
		return "The first " + strconv.Itoa(len(c.Names)) + " of " + strconv.Itoa(len(c.report.Runs)) + " runs are shown."
	}
	return ""
}

// seriesNames names the runs by their models, with additions where models are equal or are
// drawn equally.
func seriesNames(r *report.Report) []string {
	runs := r.Runs[:min(len(r.Runs), maxSeries)]
	names := make([]string, len(runs))
	for i := range runs {
		names[i] = nameOf(runs[i].Head.Model, runs[i].Head.Name)
	}
	names = distinct(names, func(i int) string { return nameOf(runs[i].Head.Name, runs[i].Head.Model) })
	return distinct(names, func(i int) string { return names[i] + " #" + strconv.Itoa(i+1) })
}

// nameOf returns the first text that is not empty, bounded, as it is drawn.
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

// captionNotes is the number of notes on runs that a caption has room for.
const captionNotes = 4

// notes joins the notes on runs, such as that a model is simulated. Every caption has them. Of more
// than captionNotes different ones it has the first, and the number of the others.
func notes(r *report.Report) string {
	var list []string
	for i := range r.Runs {
		if n := terminal.Visible(r.Runs[i].Head.Note); n != "" && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	if more := len(list) - captionNotes; more > 0 {
		list = append(list[:captionNotes], number.Plural(int64(more), "more note is", "more notes are")+" in the report")
	}
	return capital(strings.Join(list, "; "))
}

// capital returns s with a capital first letter.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// sentences joins the parts that are not empty, each with a full stop.
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

// pages divides the panels into figures of at most maxPanels with numbered names.
func pages(name, caption, text string, legend bool, panels []figure.Panel) []Figure {
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

// decimals prints a value with three decimals.
func decimals(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', 3, 64), "-", "−", 1)
}

func exactShare() quantity {
	return quantity{"exact-share", "Exact share", ", with 95 % Wilson intervals", figure.Exact()}
}

// overAll returns an alternative text: the totals of the runs.
func (c *charts) overAll(m quantity) string {
	var list []string
	for i := range c.Runs {
		if p := m.Point(&c.Runs[i].Total); p.Known() {
			list = append(list, c.Names[i]+" "+decimals(p.Y))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return m.what + " over all tasks: " + strings.Join(list, ", ") + "."
}

// A quantity is a measure with the words of its figure.
type quantity struct {
	name string // of the file
	what string // begins the caption
	rest string // ends it
	figure.Measure
}
