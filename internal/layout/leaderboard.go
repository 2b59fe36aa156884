package layout

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"

	"verbatim/internal/table"
	"verbatim/internal/verdict"
)

// leadNames returns the names of the runs of a leaderboard.
func leadNames(l *verdict.Leaderboard) []string {
	runs := make([]verdict.RunInfo, len(l.Places))
	for i := range l.Places {
		runs[i] = l.Places[i].RunInfo
	}
	return rankNames(runs)
}

// leadSentence says who is first, or which runs are indistinguishable. It can be printed: names have passed through terminal.Visible.
func leadSentence(l *verdict.Leaderboard) string {
	names, sets := leadNames(l), l.IndistinguishableSets
	ranked, first := len(l.Ahead), &l.Places[0]
	if len(sets) == 1 && len(sets[0]) == ranked {
		if l.Places[ranked-1].Rank == first.Rank {
			return fmt.Sprintf("%s are indistinguishable: all have the same score.", number.Names(names[:ranked]))
		}
		return number.Names(names[:ranked]) + " are indistinguishable."
	}
	parts := []string{firstPart(l, names)}
	for len(sets) > 0 && sets[0][0] == 0 { // firstPart has the sets of the first run
		sets = sets[1:]
	}
	for i, set := range sets {
		const most = 3
		if i == most {
			parts = append(parts, "further sets of runs are indistinguishable: see their ranks")
			break
		}
		parts = append(parts, number.Names(namesAt(names, set))+" are indistinguishable")
	}
	if len(l.IndistinguishableSets) == 0 && ranked > 2 {
		parts = append(parts, "the order of all "+strconv.Itoa(ranked)+" is certain at "+confident(l.Confidence))
	}
	return strings.Join(parts, "; ") + "."
}

// firstPart says who is first, or which runs may be first.
func firstPart(l *verdict.Leaderboard, names []string) string {
	first := &l.Places[0]
	switch {
	case len(first.Indistinguishable) == 0:
		return names[0] + " is first, with " + confident(l.Confidence) + " confidence"
	case len(l.IndistinguishableSets[0]) == len(first.Indistinguishable)+1:
		return "Who is first is undecided: " + number.Names(namesAt(names, l.IndistinguishableSets[0])) + " are indistinguishable"
	}
	// Some of the runs that are indistinguishable from the first differ from each other.
	return fmt.Sprintf("Who is first is undecided: %s is indistinguishable from %s", names[0], number.Names(namesAt(names, first.Indistinguishable)))
}

// namesAt returns the names of places.
func namesAt(names []string, places []int) []string {
	list := make([]string, len(places))
	for i, place := range places {
		list[i] = names[place]
	}
	return list
}

// confident prints a confidence in per cent.
func confident(p float64) string { return strconv.FormatFloat(100*p, 'g', 4, 64) + " %" }

// leaderboardBody shows the ranks.
func leaderboardBody(l *verdict.Leaderboard) []table.Block {
	about, reading := leadFacts(l)
	return []table.Block{table.Facts{about}, table.Blank{}, leaderboardTable(l), table.Blank{}, table.Facts{reading}, noteList(table.Notes, l.Notes)}
}

// leaderboardTable has a row for each run. A wide terminal draws the intervals.
func leaderboardTable(l *verdict.Leaderboard) *table.Table {
	low, high := 1.0, 0.0
	for i := range l.Places {
		if p := &l.Places[i]; p.Items > 0 {
			low, high = min(low, p.Low), max(high, p.High)
		}
	}
	if low >= high {
		low, high = 0, 1
	}
	scale := newScale(low, high)
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
		{Head: "unanswered", Rank: 6, Right: true},
	}}
	names := leadNames(l)
	for i := range l.Places {
		p := &l.Places[i]
		mean, span, lost := number.Missing, number.Missing, ""
		if p.Items > 0 {
			mean, span = number.Fixed(p.Mean, 3), number.Fixed(p.Low, 3)+"–"+number.Fixed(p.High, 3)
		}
		if p.Unanswered > 0 {
			lost = number.Percent(&p.Unanswered) + " %"
		}
		t.Add(report.RankText(l, i), names[i], number.Count(p.Items), mean, span, "", lost)
	}
	return t
}

// leadMetric names the metric by which runs are ranked.
func leadMetric(l *verdict.Leaderboard) string {
	return cmp.Or(l.Metric, string(report.MetricScore))
}

// leadMean explains the mean by which runs are ranked.
func leadMean(l *verdict.Leaderboard) string {
	if l.Paired {
		return "mean " + leadMetric(l) + ": over the items that all runs answered, each item once,"
	}
	return "mean " + leadMetric(l) + ": over the items of each run, each item once,"
}

// leadFacts says what was ranked, and how the table is read.
func leadFacts(l *verdict.Leaderboard) (about, reading table.Fact) {
	parts := []string{strconv.Itoa(len(l.Ahead)) + " runs"}
	if l.Paired {
		parts = append(parts, number.Plural(l.Items, "item", "items")+" that all of them answered")
	} else {
		parts = append(parts, "each on its own items")
	}
	about = table.Fact{Name: "ranked", Parts: append(parts, "score: "+report.Metric(l.Metric).String())}
	reading = table.Fact{Name: "reading", Parts: []string{
		"rank: " + confident(l.Confidence) + " simultaneous interval",
		leadMean(l) + " with the " + confident(l.Confidence) + " interval by item, for fresh items in this wording; the first table is over all answers of a run",
	}}
	if len(l.Ahead) > 2 {
		reading.Parts = append(reading.Parts, "overlapping intervals can belong to runs that differ: they had the same items")
	}
	return about, reading
}
