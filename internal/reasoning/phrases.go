package reasoning

import (
	"slices"
	"sync"
)

// secondThoughts lists the phrases with which models take back or check what they
// wrote, by language. Of overlapping phrases, the first and longest counts: "wait, let me check" has
// two and "let me check" has one.
func secondThoughts() []secondThoughtPhrases {
	return []secondThoughtPhrases{
		{"English", []string{
			"wait", "hold on", "hmm", "actually", "oops", "alternatively", "on second thought", "scratch that",
			"let me check", "let me recheck", "let me double check", "let me verify", "let me reconsider", "let me rethink", "let me re examine", "let me try again", "let me start over", "let me correct",
			"i made a mistake", "i made an error", "that's wrong", "that is wrong", "that's not right", "that is not right", "that's incorrect", "that is incorrect",
		}},
		{"German", []string{"moment mal", "warte", "halt", "eigentlich", "ich habe einen fehler gemacht", "das ist falsch", "das stimmt nicht", "noch einmal prüfen", "nochmal prüfen"}},
		{"French", []string{"attendez", "attends", "en fait", "je me suis trompé", "vérifions"}},
		{"Spanish", []string{"espera", "en realidad", "me equivoqué", "verifiquemos"}},
		{"Chinese", []string{"等等", "等一下", "不对", "其实", "实际上", "让我再检查", "重新检查", "再检查一遍"}},
	}
}

// secondThoughtPhrases are phrases of one language, in lower case and without punctuation.
type secondThoughtPhrases struct {
	Language string
	List     []string
}

// A phraseCounter counts phrases. It has the other words of each phrase, by
// its first word.
type phraseCounter map[string][][]string

// phraseCounters returns the counter that all texts share. It does not change.
var phraseCounters = sync.OnceValue(newPhraseCounter)

func newPhraseCounter() phraseCounter {
	p := phraseCounter{}
	for _, language := range secondThoughts() {
		for _, phrase := range language.List {
			words := appendWords(nil, phrase)
			p[words[0]] = append(p[words[0]], words[1:])
		}
	}
	return p
}

// count returns the number of phrases in the words that do not overlap.
func (p phraseCounter) count(words []string) (n int64) {
	for len(words) > 0 {
		length := 0
		for _, rest := range p[words[0]] {
			if len(rest)+1 > length && hasPrefix(words[1:], rest) {
				length = len(rest) + 1
			}
		}
		if length > 0 {
			n++
		}
		words = words[max(1, length):]
	}
	return n
}

func hasPrefix(words, prefix []string) bool {
	return len(words) >= len(prefix) && slices.Equal(words[:len(prefix)], prefix)
}
