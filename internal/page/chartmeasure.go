package page

import (
	"math"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// measuresOf lists the measures that the chart of a task has a panel for.
func measuresOf(r *report.Report) []figure.Measure {
	name := "score"
	if len(r.Runs) > 0 && r.Runs[0].Head.Metric != report.MetricScore && r.Runs[0].Head.Metric != "" {
		name = string(r.Runs[0].Head.Metric) + " score"
	}
	return []figure.Measure{figure.Exact(), figure.Extracted(), figure.Score(name)}
}

// equalPanels reports whether two panels of the same runs and lengths have the same values,
// so that one drawing shows both measures.
func equalPanels(a, b *figure.Panel) bool {
	for i := range a.Lines {
		for k, p := range a.Lines[i].Points {
			q := b.Lines[i].Points[k]
			if p.Known() != q.Known() || p.Known() && math.Abs(p.Y-q.Y) > 1e-9 {
				return false
			}
		}
	}
	return true
}

// curveText describes a panel: the best and the worst run at the shortest and at the longest
// length.
func curveText(p *figure.Panel, m *figure.Measure) string {
	text := m.What + " by length"
	last := ""
	for _, tick := range []figure.Tick{p.X.Ticks[0], p.X.Ticks[len(p.X.Ticks)-1]} {
		if tick.Label == last {
			break
		}
		last = tick.Label
		var best, worst *figure.Line
		for i := range p.Lines {
			q := p.Lines[i].At(tick.Label)
			if q == nil || !q.Known() {
				continue
			}
			if best == nil || q.Y > best.At(tick.Label).Y {
				best = &p.Lines[i]
			}
			if worst == nil || q.Y < worst.At(tick.Label).Y {
				worst = &p.Lines[i]
			}
		}
		if best == nil {
			continue
		}
		say := func(l *figure.Line) string {
			t := l.At(tick.Label).Text
			if m.Percent {
				t, _, _ = strings.Cut(t, " ")
				t += " %"
			}
			return t + " (" + l.Name + ")"
		}
		text += "; at " + terminal.Truncate(terminal.Visible(tick.Label), 24) + ": " + say(best)
		if worst != best {
			text += " down to " + say(worst)
		}
	}
	return text + "."
}
