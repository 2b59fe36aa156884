package grade

import (
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/runes"
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

// question returns what is known of the answer to an item before a reply is read.
func (r textGrader) question(it *verbatim.Item, want string) *extract.Question {
	if r.numbers {
		q := &extract.Question{Kind: extract.Integer}
		if it.Source != nil {
			q.Operands = inputNumbers(*it.Source)
		}
		return q
	}
	if it.Source != nil && !it.Source.IsList() && it.Source.Text != "" {
		q := extract.OfText(it.Source.Text, it.Source.Text)
		q.Copy = asksForCopy(it)
		return q
	}
	q := extract.OfText(want, "")
	q.Units = units(it)
	if q.Char {
		q.Within, _ = inputText(it)
	}
	return q
}

// asksForCopy reports whether the prompt asks to give the source back as it is.
func asksForCopy(it *verbatim.Item) bool {
	if len(it.Prompt) == 0 {
		return false
	}
	for _, p := range it.Prompt[len(it.Prompt)-1].Content {
		if before, after, ok := strings.Cut(p.Text, it.Source.Text); ok {
			return extract.AsksForCopy(before + " " + after)
		}
	}
	return false
}

// units returns the piece that the answer repeats and the separator of its copies, as one text. Only an
// item whose source is a piece, a number and a separator has them.
func units(it *verbatim.Item) string {
	if it.Source == nil || len(it.Source.List) != 3 {
		return ""
	}
	piece, ok := it.Source.List[0].(string)
	between, ok2 := it.Source.List[2].(string)
	if _, text := it.Source.List[1].(string); text || !ok || !ok2 {
		return ""
	}
	return piece + between
}

// foreseen describes a text that is the answer of a mistake which the item foresees.
func foreseen(it *verbatim.Item, want, got string) (verdict, bool) {
	m, ok := traits.Mistake(it, func(a verbatim.Answer) bool { return pylit.Answer(a) == got })
	if !ok {
		return verdict{}, false
	}
	return verdict{label: m.Label, detail: m.Detail, gradedText: got, pair: newPair(want, got)}, true
}

// noAnswer describes a reply without an answer: as a whole it may be the answer in
// another form or with a mistake; otherwise it is a refusal, a program, the input or talk.
func (w *wrongReply) noAnswer() verdict {
	if v, ok := foreseen(w.item, w.want, w.stripped); ok {
		return v
	}
	w.given = w.stripped
	if w.question.Kind == extract.AskedText {
		w.pickGiven()
	}
	return w.judge(noAnswerRules[:])
}

// pickGiven chooses what of a reply without an answer is compared with the expected text.
func (w *wrongReply) pickGiven() {
	q, reply := w.question, w.stripped
	w.given, w.setApart = setApart(reply, q.Source)
	if lines, ok := w.cutLines(); ok && (len(lines) <= len(w.want) || !strings.ContainsAny(lines, " \n")) {
		w.given, w.setApart = lines, true
	}
	if line, _, more := strings.Cut(reply, "\n"); more && !q.Lines && q.HasOwnMark(reply) {
		w.given, w.setApart = strings.TrimSpace(line), true
	}
	if lines, ok := namedLines(reply, q); ok && !traits.Declines(reply) && !traits.Loops(reply) {
		w.given, w.setApart = lines, true
	}
}

// noAnswerRules are tried in this order on a reply without an answer.
var noAnswerRules = [...]replyRule{
	(*wrongReply).isProgram, (*wrongReply).isStopWord, (*wrongReply).isInput, (*wrongReply).talksOrLoops,
}

func (w *wrongReply) isProgram() (label, detail string, ok bool) {
	return traits.LabelCode, "", w.unrelated() && !w.question.Signs && extract.IsProgram(w.stripped) && !traits.Declines(w.stripped)
}

func (w *wrongReply) isStopWord() (label, detail string, ok bool) {
	return traits.LabelTalk, "", w.question.Kind == extract.Integer && extract.IsStopWord(w.stripped)
}

func (w *wrongReply) isInput() (label, detail string, ok bool) {
	return traits.LabelEcho, "", w.unrelated() && isInput(w.item, w.stripped)
}

// talksOrLoops: a reply that does not try to answer has no answer; one that tries may loop.
func (w *wrongReply) talksOrLoops() (label, detail string, ok bool) {
	if slices.ContainsFunc(triesToAnswer[:], func(sign func(*wrongReply) bool) bool { return sign(w) }) {
		return traits.LabelLooped, "", w.loopsIn(w.stripped)
	}
	return w.nonAnswer(w.stripped), "", true
}

// triesToAnswer are the signs that a reply without an answer is a try at one. One of them is enough.
var triesToAnswer = [...]func(*wrongReply) bool{
	(*wrongReply).hasOneMistake, (*wrongReply).isWordless, (*wrongReply).isOneWord, (*wrongReply).isMarked,
}

// hasOneMistake: a label that tells what is wrong fits, unless a sentence holds the expected text.
func (w *wrongReply) hasOneMistake() bool {
	switch w.mistake {
	case "substitutions", "corrupted", "unrelated":
		return false
	case "inserted_run":
		complete := w.finish != verbatim.FinishLength && !w.question.Spaces
		return !complete || len(strings.Fields(w.stripped)) <= 2 && !w.question.Foreign(w.stripped)
	}
	return true
}

func (w *wrongReply) isWordless() bool {
	return w.question.Kind == extract.AskedText && extract.IsWordless(w.stripped)
}

func (w *wrongReply) isOneWord() bool {
	return !strings.ContainsAny(w.stripped, " \n") && !w.question.Foreign(w.stripped)
}

// isMarked: marks or the format of the question set a text apart, in a reply that does not refuse.
func (w *wrongReply) isMarked() bool {
	marked := w.setApart || extract.IsBlock(w.stripped, w.question) || w.question.HasOwnMark(w.stripped) || w.cutAnswer()
	return marked && !traits.Refuses(w.stripped)
}

// setApart returns what a reply is without quotation marks, or what is between those at its end, behind
// a colon. It is not ok, with the reply, if there is no such text or it is the input. The text may have
// spaces that right answers to the question do not have.
func setApart(reply, input string) (text string, ok bool) {
	start := 0
	if !extract.IsQuoted(reply) {
		start = strings.Index(reply, ": \"") + len(": ")
		if start < len(": ") || !extract.IsQuoted(reply[start:]) || strings.Contains(reply, "\n") {
			return reply, false
		}
	}
	if text = strings.Trim(reply[start:], "\"'“”‘’„«»「」`"); text == input {
		return reply, false
	}
	return text, true
}

// namedLines returns the lines of the input that a reply names in sentences, each once, where the input
// is to be copied in lines without white space. It is not ok if there are none.
func namedLines(reply string, q *extract.Question) (lines string, ok bool) {
	if !q.Lines || q.LineSpaces || !strings.Contains(reply, " ") {
		return "", false
	}
	input := strings.Fields(q.Source)
	var named []string
	for word := range strings.FieldsSeq(reply) {
		word = strings.Trim(word, ".,:;!\"'`*()")
		if slices.Contains(input, word) && !slices.Contains(named, word) {
			named = append(named, word)
		}
	}
	return strings.Join(named, "\n"), len(named) > 0
}

// cutAnswer reports whether a reply that the token limit ended would be an answer as a whole if it had
// ended by itself. It begins with a mark, not with a word.
func (w *wrongReply) cutAnswer() bool {
	first, _ := utf8.DecodeRuneInString(w.stripped)
	if w.finish != verbatim.FinishLength || w.question.Lines || runes.IsAlnum(first) {
		return false
	}
	a, ok := w.finder.Find(w.text, verbatim.FinishStop, w.question)
	return ok && a.Whole
}

// cutLines returns the lines that would be the answer of a reply that the token limit ended, if it had
// ended by itself: lines without white space, in a reply that does not loop.
func (w *wrongReply) cutLines() (lines string, ok bool) {
	if w.finish != verbatim.FinishLength || !w.question.Lines || w.question.LineSpaces || traits.Loops(w.text) {
		return "", false
	}
	a, ok := w.finder.Find(w.text, verbatim.FinishStop, w.question)
	return a.Of(w.text), ok && !a.Whole
}

// A wrongReply is a reply in which the right answer was not found as it is expected.
type wrongReply struct {
	textGrader
	item           *verbatim.Item
	question       *extract.Question
	want           string
	text, stripped string // without reasoning; the second one without white space at its ends
	finish         verbatim.Finish

	found     extract.Answer // the zero value without an answer
	given     string         // what is compared with the expected text: the answer, or what may be one
	setApart  bool           // marks set it apart in a reply without an answer
	extracted bool           // it is right but for its form
	mistake   string         // the label of the first rule of mistakes that holds
}

// A replyRule looks at more of a reply than the difference between its answer and the expected one.
// ok says that the label of that difference gives way to label and detail.
type replyRule func(w *wrongReply) (label, detail string, ok bool)

// judge labels the reply by the difference between what is given and the expected text, and by the
// first of the rules that holds.
func (w *wrongReply) judge(rules []replyRule) verdict {
	v := verdict{extracted: w.extracted, gradedText: w.given, pair: newPair(w.want, w.given)}
	v.pair.found = true
	w.note(v.pair, w.item)
	hit, difference := v.pair.firstHolding(w.mistakes)
	w.mistake, v.label, v.detail = hit.Name, hit.Name, difference
	for _, rule := range rules {
		if label, detail, ok := rule(w); ok {
			v.label, v.detail = label, detail
			break
		}
	}
	if w.found.Rule == extract.RuleEquation {
		v.detail = strings.TrimSuffix("equation: "+difference, ": ")
	}
	return v
}

// unrelated reports whether what is given is nothing like the expected text.
func (w *wrongReply) unrelated() bool { return w.mistake == "unrelated" }

// nonAnswer returns the label of a text without an answer.
func (w *wrongReply) nonAnswer(text string) string {
	isEcho := func() bool { return extract.IsEcho(w.question, text) || givesBack(w.item, w.want, text) }
	return traits.NonAnswer(text, isEcho, extract.IsProgram(text))
}

// loopsIn reports whether the reply ends in a loop and has no answer, or whether the token limit ended
// a loop behind the expected text. The expected text may repeat the same piece.
func (w *wrongReply) loopsIn(reply string) bool {
	behind := w.finish == verbatim.FinishLength && slices.Contains([]string{"inserted_run", "duplicated_run", "cut_short"}, w.mistake)
	return (w.unrelated() || behind) && traits.Loops(reply)
}
