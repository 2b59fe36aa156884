package grade

import (
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/pylit"
)

// givesBack reports whether a reply without an answer gives the input or the question back. It is
// a piece of the question, such as the list of edits to make; or most of it is pieces of the
// question; or it is the text that the question is about, with few words around it.
func givesBack(it *verbatim.Item, want, reply string) bool {
	const least = 20 // shorter pieces are there by chance
	reply = pylit.Strip(reply)
	if len(it.Prompt) > 0 && len(reply) >= least && !strings.Contains(want, reply) {
		for _, p := range it.Prompt[len(it.Prompt)-1].Content {
			if strings.Contains(p.Text, reply) || extract.MostlyEcho(reply, strings.Replace(p.Text, want, "", 1)) {
				return true
			}
		}
	}
	input, ok := inputText(it)
	return ok && strings.Contains(reply, input) && len(reply)-len(input) <= extract.MostAround
}

// isInput reports whether an answer is the text that the question is about.
func isInput(it *verbatim.Item, answer string) bool {
	input, ok := inputText(it)
	return ok && answer == input
}

// inputText returns the text that a question is about where the source of its item is a list of that text
// alone, such as an identifier whose characters are counted. ok is false without one.
func inputText(it *verbatim.Item) (text string, ok bool) {
	const least = 4 // shorter ones are there by chance
	if it.Source == nil || len(it.Source.List) != 1 {
		return "", false
	}
	text, ok = it.Source.List[0].(string)
	return text, ok && len(text) >= least && !onlyDigits(text) // a number is an operand
}
