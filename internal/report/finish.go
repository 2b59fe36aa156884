package report

import (
	"cmp"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/finish"
	"verbatim/internal/number"
)

// finishWords counts the answers whose finish reason the program does not know, or that says
// that the server failed, by the word of the server. The zero value is ready.
type finishWords struct {
	byName[finishCount, *finishCount]
}

type finishCount struct{ n, exact int64 }

func (c *finishCount) merge(o *finishCount) {
	c.n += o.n
	c.exact += o.exact
}

// maxFinishWords is the number of words that are counted separately.
const maxFinishWords = 64

// add counts an answer, if its finish reason is such a word.
func (w *finishWords) add(reply *verbatim.Reply, exact bool) {
	if reply == nil || reply.Finish != verbatim.FinishOther {
		return
	}
	switch finish.Of(reply.FinishRaw) {
	case finish.Tool, finish.Other, finish.None:
		return
	}
	c := w.of(reply.FinishRaw, maxFinishWords)
	c.n++
	if exact {
		c.exact++
	}
}

func (w *finishWords) merge(o *finishWords) { w.byName.merge(&o.byName, maxFinishWords) }

// finish lists the words, commonest first.
func (w *finishWords) finish() []finishWord {
	var list []finishWord
	for word, c := range w.values {
		list = append(list, c.finish(word, finish.Of(word) == finish.Failure))
	}
	slices.SortStableFunc(list, func(a, b finishWord) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Word, b.Word)) })
	if w.rest != nil {
		list = append(list, w.rest.finish(Others, false))
	}
	return list
}

func (c finishCount) finish(word string, failure bool) finishWord {
	share := float64(c.exact) / float64(c.n)
	return finishWord{Word: word, Failure: failure, N: c.n, Exact: c.exact, ExactShare: &share}
}

// shownFinishWords is the number of words that warnings name. The JSON has all.
const shownFinishWords = 5

// finishWarnings returns a warning for each of the first words, and one for the number of the
// others.
func finishWarnings(words []finishWord) (list []Warning) {
	for _, w := range words[:min(len(words), shownFinishWords)] {
		what := "unknown, graded as finished"
		if w.Failure {
			what = "the server's word for a failure, graded as finished"
		}
		list = append(list, Warning{"finish_reason", fmt.Sprintf("finish reason %q (%s): %s, %.1f %% exact",
			shortWord(w.Word), what, number.Plural(w.N, "reply", "replies"), 100**w.ExactShare)})
	}
	if more := len(words) - len(list); more > 0 {
		list = append(list, Warning{"finish_reason", fmt.Sprintf("%d more unknown finish reasons, graded as finished", more)})
	}
	return list
}

// shortWord truncates a word to 40 characters.
func shortWord(word string) string {
	const limit = 40
	if r := []rune(word); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return word
}
