package layout

import (
	"testing"

	"verbatim"
	"verbatim/internal/report"
)

// TestReasoningWithoutTokens counts the answers by their texts where the server counts no
// tokens, and has no row that would be empty.
func TestReasoningWithoutTokens(t *testing.T) {
	size := 12.0
	table := reasoningTable([]report.Reasoned{{Outcome: verbatim.Wrong, Texts: &report.ReasoningTexts{
		Characters:     report.Sizes{Mean: &size, Min: &size, Median: &size, Max: &size, Total: 36, N: 3},
		SecondThoughts: report.Marked{Total: 6, Answers: 2},
	}}})
	want := map[string]string{
		"  answers": "3", "  characters, median": "12", "  characters, mean": "12", "  characters, range": "12",
		"  second thoughts an answer": "2.00", "  repeated lines an answer": "0.00", "  language switches an answer": "0.00",
	}
	if len(table.Rows) != len(want) {
		t.Errorf("%d rows, want %d", len(table.Rows), len(want))
	}
	for _, r := range table.Rows {
		if r.Cells[1] != want[r.Cells[0]] {
			t.Errorf("%q has %q, want %q", r.Cells[0], r.Cells[1], want[r.Cells[0]])
		}
	}
}
