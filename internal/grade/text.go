package grade

import (
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
	"verbatim/internal/reasoning"
)

// A textGrader grades answers that are texts.
type textGrader struct {
	finder   *extract.Finder
	rules    [][]rule // for whole replies
	mistakes [][]rule // for the answer that was found in a reply
	numbers  bool     // answers are whole numbers
	// exact says whether a stripped reply is right; loose whether it is right
	// but for its form, without any wrapper. Without loose, no other form is right.
	exact, loose func(got, want string) bool
}

func same(got, want string) bool { return got == want }

// judge labels a stripped reply by the rules for whole replies.
func (r textGrader) judge(it *verbatim.Item, want, got string) verdict {
	if r.exact(got, want) {
		return verdict{label: traits.LabelPass, exact: true, extracted: true, gradedText: got}
	}
	const endOfReasoning = "</think>"
	if i := strings.LastIndex(got, endOfReasoning); i >= 0 {
		v := r.judge(it, want, pylit.Strip(got[i+len(endOfReasoning):]))
		v.wrapped = v.wrapped || v.exact
		v.label, v.detail, v.exact = traits.LabelLeak, v.label, false
		return v
	}
	if got == "" {
		return verdict{label: traits.LabelEmpty}
	}
	v := verdict{gradedText: got, pair: newPair(want, got)}
	r.note(v.pair, it)
	hit, detail := v.pair.firstHolding(r.rules)
	v.label, v.detail, v.wrapped = hit.Name, detail, hit.extracted
	v.extracted = v.wrapped || r.loose != nil && r.loose(got, want)
	return v
}

// note notes in a pair what is known of how the answer to the item comes about.
func (r textGrader) note(p *pair, it *verbatim.Item) {
	if r.numbers && p.found {
		p.counted = it.Source != nil && len(it.Source.List) == 1
		p.fraction = slices.ContainsFunc(it.Mistakes, func(m verbatim.Mistake) bool { return m.Label == traits.Decimal })
	}
	switch {
	case it.Source == nil:
	case r.numbers:
		p.addends = addendsOf(*it.Source)
	case !it.Source.IsList():
		// A source that is the expected text is that of a copy and tells nothing, unless it reads the
		// same backwards.
		if source := runes.Decode(it.Source.Text); !slices.Equal(source, p.e) || mirrored(source, source) {
			p.source = source
		}
	}
}

// grade grades a reply by the rules for whole replies.
func (r textGrader) grade(it *verbatim.Item, text string, finish verbatim.Finish, name string) verbatim.Grade {
	want := pylit.Answer(it.Want)
	got := pylit.Strip(text)
	v := r.judge(it, want, got)
	g := verbatim.Grade{Flags: traits.Flags(it, want, got, finish), Grader: Current(name)}
	g.Outcome = traits.Outcome(v.exact, v.wrapped, v.label, finish)
	v.split(r.rules)
	v.fill(&g, want)
	if g.Outcome == verbatim.Truncated {
		g.Detail = traits.TruncatedDetail(strings.HasPrefix(want, v.gradedText) || traits.StillReasoning(v.gradedText))
	}
	return g
}

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

// A verdict is what a grader says about one reply.
type verdict struct {
	label, detail string
	exact         bool
	extracted     bool
	wrapped       bool   // extracted holds because a wrapper was removed
	gradedText    string // the stripped reply, or the answer in it
	pair          *pair  // nil where the label needed no comparison
}

// fill sets the fields of a grade that follow from the verdict. reference is the right answer that the
// graded text is measured against.
func (v *verdict) fill(g *verbatim.Grade, reference string) {
	g.Label, g.Detail, g.Exact, g.Extracted = v.label, v.detail, v.exact, v.extracted
	g.Score = new(traits.One(v.exact))
	g.Measures = v.measures(reference)
}
