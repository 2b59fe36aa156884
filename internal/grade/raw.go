package grade

import (
	"slices"
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
	want := expected(it)
	if text == want || slices.ContainsFunc(it.Accept, func(a verbatim.Answer) bool { return answerText(a) == text }) {
		one := 1.0
		return verbatim.Grade{Outcome: verbatim.Pass, Label: traits.LabelPass, Exact: true, Extracted: true, Score: &one,
			Flags: traits.Flags(it, text, text, finish), Measures: measuresOfRight(text), Grader: Current("text-raw")}
	}
	// Everything else is described as of a text whose ends do not count.
	stripped := *it
	stripped.Want = verbatim.TextAnswer(pylit.Strip(want))
	g := textGrader{finder: finder, exact: same, mistakes: textMistakes[:]}.gradeAnswer(&stripped, text, finish, "text-raw")
	zero := 0.0
	if start, label, ok := rawInside(text, want); ok {
		g.Outcome = traits.Outcome(false, true, label, finish)
		g.Label, g.Detail, g.Exact, g.Extracted, g.Score = label, "", false, true, &zero
		g.Span, g.Rule = &verbatim.Span{Start: start, End: start + len(want)}, extract.RuleWhole
		return g
	}
	if !g.Extracted {
		return g
	}
	g.Exact, g.Extracted, g.Score, g.Detail = false, false, &zero, ends(text, want)
	if g.Label == traits.LabelPass || stripped.Want.Text != want {
		g.Label = "whitespace"
	} else { // the ends are right, and something else is around it
		g.Extracted, g.Detail = true, ""
	}
	g.Outcome = traits.Outcome(false, g.Extracted, g.Label, finish)
	return g
}

// rawInside finds the wanted text as the whole inside of a reply's only code block or of its
// quotation marks.
func rawInside(text, want string) (start int, label string, ok bool) {
	from, _ := reasoning.Cut(text)
	body := text[from:]
	if from > 0 && strings.HasSuffix(body, want) && strings.TrimSpace(body[:len(body)-len(want)]) == "" {
		return len(text) - len(want), traits.LabelLeak, true
	}
	lead := len(body) - len(strings.TrimLeft(body, " \t\r\n"))
	got := pylit.Strip(body)
	if rest, fenced := strings.CutPrefix(got, "```"); fenced {
		line := strings.IndexByte(rest, '\n') + 1
		if inside, ok := strings.CutSuffix(rest[line:], "```"); ok && line > 0 && (inside == want || inside == want+"\n") {
			return from + lead + len("```") + line, traits.LabelFenced, true
		}
		return 0, "", false
	}
	for _, q := range quotes {
		if got == q[0]+want+q[1] {
			return from + lead + len(q[0]), traits.LabelQuoted, true
		}
	}
	return 0, "", false
}

// ends says which end of a reply has other white space than is wanted.
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
