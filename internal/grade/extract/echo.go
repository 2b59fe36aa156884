package extract

import (
	"slices"
	"strings"

	"verbatim/internal/grade/runes"
	"verbatim/internal/pylit"
)

// MostAround is the number of bytes that a reply which gives a text or numbers back may have around
// them. A reply that says more talks about them.
const MostAround = 110

// mostAroundList is MostAround for a list, whose items may be introduced one by one.
const mostAroundList = 250

// IsEcho reports whether a reply without an answer gives the input of the question back.
func IsEcho(q *Question, reply string) bool {
	switch {
	case q.Source != "":
		n := strings.Count(reply, q.Source)
		return n > 0 && len(reply)-n*len(q.Source) <= MostAround
	case len(q.Given) > 0:
		return ofList(q, reply)
	}
	around := len(reply)
	for _, o := range q.Operands {
		if !strings.Contains(reply, o) {
			return false
		}
		around -= len(o)
	}
	return len(q.Operands) > 0 && around <= MostAround && !calculates(q, reply)
}

// calculates reports whether a reply has numbers of several digits that the input does not have.
func calculates(q *Question, reply string) bool {
	for n := range strings.FieldsFuncSeq(reply, func(r rune) bool { return r < '0' || '9' < r }) {
		if len(n) > 1 && !slices.Contains(q.Operands, n) {
			return true
		}
	}
	return false
}

// ofList reports whether a reply names the items of the input in their order, once or more, with few words
// around them.
func ofList(q *Question, reply string) bool {
	around := len(reply)
	rest, size, ok := afterItems(q.Given, reply)
	for again := ok; again && size > 0; rest, size, again = afterItems(q.Given, rest) {
		around -= size
	}
	return ok && around <= mostAroundList
}

// afterItems returns what follows the items in a text that names them in their order, and the number of
// bytes of the items. ok is false if the text does not name them all.
func afterItems(items []pylit.Value, text string) (rest string, size int, ok bool) {
	for i := range items {
		item := items[i].String()
		if items[i].Kind() == pylit.Str {
			item = items[i].Text()
		}
		at := 0
		for {
			n := strings.Index(text[at:], item)
			if n < 0 {
				return "", 0, false
			}
			if at += n; Apart(text, at, item) {
				break
			}
			at += max(1, len(item))
		}
		text = text[at+len(item):]
		size += len(item)
	}
	return text, size, true
}

// MostlyEcho reports whether at least four fifths of the words of a reply are in stretches of the question, of
// three words or more each. The reply needs seven words.
func MostlyEcho(reply, question string) bool {
	const least, stretch, mostBytes = 7, 3, 4000
	words := wordsOf(Head(reply, mostBytes))
	if len(words) < least {
		return false
	}
	asked := " " + strings.Join(wordsOf(Head(question, 1<<16)), " ") + " "
	same, next := 0, 0 // the number of words in stretches; the index behind the last of them
	for i := 0; i+stretch <= len(words); i++ {
		if strings.Contains(asked, " "+strings.Join(words[i:i+stretch], " ")+" ") {
			same += i + stretch - max(next, i)
			next = i + stretch
		}
	}
	return 5*same >= 4*len(words)
}

// wordsOf returns the words of a text in lower case. Each character of a script without spaces is a word.
func wordsOf(t string) (words []string) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(t), func(r rune) bool { return !runes.IsAlnum(r) }) {
		if !strings.ContainsFunc(word, unspaced) {
			words = append(words, word)
			continue
		}
		for _, r := range word {
			words = append(words, string(r))
		}
	}
	return words
}
