// Package echo recognises replies that give the input or the question back.
package echo

import (
	"slices"
	"strings"

	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/phrases"
	"verbatim/internal/grade/runes"
	"verbatim/internal/pylit"
)

// MostAround is the number of bytes that may be around a text or numbers where a reply gives them
// back: one that says more talks about them.
const MostAround = 110

// mostAroundList is that of a list, whose items words introduce one by one.
const mostAroundList = 250

// Of reports whether a reply without an answer gives the input back.
func Of(q *extract.Question, reply string) bool {
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

// calculates reports whether there are numbers of several digits in a reply that the input has not.
func calculates(q *extract.Question, reply string) bool {
	for i := 0; i < len(reply); i++ {
		if reply[i] < '0' || '9' < reply[i] {
			continue
		}
		end := len(reply) - len(strings.TrimLeft(reply[i:], "0123456789"))
		if end-i > 1 && !slices.Contains(q.Operands, reply[i:end]) {
			return true
		}
		i = end
	}
	return false
}

// ofList reports whether a reply names the items of the input in their order, once or more, with few words
// around them.
func ofList(q *extract.Question, reply string) bool {
	around := len(reply)
	rest, size, ok := afterItems(q.Given, reply)
	for given := ok; given && size > 0; rest, size, given = afterItems(q.Given, rest) {
		around -= size
	}
	return ok && around <= mostAroundList
}

// afterItems returns what follows the items in a text that names them in their order, and their bytes.
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
			if at += n; phrases.Apart(text, at, item) {
				break
			}
			at += max(1, len(item))
		}
		text = text[at+len(item):]
		size += len(item)
	}
	return text, size, true
}

// Mostly reports whether at least four fifths of the words of a reply, seven or more, are stretches of a question, of three
// words or more.
func Mostly(reply, question string) bool {
	const least, stretch, mostBytes = 7, 3, 4000
	words := wordsOf(phrases.Head(reply, mostBytes))
	if len(words) < least {
		return false
	}
	asked := " " + strings.Join(wordsOf(phrases.Head(question, 1<<16)), " ") + " "
	same, next := 0, 0 // how many words are of stretches; the word behind the last of them
	for i := 0; i+stretch <= len(words); i++ {
		if strings.Contains(asked, " "+strings.Join(words[i:i+stretch], " ")+" ") {
			same += i + stretch - max(next, i)
			next = i + stretch
		}
	}
	return 5*same >= 4*len(words)
}

// wordsOf returns the words of a text in small letters; each character of a script without spaces is one.
func wordsOf(t string) (words []string) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(t), func(r rune) bool { return !runes.IsAlnum(r) }) {
		if !strings.ContainsFunc(word, phrases.Unspaced) {
			words = append(words, word)
			continue
		}
		for _, r := range word {
			words = append(words, string(r))
		}
	}
	return words
}
