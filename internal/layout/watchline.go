package layout

import (
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// watchLine prints the state of a watch on one line, for logs.
func watchLine(w *report.Watched) string {
	line := strings.ToUpper(w.Word) + "  " + terminal.Visible(w.Model) + "  day " + fmt.Sprintf("%d of %d", len(w.Days), w.Horizon)
	if n := len(w.Days); n > 0 {
		d := w.Days[n-1]
		line += fmt.Sprintf(" (%s): %d of %s deviate", d.Date, d.Deviations, number.Plural(int64(d.Calls), "call", "calls"))
		if d.Missing > 0 {
			line += fmt.Sprintf(", %d without a reply", d.Missing)
		}
		if d.Elsewhere > 0 {
			line += fmt.Sprintf(", %d not counted, served by %s and not by %s", d.Elsewhere, terminal.Visible(strings.Join(d.Upstreams, ", ")), terminal.Visible(strings.Join(w.Upstreams, ", ")))
		}
		if len(d.Failed) > 0 {
			line += ", failed upstreams: " + terminal.Visible(strings.Join(d.Failed.Words(), "; "))
		}
		if len(d.Served) > 0 {
			line += ", now served by " + terminal.Visible(strings.Join(d.Served, ", "))
		}
	}
	line += fmt.Sprintf("; capital %s, alarm at %s", number.Plain(round3(w.Capital)), number.Plain(1/w.Alpha))
	if w.Alarm != nil {
		line += fmt.Sprintf("; alarm since %s: %s. The cause is not known", w.Alarm.Date, w.Alarm.Alarm)
	}
	return line + "."
}

// round3 rounds a capital to three significant digits, as it is printed.
func round3(x float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		return x
	}
	return v
}
