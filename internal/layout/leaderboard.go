package layout

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/layout/drawing"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/report/headline"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/leaderboard"
)

// leadNames returns what to call the runs of a leaderboard, as rankNames does.
func leadNames(l *leaderboard.Leaderboard) []string {
	names, seen := make([]string, len(l.Places)), make(map[string]int)
	for i := range l.Places {
		seen[l.Places[i].Model]++
	}
	for i := range l.Places {
		p := &l.Places[i]
		if names[i] = terminal.Visible(p.Model); seen[p.Model] > 1 {
			names[i] = terminal.Visible(p.Name)
		}
	}
	return names
}

// LeadSentence says in plain words who is first, how sure that is, and which runs
// are indistinguishable. Names have passed through Visible.
func LeadSentence(l *leaderboard.Leaderboard) string {
	names := leadNames(l)
	ranked := len(l.Ahead)
	first := &l.Places[0]
	if len(l.IndistinguishableSets) == 1 && len(l.IndistinguishableSets[0]) == ranked {
		if l.Places[ranked-1].Rank == first.Rank {
			return fmt.Sprintf("%s are indistinguishable: all have the same score.", listedSome(names[:ranked]))
		}
		return fmt.Sprintf("%s are indistinguishable; %s has the highest score, and is first with probability %s.", listedSome(names[:ranked]), names[0], number.SampledProbability(first.RankProbabilities[0]))
	}
	called := func(places []int) (list []string) {
		for _, i := range places {
			list = append(list, names[i])
		}
		return list
	}
	var parts []string
	others := l.IndistinguishableSets
	switch {
	case len(first.Indistinguishable) == 0:
		parts = append(parts, fmt.Sprintf("%s is first with probability %s", names[0], number.SampledProbability(first.RankProbabilities[0])))
	case len(l.IndistinguishableSets[0]) == len(first.Indistinguishable)+1:
		parts = append(parts, fmt.Sprintf("who is first is undecided: %s are indistinguishable (%s is first with probability %s)", listedSome(called(l.IndistinguishableSets[0])), names[0], number.SampledProbability(first.RankProbabilities[0])))
	default: // some of those differ from each other
		parts = append(parts, fmt.Sprintf("who is first is undecided: %s, first with probability %s, is indistinguishable from %s", names[0], number.SampledProbability(first.RankProbabilities[0]), listedSome(called(first.Indistinguishable))))
	}
	for len(others) > 0 && others[0][0] == 0 {
		others = others[1:]
	}
	for i, set := range others {
		const most = 3
		if i == most {
			parts = append(parts, "further sets of runs are indistinguishable: see their ranks")
			break
		}
		parts = append(parts, listedSome(called(set))+" are indistinguishable")
	}
	if len(l.IndistinguishableSets) == 0 && ranked > 2 {
		parts = append(parts, "the order of all "+strconv.Itoa(ranked)+" is certain at "+confident(l.Confidence))
	}
	return capitalised(strings.Join(parts, "; ")) + "."
}

// capitalised writes a sentence's own first word with a capital; a name stays as it
// is.
func capitalised(s string) string {
	if rest, ok := strings.CutPrefix(s, "who is "); ok {
		return "Who is " + rest
	}
	return s
}

// listedSome joins names, and counts those that are too many to be read.
func listedSome(names []string) string {
	const most = 4
	switch n := len(names); {
	case n == 0:
		return ""
	case n == 1:
		return names[0]
	case n > most+1:
		return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(n-most) + " others"
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// confident prints a confidence.
func confident(p float64) string { return strconv.FormatFloat(100*p, 'g', 4, 64) + " %" }

// rankCurve draws the probabilities of the ranks, the first on the left: a character
// each, and a dot where there is next to none.
func rankCurve(p []float64) string {
	const most = 24
	if len(p) > most {
		return ""
	}
	steps := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, x := range p {
		switch {
		case x < 0.005:
			b.WriteRune('·')
		case x >= 0.995:
			b.WriteRune('█')
		default:
			b.WriteRune(steps[int(x*7)])
		}
	}
	return b.String()
}

// leaderboardBody shows the ranks. A wide terminal draws the intervals.
func leaderboardBody(l *leaderboard.Leaderboard) []table.Block {
	about, reading := leadFacts(l)
	notes := table.List{Kind: table.Notes}
	for _, n := range l.Notes {
		notes.Items = append(notes.Items, table.Item{Text: terminal.Visible(n.Text)})
	}
	return []table.Block{table.Facts{about}, table.Blank{}, leaderboardTable(l), table.Blank{}, table.Facts{reading}, notes}
}

func leaderboardTable(l *leaderboard.Leaderboard) *table.Table {
	low, high := 1.0, 0.0
	for i := range l.Places {
		if p := &l.Places[i]; p.Items > 0 {
			low, high = min(low, p.Low), max(high, p.High)
		}
	}
	if low >= high {
		low, high = 0, 1
	}
	scale := drawing.NewScale(low, high)
	t := &table.Table{Columns: []table.Column{
		{Head: "rank", Right: true}, {Head: "model", Min: 8}, {Head: "n", Rank: 5, Right: true}, {Head: "mean " + leadMetric(l), Right: true}, {Head: confident(l.Confidence), Rank: 1, Right: true},
		{Rank: 7, Drawing: &table.Drawing{Min: 16, Max: 49,
			Head: func(width int) string { return scale.Head(number.Fixed(low, 2), number.Fixed(high, 2), width) },
			Cell: func(i, width int) string {
				p := &l.Places[i]
				if p.Items == 0 {
					return ""
				}
				return scale.Interval(p.Low, p.Mean, p.High, -1, width)
			}}},
		{Head: "P first", Right: true}, {Head: "P of ranks", Rank: 4}, {Head: "unanswered", Rank: 6, Right: true},
	}}
	names := leadNames(l)
	for i := range l.Places {
		p := &l.Places[i]
		mean, span, first, curve, lost := number.Missing, number.Missing, number.Missing, number.Missing, ""
		if p.Items > 0 {
			mean, span = number.Fixed(p.Mean, 3), number.Fixed(p.Low, 3)+"–"+number.Fixed(p.High, 3)
		}
		if p.Rank > 0 {
			first, curve = number.SampledProbability(p.RankProbabilities[0]), rankCurve(p.RankProbabilities)
		}
		if p.Unanswered > 0 {
			lost = number.Percent(&p.Unanswered) + " %"
		}
		t.Add(headline.RankText(l, i), names[i], number.Count(p.Items), mean, span, "", first, curve, lost)
	}
	return t
}

// leadMetric heads the column by which runs are ranked.
func leadMetric(l *leaderboard.Leaderboard) string {
	return cmp.Or(l.Metric, string(report.MetricScore))
}

// leadMean explains the mean by which runs are ranked.
func leadMean(l *leaderboard.Leaderboard) string {
	if l.Paired {
		return "mean " + leadMetric(l) + ": over the items that all runs answered, each item once,"
	}
	return "mean " + leadMetric(l) + ": over the items of each run, each item once,"
}

// leadFacts says what was ranked, and how the table is read.
func leadFacts(l *leaderboard.Leaderboard) (about, reading table.Fact) {
	parts := []string{strconv.Itoa(len(l.Ahead)) + " runs"}
	if l.Paired {
		parts = append(parts, number.Count(l.Items)+" items that all of them answered")
	} else {
		parts = append(parts, "each on its own items")
	}
	about = table.Fact{Name: "ranked", Parts: append(parts, "score: "+report.Metric(l.Metric).String())}
	reading = table.Fact{Name: "reading", Parts: []string{
		"rank: " + confident(l.Confidence) + " simultaneous interval",
		leadMean(l) + " with the " + confident(l.Confidence) + " interval by item, for fresh items in this wording; the first table is over all answers of a run",
		"P first: posterior probability of the highest score; between equal models it is any number from 0 to 1",
		"P of ranks: ▁▄█ from the first to the last",
	}}
	if len(l.Ahead) > 2 {
		reading.Parts = append(reading.Parts, "overlapping intervals can belong to runs that differ: they had the same items")
	}
	return about, reading
}
