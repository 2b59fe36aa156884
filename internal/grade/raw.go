package grade

import (
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
	"verbatim/internal/reasoning"
)

// gradeRaw judges a reply by the rule "equal to the last byte": white space at its ends
// counts. The answer inside a code block or quotation marks counts as extracted where it is
// equal in the same way. A reply that is right but for its ends is "whitespace".
func gradeRaw(finder *extract.Finder, it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
	want := pylit.Answer(it.Want)
	grader := textGrader{finder: finder, exact: same, mistakes: textMistakes[:]}
	if grader.right(it, text, want) {
		return verbatim.Grade{Outcome: verbatim.Pass, Label: traits.LabelPass, Exact: true, Extracted: true, Score: new(1.0),
			Flags: traits.Flags(it, text, text, finish), Measures: measuresOfRight(text), Grader: Current("text-raw")}
	}
	// Everything else is described as of a text whose ends do not count.
	stripped := *it
	stripped.Want = verbatim.TextAnswer(pylit.Strip(want))
	g := grader.gradeAnswer(&stripped, text, finish, "text-raw")
	start, label, inside := rawInside(text, want)
	if !inside && !g.Extracted {
		return g
	}
	g.Exact, g.Score = false, new(0.0)
	switch {
	case inside:
		g.Label, g.Detail, g.Extracted = label, "", true
		g.Span, g.Rule = &verbatim.Span{Start: start, End: start + len(want)}, extract.RuleWhole
	case g.Label == traits.LabelPass || stripped.Want.Text != want:
		g.Label, g.Detail, g.Extracted = "whitespace", ends(text, want), false
	default: // the ends are right, and something else is around it
		g.Detail = ""
	}
	g.Outcome = traits.Outcome(false, g.Extracted, g.Label, finish)
	return g
}

// rawInside finds the expected text as the whole inside of a reply's only code block or of its
// quotation marks, or behind its reasoning. start is its place in the reply.
func rawInside(text, want string) (start int, label string, ok bool) {
	from, _ := reasoning.Cut(text)
	body := text[from:]
	if from > 0 && strings.HasSuffix(body, want) && strings.TrimSpace(body[:len(body)-len(want)]) == "" {
		return len(text) - len(want), traits.LabelLeak, true
	}
	got := pylit.Strip(body)
	from += strings.Index(body, got)
	if rest, fenced := strings.CutPrefix(got, "```"); fenced {
		line := strings.IndexByte(rest, '\n') + 1
		if inside, ok := strings.CutSuffix(rest[line:], "```"); ok && line > 0 && (inside == want || inside == want+"\n") {
			return from + len("```") + line, traits.LabelFenced, true
		}
		return 0, "", false
	}
	for _, q := range quotes {
		if got == q[0]+want+q[1] {
			return from + len(q[0]), traits.LabelQuoted, true
		}
	}
	return 0, "", false
}

// ends says at which ends the white space of a reply differs from the expected one; "" if at none.
func ends(text, want string) string {
	differs := func(cut func(string) string) bool { return cut(text) != cut(want) }
	start := differs(func(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t\r\n"))] })
	end := differs(func(s string) string { return s[len(strings.TrimRight(s, " \t\r\n")):] })
	switch {
	case start && end:
		return "at both ends"
	case start:
		return "at the start"
	case end:
		return "at the end"
	}
	return ""
}
