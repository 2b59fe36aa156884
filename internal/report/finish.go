package report

import (
	"cmp"
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/finish"
	"verbatim/internal/listsort"
	"verbatim/internal/number"
)

// finishWords counts answers by such words. Words come from servers, so at most
// maxFinishWords are counted apart, as in a tally: the first ones of the alphabet.
// The zero value is ready to use.
type finishWords struct {
	counts map[string]*finishCount
	beyond finishCount
	most   string // the last word that is counted apart, once there are maxFinishWords
}

type finishCount struct{ n, exact int64 }

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
	one := finishCount{n: 1}
	if exact {
		one.exact = 1
	}
	w.addCount(reply.FinishRaw, one)
}

func (w *finishWords) addCount(word string, more finishCount) {
	at := w.counts[word]
	switch {
	case at != nil:
	case len(w.counts) == maxFinishWords && word > w.most:
		at = &w.beyond
	default:
		if w.counts == nil {
			w.counts = make(map[string]*finishCount)
		}
		at = new(finishCount)
		w.counts[strings.Clone(word)] = at
		defer w.shrink()
	}
	at.n += more.n
	at.exact += more.exact
}

// shrink drops the last word of the alphabet where there is one too many.
func (w *finishWords) shrink() {
	if len(w.counts) > maxFinishWords {
		last := w.counts[w.most]
		delete(w.counts, w.most)
		w.beyond.n += last.n
		w.beyond.exact += last.exact
	}
	if len(w.counts) == maxFinishWords {
		w.most = ""
		for word := range w.counts {
			w.most = max(w.most, word)
		}
	}
}

func (w *finishWords) merge(o *finishWords) {
	for word, count := range o.counts {
		w.addCount(word, *count)
	}
	w.beyond.n += o.beyond.n
	w.beyond.exact += o.beyond.exact
}

// finish lists the words, commonest first.
func (w *finishWords) finish() []FinishWord {
	var list []FinishWord
	for word, c := range w.counts {
		list = append(list, c.finish(word, finish.Of(word) == finish.Failure))
	}
	listsort.Stable(list, func(a, b FinishWord) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Word, b.Word)) })
	if w.beyond.n > 0 {
		list = append(list, w.beyond.finish(Others, false))
	}
	return list
}

func (c finishCount) finish(word string, failure bool) FinishWord {
	share := float64(c.exact) / float64(c.n)
	return FinishWord{Word: word, Failure: failure, N: c.n, Exact: c.exact, ExactShare: &share}
}

// shownFinishWords is how many words the warnings name; the JSON has all.
const shownFinishWords = 5

// finishWarnings names the words of which the meaning is not known.
func finishWarnings(words []FinishWord) (list []Warning) {
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

// shortWord bounds a word by what a line has room for.
func shortWord(word string) string {
	const most = 40
	if r := []rune(word); len(r) > most {
		return string(r[:most]) + "…"
	}
	return word
}
