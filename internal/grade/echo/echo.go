// Package echo recognises replies that give the input or the question back.
package echo

import (
	"slices"
	"strings"

	"verbatim/internal/grade/extract"
	"verbatim/internal/grade/phrases"
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

// ofList reports whether a reply names the items of the input in their order, with few words
// around them.
func ofList(q *extract.Question, reply string) bool {
	around := len(reply)
	for i := range q.Given {
		item := q.Given[i].String()
		if q.Given[i].Kind() == pylit.Str {
			item = q.Given[i].Text()
		}
		at := 0
		for {
			n := strings.Index(reply[at:], item)
			if n < 0 {
				return false
			}
			if at += n; phrases.Apart(reply, at, item) {
				break
			}
			at += max(1, len(item))
		}
		reply = reply[at+len(item):]
		around -= len(item)
	}
	return around <= mostAroundList
}

// Mostly reports whether at least nine tenths of a reply are pieces of a question.
func Mostly(reply, question string) bool {
	const piece, least, most = 16, 40, 4000 // bytes
	reply, question = phrases.Head(reply, most), phrases.Head(question, 1<<16)
	if len(reply) < least {
		return false
	}
	for at, missed := 0, 0; at < len(reply); {
		from := -1
		if at+piece <= len(reply) {
			from = strings.Index(question, reply[at:at+piece])
		}
		if from < 0 {
			if missed++; 10*missed > len(reply) {
				return false
			}
			at++
			continue
		}
		for at < len(reply) && from < len(question) && reply[at] == question[from] {
			at, from = at+1, from+1
		}
	}
	return true
}

// Lines reports whether a reply is lines of a question in their order, such as its edits: in each of
// them, one word and what is in quotation marks may be other ones.
func Lines(reply, question string) bool {
	const least, most = 2, 4000 // lines, bytes
	if len(reply) > most || strings.Count(reply, "\n")+1 < least {
		return false
	}
	lines := strings.Split(phrases.Head(question, 1<<14), "\n")
	for line := range strings.SplitSeq(reply, "\n") {
		i := slices.IndexFunc(lines, func(of string) bool { return sameBut(line, of) })
		if i < 0 {
			return false
		}
		lines = lines[i+1:]
	}
	return true
}

// sameBut reports whether two lines have the same words but for those in quotation marks and at most one.
func sameBut(line, of string) bool {
	words, ofWords := strings.Fields(line), strings.Fields(of)
	if len(words) != len(ofWords) {
		return false
	}
	differ := 0
	for i, word := range words {
		quoted := strings.HasPrefix(word, `"`) && strings.HasPrefix(ofWords[i], `"`)
		if word != ofWords[i] && !quoted {
			differ++
		}
	}
	return differ == 0 || differ == 1 && len(words) > 2
}
