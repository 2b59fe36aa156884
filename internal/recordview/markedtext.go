package recordview

import (
	"strings"

	"verbatim"
	"verbatim/internal/terminal"
)

// A markedText is the text of a reply in three parts: the answer that was found in it, and the text
// before and after. Without an answer to mark, all of the text is in Before.
type markedText struct{ Before, Answer, After string }

// MarkAnswer returns the text of the reply with the answer that was found in it, as Lines
// shows texts. An answer that is the whole reply is not marked.
func (v *View) MarkAnswer() markedText {
	text := v.Reply.text
	start, end, ok := v.answerSpan()
	if !ok {
		return markedText{Before: strings.Join(Lines(text), "\n")}
	}
	var parts [3]strings.Builder
	visibleParts(text, func(from, to int, show func(string) string) {
		for i, part := range [3]verbatim.Span{{Start: 0, End: start}, {Start: start, End: end}, {Start: end, End: len(text)}} {
			if a, b := max(from, part.Start), min(to, part.End); a < b {
				parts[i].WriteString(show(text[a:b]))
			}
		}
	})
	return markedText{parts[0].String(), parts[1].String(), parts[2].String()}
}

// HasAnswerSpan reports whether a part of the reply's text is the answer that was found. It
// may be after what a truncated text shows.
func (v *View) HasAnswerSpan() bool {
	at := v.spanOfVerdict()
	return at != nil && v.Reply != nil && !(at.Start == 0 && at.End == v.Reply.Bytes)
}

// spanOfVerdict returns the span of the answer in the reply; nil if it is unknown or invalid.
func (v *View) spanOfVerdict() *verbatim.Span {
	if v.Verdict == nil {
		return nil
	}
	if at := v.Verdict.Span; at != nil && at.Start >= 0 && at.Start < at.End {
		return at
	}
	return nil
}

// answerSpan returns the bytes of the answer in the reply's text, extended to whole characters and
// limited to the text. ok is false if there is nothing to mark.
func (v *View) answerSpan() (start, end int, ok bool) {
	at, text := v.spanOfVerdict(), v.Reply.text
	if at == nil || at.Start >= len(text) || !v.HasAnswerSpan() {
		return 0, 0, false
	}
	for end < min(at.End, len(text)) {
		_, size := terminal.DecodeRune(text[end:])
		if end+size <= at.Start {
			start = end + size
		}
		end += size
	}
	return start, end, true
}

// markedReply returns the text of the reply with marks around the answer that was found in it.
func (v *View) markedReply() string {
	text := v.Reply.text
	start, end, ok := v.answerSpan()
	if !ok {
		return text
	}
	return text[:start] + "⟦" + text[start:end] + "⟧" + text[end:]
}
