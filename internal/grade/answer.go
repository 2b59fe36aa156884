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

// gradeAnswer grades a reply by the answer in it, which is found without knowing the expected one
// (package extract) and only then compared.
func (r textGrader) gradeAnswer(it *verbatim.Item, text string, finish verbatim.Finish, name string) verbatim.Grade {
	want := pylit.Answer(it.Want)
	got := pylit.Strip(text)
	g := verbatim.Grade{Flags: traits.Flags(it, r.reference(it, got, want), got, finish), Grader: Current(name)}
	v := verdict{label: traits.LabelPass, exact: true, extracted: true, gradedText: got}
	if !r.right(it, got, want) {
		start, state := reasoning.Cut(text)
		v = r.answer(it, want, text[start:], finish, state, &g)
		if g.Span != nil {
			g.Span.Start, g.Span.End = g.Span.Start+start, g.Span.End+start
		}
	}
	g.Outcome = traits.Outcome(v.exact, v.extracted, v.label, finish)
	v.split(r.mistakes)
	v.fill(&g, r.reference(it, v.gradedText, want))
	if g.Outcome == verbatim.Truncated && !v.extracted {
		g.Detail = traits.TruncatedDetail(strings.HasPrefix(want, v.gradedText) || traits.StillReasoning(got))
	}
	return g
}

// right reports whether a text is the expected one, or another that the item accepts.
func (r textGrader) right(it *verbatim.Item, got, want string) bool {
	return r.exact(got, want) || slices.ContainsFunc(it.Accept, func(a verbatim.Answer) bool { return r.exact(got, pylit.Answer(a)) })
}

// reference returns the text that a graded one is measured against: the accepted answer that it is,
// otherwise the expected one.
func (r textGrader) reference(it *verbatim.Item, got, want string) string {
	for _, a := range it.Accept {
		if text := pylit.Answer(a); text != want && r.exact(got, text) {
			return text
		}
	}
	return want
}

// answer finds and describes the answer in text, which follows the reasoning of a reply that is not
// exact. It sets the span and the rule of g; the span counts from the start of text.
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
	q := r.question(it, want)
	a, ok := r.finder.Find(text, finish, q)
	given := ""
	if ok {
		given = a.Of(text)
		g.Span, g.Rule = &verbatim.Span{Start: a.Start, End: a.End}, a.Rule
		if r.right(it, given, want) {
			label, detail := wrapping(a, text, finish)
			return verdict{label: label, detail: detail, extracted: true, gradedText: given}
		}
	}
	w := wrongReply{textGrader: r, item: it, question: q, want: want, text: text, stripped: pylit.Strip(text), finish: finish, found: a, given: given}
	if !ok {
		return w.noAnswer()
	}
	for _, given := range []string{w.given, w.stripped} {
		if v, ok := foreseen(it, want, given); ok {
			return v
		}
	}
	w.extracted = r.loose != nil && r.loose(w.given, want)
	if w.stripped != w.given && !w.extracted {
		if v, ok := r.otherForm(want, w.stripped); ok {
			return v
		}
	}
	return w.judge(answerRules[:])
}

// answerRules are tried in this order on a reply with a wrong answer.
var answerRules = [...]replyRule{
	(*wrongReply).foreignDigits, (*wrongReply).invisibleCharacters, (*wrongReply).mentionsInput, (*wrongReply).talks,
	(*wrongReply).givesInput, (*wrongReply).interjects, (*wrongReply).loops,
}

func (w *wrongReply) foreignDigits() (label, detail string, ok bool) {
	if !w.extracted || !w.unrelated() || !extract.IsForeign(w.given) {
		return "", "", false
	}
	if w.found.Whole {
		return "unicode_norm", "digits of another script", true
	}
	label, detail = wrapping(w.found, w.text, w.finish)
	return label, detail, true
}

func (w *wrongReply) invisibleCharacters() (label, detail string, ok bool) {
	if w.mistake != "whitespace" {
		return "", "", false
	}
	return w.mistake, invisible(w.want, w.given), true
}

// mentionsInput: the input, which was to be changed, is in a reply that does not call it the answer.
func (w *wrongReply) mentionsInput() (label, detail string, ok bool) {
	if w.mistake != "not_reversed" || w.found.Whole || slices.Contains([]string{extract.RuleNamed, extract.RuleFinal, extract.RuleAlone}, w.found.Rule) {
		return "", "", false
	}
	if len(w.text)-len(w.given) > extract.MostAround {
		return traits.LabelTalk, "", true
	}
	return traits.LabelEcho, "", true
}

// talks: the answer is prose, or the reply declines.
func (w *wrongReply) talks() (label, detail string, ok bool) {
	if !w.unrelated() || !w.isProse() && !traits.RefusesAbroad(w.text) {
		return "", "", false
	}
	return w.nonAnswer(w.text), "", true
}

// isProse reports whether an answer of several words is a part of talk: neither marks, nor words,
// nor the format of the question set it apart.
func (w *wrongReply) isProse() bool {
	q, a := w.question, &w.found
	switch {
	case !q.Spaces, len(strings.Fields(w.given)) <= 3, q.HasOwnMark(w.given), extract.IsBlock(w.given, q):
		return false
	case a.Rule == extract.RuleNamed || a.Rule == extract.RuleColon:
		return q.Lines
	}
	return !a.Whole || !extract.IsStatement(w.given, q)
}

// givesInput: the answer is the text that the question is about.
func (w *wrongReply) givesInput() (label, detail string, ok bool) {
	return traits.LabelEcho, "", w.unrelated() && isInput(w.item, w.given)
}

// interjects: the answer is a word such as "Sure".
func (w *wrongReply) interjects() (label, detail string, ok bool) {
	return traits.LabelTalk, "", w.unrelated() && extract.IsInterjection(w.given)
}

func (w *wrongReply) loops() (label, detail string, ok bool) {
	return traits.LabelLooped, "", w.loopsIn(w.text)
}

// otherForm describes the whole of a reply, in which a wrong answer was found, where it is the
// right text in another form, such as on two lines.
func (r textGrader) otherForm(want, whole string) (verdict, bool) {
	forms := textMistakes[:2] // formRules and separatorRule
	if r.numbers {
		forms = forms[:1]
	}
	p := newForm(want, whole)
	hit, detail, ok := p.firstOf(forms, "")
	if !ok {
		return verdict{}, false
	}
	if hit.Name == "whitespace" {
		detail = invisible(want, whole)
	}
	p.measure()
	return verdict{label: hit.Name, detail: detail, gradedText: whole, pair: p}, true
}

// wrapping returns the label of a right answer by what is around it.
func wrapping(a extract.Answer, text string, finish verbatim.Finish) (label, detail string) {
	answer, after := text[a.Start:a.End], text[a.End:]
	if a.Rule == extract.RuleEquation && !statedBefore(text[:a.Start], answer) && !extract.HasPhrase(extract.NormalText(after), extract.Finals|extract.AnswersSure) {
		return "equation", ""
	}
	switch a.Layer {
	case "quotes":
		first, _, _ := strings.Cut(pylit.Strip(text), answer)
		return traits.LabelQuoted, first
	case "half quotes":
		return traits.LabelQuoted, pylit.Strip(after)
	case "fence":
		return traits.LabelFenced, ""
	case "", "full stop", "bullet":
	default:
		return traits.LabelMarked, a.Layer
	}
	switch {
	case finish == verbatim.FinishLength && traits.LoopsOf(text, answer):
		return traits.LabelLooped, "copies of the answer"
	case traits.IsMarkup(text[:a.Start] + after):
		return traits.LabelMarked, "no words around"
	}
	return traits.LabelExplain, traits.Around(text, a.Start, a.End)
}

// statedBefore reports whether the lines of a text above its last one name a number that is not the
// result of a calculation.
func statedBefore(text, number string) bool {
	text = text[:strings.LastIndexByte(text, '\n')+1]
	for at := 0; ; at++ {
		n := strings.Index(text[at:], number)
		if n < 0 {
			return false
		}
		at += n
		if extract.Apart(text, at, number) && !strings.HasSuffix(strings.TrimRight(text[:at], " *$`"), "=") {
			return true
		}
	}
}

// answerLabels lists the labels of a grader that finds the answer, in the order in which they are tested.
func answerLabels(mistakes [][]rule) []string {
	names := []string{traits.LabelLeak, traits.LabelEmpty, traits.LabelQuoted, traits.LabelFenced, traits.LabelMarked, traits.LabelExplain}
	names = append(append(names, namesOf(traits.Foreseen())...), ruleNames(mistakes)...)
	return append(names, traits.LabelRefusal, traits.LabelCode, traits.LabelEcho, traits.LabelTalk)
}
