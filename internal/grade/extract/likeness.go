package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// A Likeness recognises a stretch of a reply that is made of the characters of the input, as a
// reversed, sorted or copied text is. Talk is not, so such a stretch needs no marks around it.
// Start notes the input, Count changes the stretch, and Holds compares both.
type likeness struct {
	Known bool // the input is neither too short nor too long, and not only signs
	Size  int  // the number of letters and digits of the input: no others count
	Words int  // the number of words of the input

	need  [slots]int16 // how often the input has each character
	have  [slots]int16 // of the stretch
	both  int          // characters of the stretch that the input has, too
	extra int          // characters of the stretch that the input does not have
}

// slots is the number of counters. Characters with the same slot are counted as one.
const slots = 1 << 7

// slot returns the counter of a character, and whether the character counts.
func slot(r rune) (int, bool) {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return int(r), 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
	}
	return int(unicode.ToLower(r)) & (slots - 1), runes.IsAlnum(r) || unicode.IsMark(r)
}

// Start notes an input. It is not Known if it is empty or has more than mostWords words.
func (l *likeness) Start(input string, mostWords int) {
	*l = likeness{Words: len(strings.Fields(input))}
	for _, r := range input {
		i, counts := slot(r)
		l.need[i]++
		if counts {
			l.Size++
		}
	}
	l.Known = l.Words <= mostWords && l.Size >= 2 && 2*l.Size >= len(input)-l.Words
}

// Count adds a text to the stretch, by 1, or removes it, by -1.
func (l *likeness) Count(t string, by int) {
	for _, r := range t {
		i, counts := slot(r)
		if !counts {
			continue
		}
		if by < 0 {
			l.have[i]--
		}
		if l.have[i] < l.need[i] {
			l.both += by
		} else {
			l.extra += by
		}
		if by > 0 {
			l.have[i]++
		}
	}
}

// Holds reports whether the stretch is like the input: in three of four characters of a word, and in nine
// of ten of several words, because talk has many.
func (l *likeness) holds() bool {
	all := max(l.Size, l.both+l.extra)
	if l.Words > 1 {
		return 10*l.both >= 9*all
	}
	return 4*l.both >= 3*all
}
