package grade

import (
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/grade/echo"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/numeral"
	"verbatim/internal/grade/phrases"
	"verbatim/internal/grade/program"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
	"verbatim/internal/reasoning"
)

// gradeAnswer grades by version 2: the answer is found without knowing the expected one
// (package extract), and only then compared.
func (r textGrader) gradeAnswer(it *verbatim.Item, text string, finish verbatim.Finish, name string) verbatim.Grade {
	want := expected(it)
	got := pylit.Strip(text)
	g := verbatim.Grade{Flags: traits.Flags(it, r.reference(it, got, want), got, finish), Grader: Current(name)}
	v := verdict{gradedText: got}
	switch {
	case r.right(it, got, want):
		v.label, v.exact, v.extracted = traits.LabelPass, true, true
	default:
		start, state := reasoning.Cut(text)
		v = r.answer(it, want, text[start:], finish, state, &g)
		if g.Span != nil {
			g.Span.Start, g.Span.End = g.Span.Start+start, g.Span.End+start
		}
	}
	score := 0.0
	if v.exact {
		score = 1
	}
	g.Label, g.Detail, g.Exact, g.Extracted, g.Score = v.label, v.detail, v.exact, v.extracted, &score
	g.Measures = v.measures(r.reference(it, v.gradedText, want))
	g.Outcome = traits.Outcome(v.exact, v.extracted, v.label, finish)
	if g.Outcome == verbatim.Truncated && !v.extracted {
		g.Detail = "diverged"
		if strings.HasPrefix(want, v.gradedText) || traits.StillReasoning(got) {
			g.Detail = "prefix" // it may have become right
		}
	}
	return g
}

// right reports whether a text is the wanted one, or another that the item accepts.
func (r textGrader) right(it *verbatim.Item, got, want string) bool {
	return r.exact(got, want) || slices.ContainsFunc(it.Accept, func(a verbatim.Answer) bool { return r.exact(got, answerText(a)) })
}

// reference is the text that a graded one is measured by: itself where the item accepts it.
func (r textGrader) reference(it *verbatim.Item, got, want string) string {
	for _, a := range it.Accept {
		if text := answerText(a); text != want && r.exact(got, text) {
			return text
		}
	}
	return want
}

// answer finds and describes the answer in a reply, which is not exact: the text behind
// its reasoning.
func (r textGrader) answer(it *verbatim.Item, want, text string, finish verbatim.Finish, state reasoning.State, g *verbatim.Grade) verdict {
	got := pylit.Strip(text)
	var v verdict
	switch {
	case state == reasoning.Open:
		return verdict{label: traits.LabelLeak, detail: "not closed", gradedText: got}
	case r.right(it, got, want):
		v = verdict{label: traits.LabelPass, extracted: true, gradedText: got}
		if state != reasoning.Absent {
			at := strings.Index(text, got)
			g.Span, g.Rule = &verbatim.Span{Start: at, End: at + len(got)}, extract.RuleWhole
		}
	case got == "":
		v = verdict{label: traits.LabelEmpty}
	default:
		v = r.found(it, want, text, finish, g)
	}
	if state == reasoning.Closed {
		v.label, v.detail = traits.LabelLeak, v.label
	}
	return v
}

// found describes the answer that is in a text, or says what the text is instead.
func (r textGrader) found(it *verbatim.Item, want, text string, finish verbatim.Finish, g *verbatim.Grade) verdict {
	q := question(it, want)
	a, ok := r.finder.Find(text, finish, q)
	if !ok {
		return r.noAnswer(it, want, text, finish, q)
	}
	g.Span, g.Rule = &verbatim.Span{Start: a.Start, End: a.End}, a.Rule
	answer := a.Of(text)
	if r.right(it, answer, want) {
		label, detail := wrapping(a, text, finish)
		return verdict{label: label, detail: detail, extracted: true, gradedText: answer}
	}
	for _, given := range []string{answer, pylit.Strip(text)} {
		if m, ok := foreseen(it, given); ok {
			return verdict{label: m.Label, detail: m.Detail, gradedText: given, pair: newPair(want, given)}
		}
	}
	v := verdict{gradedText: answer, pair: newPair(want, answer)}
	v.pair.from(it)
	v.extracted = r.loose != nil && r.loose(answer, want)
	if whole := pylit.Strip(text); whole != answer && !v.extracted {
		if form, ok := r.otherForm(want, whole); ok {
			return form
		}
	}
	hit, detail := v.pair.firstHolding(r.mistakes)
	v.label, v.detail = hit.Name, detail
	switch {
	case v.extracted && hit.Name == "unrelated" && numeral.IsForeign(answer):
		if v.label, v.detail = "unicode_norm", "digits of another script"; !a.Whole {
			v.label, v.detail = wrapping(a, text, finish)
		}
	case hit.Name == "whitespace":
		v.detail = invisible(want, answer)
	case hit.Name == "not_reversed" && !a.Whole && a.Rule != "named as the answer" && a.Rule != "final answer" && a.Rule != "alone on a line":
		if v.label = traits.LabelEcho; len(text)-len(answer) > echo.MostAround {
			v.label = traits.LabelTalk
		}
	case hit.Name == "unrelated" && (q.Spaces && len(strings.Fields(answer)) > 3 && !q.HasOwnMark(answer) && (q.Lines || a.Rule != "named as the answer" && a.Rule != "after a colon") && !extract.IsBlock(answer, q) && !(a.Whole && extract.IsStatement(answer, q)) || traits.RefusesAbroad(text)):
		v.label, v.detail = traits.NonAnswer(text, func() bool { return echo.Of(q, text) || givesBack(it, want, text) }, program.Is(text)), ""
	case hit.Name == "unrelated" && isInput(it, answer):
		v.label, v.detail = traits.LabelEcho, ""
	case hit.Name == "unrelated" && phrases.IsInterjection(answer):
		v.label, v.detail = traits.LabelTalk, ""
	case hit.Name == "unrelated" && traits.Loops(text), cutLoop(hit.Name, text, finish):
		v.label, v.detail = traits.LabelLooped, ""
	}
	if a.Rule == ruleEquation {
		v.detail = strings.TrimSuffix("equation: "+detail, ": ")
	}
	return v
}

// otherForm reports whether the whole of a reply, in which a wrong answer was found, is the
// right text in another form, such as on two lines.
func (r textGrader) otherForm(want, whole string) (verdict, bool) {
	p := newForm(want, whole)
	of := [...][]rule{formRules[:], nil}
	if r.loose == nil { // of a text
		of[1] = separatorRule[:]
	}
	for i := range len(formRules) + len(of[1]) {
		rule := &of[i/len(formRules)][i%len(formRules)]
		if detail, ok := rule.holds(p); ok {
			if rule.Name == "whitespace" {
				detail = invisible(want, whole)
			}
			p.measure()
			return verdict{label: rule.Name, detail: detail, gradedText: whole, pair: p}, true
		}
	}
	return verdict{}, false
}

const ruleEquation = "equation"

// wrapping returns the label of a right answer by what is around it.
func wrapping(a extract.Answer, text string, finish verbatim.Finish) (label, detail string) {
	if a.Rule == ruleEquation && !statedBefore(text[:a.Start], text[a.Start:a.End]) && !phrases.Has(phrases.Normal(text[a.End:]), phrases.Finals|phrases.AnswersSure) {
		return "equation", ""
	}
	switch a.Layer {
	case "quotes":
		first, _, _ := strings.Cut(pylit.Strip(text), text[a.Start:a.End])
		return traits.LabelQuoted, first
	case "half quotes":
		return traits.LabelQuoted, pylit.Strip(text[a.End:])
	case "fence":
		return traits.LabelFenced, ""
	case "", "full stop", "bullet":
	default:
		return traits.LabelMarked, a.Layer
	}
	before, after := strings.TrimSpace(text[:a.Start]) != "", strings.TrimSpace(text[a.End:]) != ""
	switch {
	case finish == verbatim.FinishLength && traits.LoopsOf(text, text[a.Start:a.End]):
		return traits.LabelLooped, "copies of the answer"
	case traits.IsMarkup(text[:a.Start] + text[a.End:]):
		return traits.LabelMarked, "no words around"
	case before && after:
		return traits.LabelExplain, "preamble trailer"
	case before:
		return traits.LabelExplain, "preamble"
	}
	return traits.LabelExplain, "trailer"
}

// statedBefore reports whether a number stands on its own in the lines above the one that ends a text,
// not at the end of a calculation.
func statedBefore(text, number string) bool {
	text = text[:strings.LastIndexByte(text, '\n')+1]
	for at := 0; ; at++ {
		n := strings.Index(text[at:], number)
		if n < 0 {
			return false
		}
		at += n
		if phrases.Apart(text, at, number) && !strings.HasSuffix(strings.TrimRight(text[:at], " *$`"), "=") {
			return true
		}
	}
}

// answerLabels lists the labels of version 2 in the order in which they are tested.
func answerLabels(mistakes [][]rule) []string {
	out := []string{traits.LabelLeak, traits.LabelEmpty, traits.LabelQuoted, traits.LabelFenced, traits.LabelMarked, traits.LabelExplain}
	for _, l := range traits.Foreseen() {
		out = append(out, l.Name)
	}
	for _, part := range mistakes {
		for _, r := range part {
			out = append(out, r.Name)
		}
	}
	return append(out, traits.LabelRefusal, traits.LabelCode, traits.LabelEcho, traits.LabelTalk)
}
