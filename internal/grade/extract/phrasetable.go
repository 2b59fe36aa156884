package extract

import (
	"strings"
	"unicode/utf8"
)

// A phraseSet is one list of phrases, or several, as bits.
type phraseSet uint64

// A phraseList is the phrases of a set.
type phraseList struct {
	set     phraseSet
	phrases []string
}

// A phrase is a phrase with all sets that it is in.
type phrase struct {
	text  string
	sets  phraseSet
	words edges
}

// edges say whether a phrase begins and ends with a character of a word: then a word must begin
// and end there.
type edges struct{ first, last bool }

// A phraseTable finds the phrases of many sets in one pass over a text: the phrases are in
// buckets by two of their bytes.
type phraseTable struct {
	buckets [1 << 10][]phrase
	single  [256][]phrase // phrases of one byte
	known   [256]bool     // the bytes that a phrase begins with; of a table of ends, ends with
	ends    bool          // the two bytes are the last ones
}

// The tables, for each place where phrases are looked for.
var (
	insideTable = newPhraseTable(insideSets, false)
	startTable  = newPhraseTable(startSets, false)
	endTable    = newPhraseTable(endSets, true)
)

func newPhraseTable(sets phraseSet, ends bool) *phraseTable {
	t := &phraseTable{ends: ends}
	for _, l := range phraseLists {
		if l.set&sets == 0 {
			continue
		}
		for _, p := range l.phrases {
			t.put(p, l.set)
		}
	}
	return t
}

// put adds a phrase of a set.
func (t *phraseTable) put(text string, set phraseSet) {
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	n := len(text)
	a, b := text[0], text[min(1, n-1)]
	if t.ends {
		a, b = text[n-1], text[max(0, n-2)]
	}
	t.known[a] = true
	bucket := &t.buckets[bucketOf(a, b)]
	if n == 1 {
		bucket = &t.single[a]
	}
	for i := range *bucket {
		if (*bucket)[i].text == text {
			(*bucket)[i].sets |= set
			return
		}
	}
	*bucket = append(*bucket, phrase{text, set, edges{isWordRune(first), isWordRune(last)}})
}

func bucketOf(a, b byte) int { return (int(a)<<5 ^ int(b)) & (1<<10 - 1) }

// A mention is a phrase in a text: text[start:end].
type mention struct {
	start, end int32
	sets       phraseSet
	apart      bool // no word goes on behind it
}

// mentions appends the phrases of the table in text to found, in the order of their starts: those
// that a word begins with where they begin with one.
func (t *phraseTable) mentions(text string, found []mention) []mention {
	inWord := false
	for i := 0; i < len(text); {
		c, n, word := text[i], 1, false
		if c < utf8.RuneSelf {
			word = wordByte[c]
		} else {
			var r rune
			r, n = utf8.DecodeRuneInString(text[i:])
			word = isWordRune(r)
		}
		if t.known[c] && !(word && inWord) {
			found = t.at(text, i, found)
		}
		inWord = word
		i += n
	}
	return found
}

// at appends the phrases that begin at text[i].
func (t *phraseTable) at(text string, i int, found []mention) []mention {
	rest := text[i:]
	for _, p := range t.single[rest[0]] {
		found = append(found, mention{int32(i), int32(i + 1), p.sets, !p.words.last || !wordAt(text, i+1)})
	}
	if len(rest) < 2 {
		return found
	}
	for _, p := range t.buckets[bucketOf(rest[0], rest[1])] {
		if strings.HasPrefix(rest, p.text) {
			end := i + len(p.text)
			found = append(found, mention{int32(i), int32(end), p.sets, !p.words.last || !wordAt(text, end)})
		}
	}
	return found
}

// wordAt reports whether text[i:] begins with a character of a word.
func wordAt(text string, i int) bool {
	if i >= len(text) {
		return false
	}
	if c := text[i]; c < utf8.RuneSelf {
		return wordByte[c]
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return isWordRune(r)
}

// wordBefore reports whether text[:i] ends with a character of a word.
func wordBefore(text string, i int) bool {
	if i <= 0 {
		return false
	}
	if c := text[i-1]; c < utf8.RuneSelf {
		return wordByte[c]
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return isWordRune(r)
}

// wordsApart reports whether p, which is at t[i], is no part of a longer word.
func wordsApart(t string, i int, p string) bool {
	first, _ := utf8.DecodeRuneInString(p)
	last, _ := utf8.DecodeLastRuneInString(p)
	return !(isWordRune(first) && wordBefore(t, i)) && !(isWordRune(last) && wordAt(t, i+len(p)))
}

// wordByte are the ASCII characters of words.
var wordByte = func() (table [utf8.RuneSelf]bool) {
	for c := range table {
		table[c] = isWordRune(rune(c))
	}
	return table
}()

// hasPhrase reports whether t has a phrase of the sets between word boundaries.
func hasPhrase(t string, sets phraseSet) bool { return setsIn(t)&sets != 0 }

// setsIn returns the sets that have a phrase in t.
func setsIn(t string) (sets phraseSet) {
	var buffer [16]mention
	for _, m := range insideTable.mentions(t, buffer[:0]) {
		if m.apart {
			sets |= m.sets
		}
	}
	return sets
}

// startsPhrase reports whether t begins with a phrase of the sets.
func startsPhrase(t string, sets phraseSet) bool { return setsAtStart(t)&sets != 0 }

// setsAtStart returns the sets that have a phrase which t begins with.
func setsAtStart(t string) (sets phraseSet) {
	if t == "" {
		return 0
	}
	if !wordByte[t[0]&0x7f] || t[0] >= utf8.RuneSelf {
		t = strings.TrimLeft(t, " ,.:;)]}—–'")
	}
	if t == "" || !startTable.known[t[0]] {
		return 0
	}
	var buffer [8]mention
	for _, m := range startTable.at(t, 0, buffer[:0]) {
		if m.apart {
			sets |= m.sets
		}
	}
	return sets
}

// isPhrase reports whether all of t is a phrase of the sets.
func isPhrase(t string, sets phraseSet) bool {
	for _, l := range phraseLists {
		if l.set&sets == 0 {
			continue
		}
		for _, p := range l.phrases {
			if p == t {
				return true
			}
		}
	}
	return false
}

// endsPhrase reports whether t ends with a phrase of the sets.
func endsPhrase(t string, sets phraseSet) bool { return setsAtEnd(t)&sets != 0 }

// setsAtEnd returns the sets that have a phrase which t ends with.
func setsAtEnd(t string) phraseSet {
	if n := len(t); n > 0 && (t[n-1] >= utf8.RuneSelf || !wordByte[t[n-1]]) {
		t = strings.TrimRight(t, " ([{:,'«„‘\\$")
	}
	return endTable.atEnd(t)
}

// atEnd returns the sets that have a phrase which t ends with, with a word boundary before it.
func (t *phraseTable) atEnd(text string) (sets phraseSet) {
	n := len(text)
	if n == 0 || !t.known[text[n-1]] {
		return 0
	}
	for _, p := range t.single[text[n-1]] {
		if !p.words.first || !wordBefore(text, n-1) {
			sets |= p.sets
		}
	}
	if n < 2 {
		return sets
	}
	for _, p := range t.buckets[bucketOf(text[n-1], text[n-2])] {
		if strings.HasSuffix(text, p.text) && (!p.words.first || !wordBefore(text, n-len(p.text))) {
			sets |= p.sets
		}
	}
	return sets
}
