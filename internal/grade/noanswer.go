package grade

import (
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim"

	"verbatim/internal/grade/extract"

	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
)

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
