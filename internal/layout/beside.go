package layout

import (
	"io"
	"strings"

	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// writeComparisons writes what is known of every run beside the baseline: one comparison as a
// sentence, several as a table. The details are those of `compare`.
func writeComparisons(w io.Writer, r *report.Report, s terminal.Style) error {
	var b strings.Builder
	switch len(r.Comparisons) {
	case 0:
		return nil
	case 1:
		c := r.Comparisons[0]
		for _, line := range terminal.Wrap(Sentence(c), s.Columns()) {
			b.WriteString(s.Paint(terminal.Bold, line) + "\n")
		}
		if text := Settling(c.ItemsNeeded); text != "" {
			b.WriteString(strings.Join(terminal.Wrap(text, s.Columns()), "\n") + "\n")
		}
	default:
		summaryText(&b, r.Comparisons, s)
	}
	_, err := io.WriteString(w, "\n"+b.String())
	return err
}
