package grade

import (
	"slices"
	"strings"

	"verbatim"

	"verbatim/internal/grade/extract"

	"verbatim/internal/grade/traits"
)

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
