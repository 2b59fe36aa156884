// Package likeness tells texts that are made of the characters of an input.
package likeness

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// A Likeness tells the stretches of a reply that are made of the characters of the input, as a
// reversed, sorted or copied text is. Talk is not, so no marks need to set them apart.
type Likeness struct {
	Known bool // the input is neither too short nor too long, and not signs only
	Size  int  // characters of the input that count: letters and digits
	Words int  // of the input

	need  [slots]int16 // how often the input has each character
	have  [slots]int16 // of the stretch
	both  int          // characters of the stretch that the input has, too
	extra int          // those that it has not
}

// slots is the number of counts: characters with the same slot are counted as one.
const slots = 1 << 7

// slot is the place of a character in counts, and whether it counts.
func slot(r rune) (int, bool) {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return int(r), 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
	}
	return int(unicode.ToLower(r)) & (slots - 1), runes.IsAlnum(r) || unicode.IsMark(r)
}

// Start notes an input of so many words at most; "" is like nothing.
func (l *Likeness) Start(input string, mostWords int) {
	*l = Likeness{Words: len(strings.Fields(input))}
	for _, r := range input {
		i, counts := slot(r)
		l.need[i]++
		if counts {
			l.Size++
		}
	}
	l.Known = l.Words <= mostWords && l.Size >= 2 && 2*l.Size >= len(input)-l.Words
}

// Count adds a text to the stretch, or takes it off.
func (l *Likeness) Count(t string, by int) {
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

// Holds reports whether the stretch is like the input: three of four characters of a word, nine
// of ten of several words, of which talk has many.
func (l *Likeness) Holds() bool {
	all := max(l.Size, l.both+l.extra)
	if l.Words > 1 {
		return 10*l.both >= 9*all
	}
	return 4*l.both >= 3*all
}
