package grade

import (
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/grade/echo"
	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/phrases"
	"verbatim/internal/grade/program"
	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
	"verbatim/internal/pylit"
)

// noAnswer describes a reply without an answer: as a whole it may be the answer in
// another form or with a mistake; otherwise it is a refusal, a program, the input or talk.
func (r textGrader) noAnswer(it *verbatim.Item, want, text string, finish verbatim.Finish, q *extract.Question) verdict {
	got := pylit.Strip(text)
	if m, ok := foreseen(it, got); ok {
		return verdict{label: m.Label, detail: m.Detail, gradedText: got, pair: newPair(want, got)}
	}
	given, set := got, false
	if q.Kind == extract.Text {
		given, set = setApart(got, q.Source)
		if lines, ok := r.cutLines(text, finish, q); ok && (len(lines) <= len(want) || !strings.ContainsAny(lines, " \n")) {
			given, set = lines, true
		}
		if line, _, more := strings.Cut(got, "\n"); more && !q.Lines && q.HasOwnMark(got) {
			given, set = strings.TrimSpace(line), true
		}
		if lines, ok := namedLines(got, q); ok && !traits.Declines(got) && !traits.Loops(got) {
			given, set = lines, true
		}
	}
	v := verdict{gradedText: given, pair: newPair(want, given)}
	v.pair.from(it)
	hit, detail := v.pair.firstHolding(r.mistakes)
	v.label, v.detail = hit.Name, detail
	if hit.Name == "unrelated" && !q.Signs && program.Is(got) && !traits.Declines(got) {
		v.label, v.detail = traits.LabelCode, ""
		return v
	}
	if q.Kind == extract.Integer && phrases.IsStopWord(got) {
		v.label, v.detail = traits.LabelTalk, ""
		return v
	}
	if hit.Name == "unrelated" && isInput(it, got) {
		v.label, v.detail = traits.LabelEcho, ""
		return v
	}
	sentence := hit.Name == "inserted_run" && finish != verbatim.FinishLength && !q.Spaces && (len(strings.Fields(got)) > 2 || q.Foreign(got))
	if !sentence && !slices.Contains([]string{"substitutions", "corrupted", "unrelated"}, hit.Name) || q.Kind == extract.Text && phrases.IsWordless(got) || !strings.ContainsAny(got, " \n") && !q.Foreign(got) || (set || extract.IsBlock(got, q) || q.HasOwnMark(got) || r.cutAnswer(text, finish, q)) && !traits.Refuses(got) {
		if hit.Name == "unrelated" && traits.Loops(got) || cutLoop(hit.Name, got, finish) {
			v.label, v.detail = traits.LabelLooped, ""
		}
		return v
	}
	v.label, v.detail = traits.NonAnswer(got, func() bool { return echo.Of(q, got) || givesBack(it, want, got) }, program.Is(got)), ""
	return v
}

// cutLoop reports whether a reply goes on behind what is expected in a loop that only the limit ended,
// also where the expected text repeats the same piece.
func cutLoop(label, reply string, finish verbatim.Finish) bool {
	return finish == verbatim.FinishLength && (label == "inserted_run" || label == "duplicated_run" || label == "cut_short") && traits.Loops(reply)
}

// setApart returns what a reply is but for quotation marks, or what is in them at its end, behind a
// colon, and whether there is such a text; otherwise the reply. It may have spaces, which right
// answers to the question have not. The input does not count.
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

// namedLines returns the lines of the input that a reply names in sentences, each once, where the input is to be
// copied in lines without white space.
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

// cutAnswer reports whether a reply that the limit ended would be an answer as a whole if it had ended
// by itself: one that begins with a mark, not with a word.
func (r textGrader) cutAnswer(text string, finish verbatim.Finish, q *extract.Question) bool {
	if first, _ := utf8.DecodeRuneInString(pylit.Strip(text)); finish != verbatim.FinishLength || q.Lines || runes.IsAlnum(first) {
		return false
	}
	a, ok := r.finder.Find(text, verbatim.FinishStop, q)
	return ok && a.Whole
}

// cutLines returns the lines that would be the answer of a reply that the limit ended, if it had ended by itself
// and does not loop: lines without white space.
func (r textGrader) cutLines(text string, finish verbatim.Finish, q *extract.Question) (lines string, ok bool) {
	if finish != verbatim.FinishLength || !q.Lines || q.LineSpaces || traits.Loops(text) {
		return "", false
	}
	a, ok := r.finder.Find(text, verbatim.FinishStop, q)
	return a.Of(text), ok && !a.Whole
}
