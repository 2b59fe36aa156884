package layout

import (
	"io"
	"strconv"
	"strings"

	"verbatim/internal/csvfile"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/leaderboard"
)

// LeaderboardCSV writes one row for each run, unrounded, with a header. A run that is
// not ranked has empty cells for its ranks and says why. p_ranks holds the probability
// of every rank from the first on, and tied the names of the runs that it cannot be
// told apart from; both are separated by spaces. Texts have passed through Visible.
func LeaderboardCSV(w io.Writer, l *leaderboard.Leaderboard, s terminal.Style) error {
	out := csvfile.NewWriter(w, s.Raw)
	out.Write([]string{"metric", "paired", "run", "name", "model", "items", "mean", "low", "high", "unanswered_share",
		"rank", "rank_low", "rank_high", "p_first", "p_ranks", "tied", "unranked"})
	for i := range l.Places {
		p := &l.Places[i]
		row := []string{l.Metric, strconv.FormatBool(l.Paired), digits(p.N), terminal.Visible(p.Name), terminal.Visible(p.Model), digits(p.Items), "", "", "", float(&p.Unanswered)}
		if p.Items > 0 {
			row[6], row[7], row[8] = float(&p.Mean), float(&p.Low), float(&p.High)
		}
		if p.Rank == 0 {
			out.Write(append(row, "", "", "", "", "", "", p.Unranked))
			continue
		}
		var chances, tied []string
		for _, x := range p.RankProbabilities {
			chances = append(chances, float(&x))
		}
		for _, j := range p.Indistinguishable {
			tied = append(tied, terminal.Visible(l.Places[j].Name))
		}
		out.Write(append(row, strconv.Itoa(p.Rank), strconv.Itoa(p.RankLow), strconv.Itoa(p.RankHigh), chances[0], strings.Join(chances, " "), strings.Join(tied, " "), ""))
	}
	out.Flush()
	return out.Error()
}
