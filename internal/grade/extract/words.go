package extract

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/phrases"
)

// words is a stretch of the reply as normal returns it, with the phrases in it. Values that are
// near each other are judged by one stretch, so that each character of the reply is read once.
type words struct {
	read     bool   // there is a stretch:
	from, to int    // reply[from:to]
	text     string // in lower case, with single spaces and without the marks of Markdown
	at       []int32
	mentions []phrases.Mention // inside text
	buffer   []byte

	stopFrom, stopTo int  // the last search for the end of a sentence: text[stopFrom:stopTo]
	asks             bool // it ended at a question mark

	total int // the bytes of all stretches: the work
}

// maxStretch is the number of bytes that are read ahead, at most.
const maxStretch = 1 << 13

// cover makes the words those of a stretch with reply[from:to] in it. Where the last stretch is
// directly before it, it reads ahead, twice as far as the last time.
func (w *words) cover(reply string, from, to, end int) {
	if w.from <= from && to <= w.to && w.read {
		return
	}
	ahead := 0
	if w.read && from >= w.from && from <= w.to+2*maxLead {
		ahead = min(max(maxLead, 2*(w.to-w.from)), maxStretch)
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

// normalize reads a stretch.
func (w *words) normalize(t string) {
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
		case phrases.Blank(r):
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
	w.buffer, w.text = b, string(b)
	w.mentions = phrases.Inside.Mentions(w.text, w.mentions[:0])
	w.stopFrom, w.stopTo = 0, -1
}

// The classes of ASCII characters for normal.
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
		case phrases.Blank(rune(c)):
			table[c] = blankByte
		case 'A' <= c && c <= 'Z':
			table[c] = upperByte
		}
	}
	return table
}()

// span returns where reply[from:to] is in the text, without spaces around it.
func (w *words) span(from, to int) (a, b int) {
	a, b = int(w.at[from-w.from]), int(w.at[to-w.from])
	if a < b && w.text[a] == ' ' {
		a++
	}
	if a < b && w.text[b-1] == ' ' {
		b--
	}
	return a, b
}

// setsBefore returns the sets that have a phrase in text[a:b], and in text[lead:b].
func (w *words) setsBefore(a, lead, b int) (all, led phrases.Set) {
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

// setsAt returns the sets with a phrase that text[a:b] begins with, where a word before it is not
// looked at.
func (w *words) setsAt(a, b int) (sets phrases.Set) {
	if a >= b || !phrases.Inside.Known[w.text[a]] || !phrases.WordBefore(w.text, a) {
		return 0
	}
	var buffer [8]phrases.Mention
	for _, m := range phrases.Inside.At(w.text[:b], a, buffer[:0]) {
		if m.Apart {
			sets |= m.Sets
		}
	}
	return sets
}

// asked reports whether the sentence that goes on with text[a:b] is a question.
func (w *words) asked(a, b int) bool {
	if a < w.stopFrom || a > w.stopTo {
		w.stopFrom, w.stopTo, w.asks = a, len(w.text), false
	search:
		for i := a; i < len(w.text); i++ {
			switch c := w.text[i]; c {
			case '?':
				w.stopTo, w.asks = i, true
				break search
			case '.', '!':
				if i+1 < len(w.text) && w.text[i+1] == ' ' {
					w.stopTo = i
					break search
				}
			case 0xe3, 0xef:
				switch t := w.text[i:]; {
				case strings.HasPrefix(t, "？"):
					w.stopTo, w.asks = i, true
					break search
				case strings.HasPrefix(t, "。"):
					w.stopTo = i
					break search
				}
			}
		}
	}
	return w.asks && w.stopTo < b
}
