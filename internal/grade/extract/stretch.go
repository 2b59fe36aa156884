package extract

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Stretch is a stretch of a reply as Normal returns it, with the phrases in it. Values that are
// near each other share one stretch, so that each character of the reply is read once.
// The zero Stretch is ready. Cover reads a stretch, and Span, SetsBefore and Asked look into it.
type stretch struct {
	read     bool      // there is a stretch
	from, to int       // it is reply[from:to]
	Text     string    // in lower case, with single spaces and without the marks of Markdown
	at       []int32   // the place in Text of each byte of the stretch, and of its end
	mentions []mention // inside Text
	buffer   []byte    // for Text

	stopFrom, stopTo int  // the last search for the end of a sentence: Text[stopFrom:stopTo]
	asks             bool // the search ended at a question mark

	total int // the bytes of all stretches of this reply: the work
}

// Forget makes the Stretch ready for another reply.
func (w *stretch) forget() { w.read, w.total = false, 0 }

// Total returns the number of bytes that were read since Forget.
func (w *stretch) Total() int { return w.total }

// minStretch and maxStretch bound the number of bytes that are read ahead.
const (
	minStretch = 200
	maxStretch = 1 << 13
)

// Cover reads a stretch with reply[from:to] in it, unless the last one has it. If the last stretch is
// directly before it, Cover reads ahead, twice as far as the last time and up to end.
func (w *stretch) cover(reply string, from, to, end int) {
	if w.from <= from && to <= w.to && w.read {
		return
	}
	ahead := 0
	if w.read && from >= w.from && from <= w.to+2*minStretch {
		ahead = min(max(minStretch, 2*(w.to-w.from)), maxStretch)
	}
	to = max(to, min(end, to+ahead))
	for to < end && !utf8.RuneStart(reply[to]) {
		to++
	}
	w.from, w.to = from, to
	w.total += to - from
	w.read = true
	w.normalize(reply[from:to])
}

// normalize sets Text, the places of its bytes and the phrases in it from a stretch of a reply.
func (w *stretch) normalize(t string) {
	if cap(w.at) <= len(t) {
		w.at = make([]int32, len(t)+1, max(256, 2*len(t)))
	}
	w.at = w.at[:len(t)+1]
	b := w.buffer[:0]
	space := false
	for i := 0; i < len(t); {
		w.at[i] = int32(len(b))
		c := t[i]
		if c < utf8.RuneSelf {
			i++
			switch class[c] {
			case plainByte:
				b = append(b, c)
				space = false
			case upperByte:
				b = append(b, c+'a'-'A')
				space = false
			case blankByte:
				if !space {
					b = append(b, ' ')
				}
				space = true
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(t[i:])
		for k := 1; k < n; k++ {
			w.at[i+k] = int32(len(b))
		}
		i += n
		switch {
		case r == '“' || r == '”':
		case isBlank(r):
			if !space {
				b = append(b, ' ')
			}
			space = true
		default:
			if r == '’' || r == '‘' {
				r = '\''
			}
			b = utf8.AppendRune(b, unicode.ToLower(r))
			space = false
		}
	}
	w.at[len(t)] = int32(len(b))
	w.buffer, w.Text = b, string(b)
	w.mentions = insidePhrases().mentions(w.Text, w.mentions[:0])
	w.stopFrom, w.stopTo = 0, -1
}

// The classes of ASCII characters for Normal and normalize.
const (
	plainByte = iota
	upperByte
	blankByte
	markByte // of Markdown
)

var class = func() (table [utf8.RuneSelf]byte) {
	for c := range table {
		switch {
		case strings.IndexByte("*#`\"_", byte(c)) >= 0:
			table[c] = markByte
		case isBlank(rune(c)):
			table[c] = blankByte
		case 'A' <= c && c <= 'Z':
			table[c] = upperByte
		}
	}
	return table
}()

// Span returns the place in Text of reply[from:to], which is covered, without spaces around it.
func (w *stretch) Span(from, to int) (a, b int) {
	a, b = int(w.at[from-w.from]), int(w.at[to-w.from])
	if a < b && w.Text[a] == ' ' {
		a++
	}
	if a < b && w.Text[b-1] == ' ' {
		b--
	}
	return a, b
}

// SetsBefore returns the sets with a phrase in Text[a:b], and those with one in Text[lead:b].
func (w *stretch) setsBefore(a, lead, b int) (all, led phraseSet) {
	n := sort.Search(len(w.mentions), func(i int) bool { return int(w.mentions[i].Start) >= b })
	for n--; n >= 0 && int(w.mentions[n].Start) >= a; n-- {
		m := &w.mentions[n]
		if int(m.End) > b || !m.Apart && int(m.End) != b {
			continue
		}
		all |= m.Sets
		if int(m.Start) >= lead {
			led |= m.Sets
		}
	}
	all |= w.setsAt(a, b)
	if lead != a {
		led |= w.setsAt(lead, b)
	} else {
		led = all
	}
	return all, led
}

// setsAt returns the sets with a phrase that Text[a:b] begins with in the middle of a word, where mentions has
// none.
func (w *stretch) setsAt(a, b int) (sets phraseSet) {
	if a >= b || !insidePhrases().Known[w.Text[a]] || !wordBefore(w.Text, a) {
		return 0
	}
	var buffer [8]mention
	return apart(insidePhrases().At(w.Text[:b], a, buffer[:0]))
}

// Asked reports whether the sentence that continues with Text[a:b] is a question.
func (w *stretch) Asked(a, b int) bool {
	if a < w.stopFrom || a > w.stopTo {
		w.stopFrom = a
		w.stopTo, w.asks = stop(w.Text, a)
	}
	return w.asks && w.stopTo < b
}

// stop returns the place of the mark that ends the sentence at text[from], and whether it is a question mark;
// the end of the text without one.
func stop(text string, from int) (at int, asks bool) {
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '?':
			return i, true
		case '.', '!':
			if i+1 < len(text) && text[i+1] == ' ' {
				return i, false
			}
		case 0xe3, 0xef:
			if asks := strings.HasPrefix(text[i:], "？"); asks || strings.HasPrefix(text[i:], "。") {
				return i, asks
			}
		}
	}
	return len(text), false
}
