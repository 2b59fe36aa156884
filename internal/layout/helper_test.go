package layout

import (
	"io"
	"strings"
	"testing"
	"verbatim/internal/table"
	"verbatim/internal/table/tabletest"

	"verbatim/internal/recordtest"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

func of(t *testing.T, in report.Input) *report.Block {
	t.Helper()
	return &must(report.Of(report.Options{}, in))(t).Runs[0]
}

func kinds(list []report.Warning) string {
	var out []string
	for _, w := range list {
		out = append(out, w.Kind)
	}
	return strings.Join(out, " ")
}

func must(r *report.Report, err error) func(*testing.T) *report.Report {
	return func(t *testing.T) *report.Report {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func input(s recordtest.Run, number int64) report.Input {
	return report.Input{Run: s.Run(number), Records: s.Records()}
}

func writeReport(format string) func(io.Writer, *report.Report, terminal.Style) error {
	return func(w io.Writer, r *report.Report, s terminal.Style) error {
		return tabletest.Write(w, format, Report(r, Options{}), s)
	}
}

// leaderboardText writes a leaderboard for a terminal.
func leaderboardText(w io.Writer, l *verdict.Leaderboard, s terminal.Style) error {
	return tabletest.Write(w, "text", leaderboardDocument(l), s)
}

func leaderboardMarkdown(w io.Writer, l *verdict.Leaderboard, s terminal.Style) error {
	return tabletest.Write(w, "md", leaderboardDocument(l), s)
}

func leaderboardDocument(l *verdict.Leaderboard) *table.Document {
	return &table.Document{Body: func(int) []table.Block { return leaderboardBody(l) }}
}
