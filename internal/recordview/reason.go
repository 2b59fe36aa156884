package recordview

import (
	"strings"

	"verbatim"
	"verbatim/internal/terminal"
)

// Reason says why an answer was graded as it was, the label first. It is Visible, and empty without
// an answer.
func Reason(v *View) string {
	g := v.Verdict
	if g == nil {
		return ""
	}
	var parts []string
	if g.Label != string(v.Outcome) {
		parts = append(parts, terminal.Visible(g.Label))
	}
	if g.Detail != "" {
		parts = append(parts, "("+terminal.Visible(g.Detail)+")")
	}
	text := strings.Join(parts, " ")
	switch meaning := detailMeaning(g.Detail); {
	case v.Outcome == verbatim.Truncated && g.Explanation != "" && meaning != "":
		return text + ": " + g.Explanation + " " + meaning
	case g.Explanation == "":
		return text
	case text == "":
		return g.Explanation
	}
	return text + ": " + g.Explanation
}
