package layout

import (
	"bufio"
	"io"

	"verbatim/internal/terminal"
	"verbatim/internal/verdict/leaderboard"
)

// LeaderboardMarkdown writes a leaderboard as a sentence and a table, without a
// heading.
func LeaderboardMarkdown(w io.Writer, l *leaderboard.Leaderboard, _ terminal.Style) error {
	out := bufio.NewWriter(w)
	out.WriteString("**" + marked(LeadSentence(l)) + "**\n\n")
	about, reading := leadFacts(l)
	markdownFacts(out, []fact{about})
	out.WriteString("\n")
	sheetMarkdown(out, leadSheet(l, 0))
	out.WriteString("\n")
	markdownFacts(out, []fact{reading})
	for _, n := range l.Notes {
		out.WriteString("- " + escaped(n.Text) + "\n")
	}
	return out.Flush()
}
