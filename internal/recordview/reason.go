package recordview

import (
	"strings"

	"verbatim"
	"verbatim/internal/terminal"
)

// Reason says why an answer was graded as it was, the label first. It is Visible.
func Reason(s *View) string {
	if s.Verdict == nil {
		return ""
	}
	return reason(s.Outcome, s.Verdict)
}

// reason says why a reply was graded as it was, the label first.
func reason(o verbatim.Outcome, g *Verdict) string {
	var parts []string
	if g.Label != string(o) {
		parts = append(parts, terminal.Visible(g.Label))
	}
	if g.Detail != "" {
		parts = append(parts, "("+terminal.Visible(g.Detail)+")")
	}
	text := strings.Join(parts, " ")
	switch {
	case o == verbatim.Truncated && g.Explanation != "" && detailMeaning(g.Detail) != "":
		return text + ": " + g.Explanation + " " + detailMeaning(g.Detail)
	case g.Explanation == "":
		return text
	case text == "":
		return g.Explanation
	}
	return text + ": " + g.Explanation
}
