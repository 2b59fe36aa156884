package report

import (
	"io"
	"strings"
)

// besides writes what is known of every run beside the baseline: one comparison as a
// sentence, several as a table. The details are those of `compare`.
func besides(w io.Writer, r *Report, s Style) error {
	var b strings.Builder
	switch len(r.Comparisons) {
	case 0:
		return nil
	case 1:
		c := r.Comparisons[0]
		for _, line := range wrapped(sentence(c), s.width()) {
			b.WriteString(s.paint(strong, line) + "\n")
		}
		if text := settling(c.ItemsNeeded); text != "" {
			b.WriteString(strings.Join(wrapped(text, s.width()), "\n") + "\n")
		}
	default:
		summaryText(&b, r.Comparisons, s)
	}
	_, err := io.WriteString(w, "\n"+b.String())
	return err
}
