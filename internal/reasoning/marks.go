package reasoning

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"verbatim"
)

// shortestLine is the number of characters of the shortest line that counts as repeated,
// without white space at its ends.
const shortestLine = 12

// MeasureMarks counts the marks of a text. Its time is proportional to the length of the text.
//
// A second thought is a phrase of secondThoughts. Phrases of Patterns are counted too. A repeated line is equal to one
// above it. A language switch is a sentence in another language than the last one
// whose language is known.
func MeasureMarks(text string) verbatim.ReasoningMarks {
	m := verbatim.ReasoningMarks{Characters: int64(utf8.RuneCountInString(text))}
	seen := map[string]bool{}
	phrases, languages := phraseCounters(), languageFinders()
	counts := make([]int64, len(phrases.names))
	var words []string
	last := "" // language
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if utf8.RuneCountInString(line) >= shortestLine {
			if seen[line] {
				m.RepeatedLines++
			}
			seen[line] = true
		}
		for sentence := range sentences(line) {
			words = appendWords(words[:0], sentence)
			m.Words += int64(len(words))
			phrases.count(words, counts)
			if language := languages.language(words); language != "" {
				if last != "" && language != last {
					m.LanguageSwitches++
				}
				last = language
			}
		}
	}
	for i, n := range counts {
		if n == 0 {
			continue
		}
		if i < phrases.thoughts {
			m.SecondThoughts += n
		}
		if m.Phrases == nil {
			m.Phrases = map[string]int64{}
		}
		m.Phrases[phrases.names[i]] = n
	}
	return m
}

// sentences yields the sentences of a line. They end in a full stop, a question mark or
// an exclamation mark before white space, or at the end of the line. The marks of Chinese and
// Japanese need no white space behind them.
func sentences(line string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i, r := range line {
			size := utf8.RuneLen(r)
			switch r {
			case '.', '!', '?':
				if next, _ := utf8.DecodeRuneInString(line[i+size:]); !unicode.IsSpace(next) {
					continue
				}
			case '。', '！', '？':
			default:
				continue
			}
			if !yield(line[start : i+size]) {
				return
			}
			start = i + size
		}
		if start < len(line) {
			yield(line[start:])
		}
	}
}

// appendWords appends the words of a sentence in lower case: runs of letters and
// apostrophes. Each Chinese or Japanese character is a word. Numbers
// and signs are left out.
func appendWords(words []string, sentence string) []string {
	start := -1
	end := func(at int) {
		if start >= 0 {
			word := lower(strings.TrimRight(sentence[start:at], "'’"))
			if word == "no" && strings.HasPrefix(sentence[at:], ",") {
				word = "no," // a second thought, unlike "no number"
			}
			words = append(words, word)
			start = -1
		}
	}
	for i, r := range sentence {
		switch {
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			if start < 0 {
				start = i
			}
		case (r == '\'' || r == '’') && start >= 0:
		case r < utf8.RuneSelf:
			end(i)
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end(i)
			words = append(words, string(r))
		case unicode.IsLetter(r) || unicode.IsMark(r) && start >= 0:
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
	}
	end(len(sentence))
	return words
}

// lower returns a word in lower case, with plain apostrophes. Most words are so already.
func lower(word string) string {
	for i := range len(word) {
		if c := word[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return strings.ToLower(strings.ReplaceAll(word, "’", "'"))
		}
	}
	return word
}

// secondThoughts lists the phrases with which models take back or check what they
// wrote, by language. Of overlapping phrases, the first and longest counts: "wait, let me check" has
// two and "let me check" has one.
func secondThoughts() []PhraseList {
	return []PhraseList{
		{"English", []string{
			"wait", "hold on", "no,", "hmm", "actually", "oops", "alternatively", "on second thought", "scratch that",
			"let me check", "let me recheck", "let me double check", "let me verify", "let me reconsider", "let me rethink", "let me re examine", "let me try again", "let me start over", "let me correct",
			"i made a mistake", "i made an error", "that's wrong", "that is wrong", "that's not right", "that is not right", "that's incorrect", "that is incorrect",
		}},
		{"German", []string{"moment mal", "warte", "halt", "eigentlich", "ich habe einen fehler gemacht", "das ist falsch", "das stimmt nicht", "noch einmal prüfen", "nochmal prüfen"}},
		{"French", []string{"attendez", "attends", "en fait", "je me suis trompé", "vérifions"}},
		{"Spanish", []string{"espera", "en realidad", "me equivoqué", "verifiquemos"}},
		{"Chinese", []string{"等等", "等一下", "不对", "其实", "实际上", "让我再检查", "重新检查", "再检查一遍"}},
	}
}

// A PhraseList has phrases of a language or a pattern, in lower case and without punctuation.
type PhraseList struct {
	Name string
	List []string
}

// Patterns lists the three kinds of overthinking that Herbold 2025, section 3.5, tells apart, with
// English phrases that go with each. A phrase may be one of secondThoughts too.
func Patterns() []PhraseList {
	return []PhraseList{
		{"starting over", []string{
			"start over", "starting over", "start again", "starting again", "begin again", "from the beginning", "from scratch", "let me start over", "let me try again", "let me redo", "let me sort them again", "let me list them again",
			"go through the list again", "rewrite the list", "repeat the list",
		}},
		{"equation or rule", []string{
			"equation", "formula", "pattern", "polynomial", "recurrence", "arithmetic progression", "arithmetic sequence", "geometric progression", "geometric sequence", "common difference", "relationship between", "the rule is", "underlying rule", "nth term", "fibonacci",
		}},
		{"letter by letter", []string{
			"letter by letter", "character by character", "first letter", "second letter", "third letter", "fourth letter", "fifth letter", "next letter", "same letter", "first letters", "first character", "second character", "third character", "fourth character", "next character", "compare the letters", "compare letters",
		}},
	}
}

// Phrases lists the phrases of secondThoughts, then the others of Patterns. Databases have their
// positions.
func Phrases() []string { return phraseCounters().names }

// A phraseCounter counts phrases.
type phraseCounter struct {
	names    []string
	thoughts int                        // the number of names that are second thoughts, which come first
	byFirst  map[string][]countedPhrase // by first word
}

type countedPhrase struct {
	rest  []string // its other words
	index int      // in names
}

// phraseCounters returns the counter that all texts share. It does not change.
var phraseCounters = sync.OnceValue(newPhraseCounter)

func newPhraseCounter() *phraseCounter {
	p := &phraseCounter{byFirst: map[string][]countedPhrase{}}
	add := func(lists []PhraseList) {
		for _, list := range lists {
			for _, phrase := range list.List {
				if !slices.Contains(p.names, phrase) {
					words := appendWords(nil, phrase)
					p.byFirst[words[0]] = append(p.byFirst[words[0]], countedPhrase{words[1:], len(p.names)})
					p.names = append(p.names, phrase)
				}
			}
		}
	}
	add(secondThoughts())
	p.thoughts = len(p.names)
	add(Patterns())
	return p
}

// count adds the phrases in the words that do not overlap to counts.
func (p *phraseCounter) count(words []string, counts []int64) {
	for len(words) > 0 {
		length, found := 0, 0
		for _, phrase := range p.byFirst[words[0]] {
			if len(phrase.rest)+1 > length && hasPrefix(words[1:], phrase.rest) {
				length, found = len(phrase.rest)+1, phrase.index
			}
		}
		if length > 0 {
			counts[found]++
		}
		words = words[max(1, length):]
	}
}

func hasPrefix(words, prefix []string) bool {
	return len(words) >= len(prefix) && slices.Equal(words[:len(prefix)], prefix)
}
