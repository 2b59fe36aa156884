package page

import (
	"math"
	"strings"

	"verbatim/internal/report"
)

// A measure is what a panel shows of a line: a value with its interval where it has
// one, and in words.
type measure struct {
	title, unit, axis string
	rate              func(*report.Line) report.Rate
	text              func(*report.Line) string
}

func measuresOf(r *report.Report) []measure {
	share := func(rate func(*report.Line) report.Rate) func(*report.Line) string {
		return func(l *report.Line) string {
			v := rate(l)
			if v.Share == nil {
				return report.PercentText(nil)
			}
			return report.PercentText(v.Share) + " (" + report.IntervalText(v, 0) + ")"
		}
	}
	exact := func(l *report.Line) report.Rate { return l.Exact }
	payload := func(l *report.Line) report.Rate { return l.Payload }
	name := "score"
	if len(r.Runs) > 0 && r.Runs[0].Head.On != report.OnScore && r.Runs[0].Head.On != "" {
		name = string(r.Runs[0].Head.On) + " score"
	}
	return []measure{
		{"exact", "exactly right answers", "%", exact, share(exact)},
		{"payload", "answers right once unwrapped", "%", payload, share(payload)},
		{name, "mean score", "", func(l *report.Line) report.Rate { return report.Rate{Of: l.Score.N, Share: l.Score.Value} }, func(l *report.Line) string { return report.ScoreText(l.Score) }},
	}
}

// equalMeasures reports whether two measures are the same on all lines, so that one
// drawing shows both.
func equalMeasures(all [][]report.Line, a, b measure) bool {
	for _, lines := range all {
		for i := range lines {
			x, y := a.rate(&lines[i]).Share, b.rate(&lines[i]).Share
			if (x == nil) != (y == nil) || x != nil && math.Abs(*x-*y) > 1e-9 {
				return false
			}
		}
	}
	return true
}

// curveText says in a sentence what is to be seen: how far apart the runs are at the
// shortest and at the longest length.
func curveText(all [][]report.Line, keys []lengthKey, m measure, names []string) string {
	text := m.unit + " by length"
	last := ""
	for _, key := range []lengthKey{keys[0], keys[len(keys)-1]} {
		if key.label == last {
			break
		}
		last = key.label
		best, worst := -1, -1
		share := func(run int) float64 { return *m.rate(lineAt(all[run], key.label)).Share }
		for run, lines := range all {
			l := lineAt(lines, key.label)
			if l == nil || m.rate(l).Share == nil {
				continue
			}
			if best < 0 || share(run) > share(best) {
				best = run
			}
			if worst < 0 || share(run) < share(worst) {
				worst = run
			}
		}
		if best < 0 {
			continue
		}
		say := func(run int) string {
			t := m.text(lineAt(all[run], key.label))
			if m.axis == "%" {
				t, _, _ = strings.Cut(t, " ")
				t += " %"
			}
			return t + " (" + names[run] + ")"
		}
		text += "; at " + report.CutText(report.Visible(key.label), 24) + ": " + say(best)
		if worst != best {
			text += " down to " + say(worst)
		}
	}
	return text + "."
}
