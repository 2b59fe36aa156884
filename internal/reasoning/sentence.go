package reasoning

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
			words = append(words, lower(strings.TrimRight(sentence[start:at], "'’")))
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
