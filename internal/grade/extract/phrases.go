package extract

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Set is a set of phrases, or several sets, as bits.
type phraseSet uint64

// A list is the phrases of a set.
type list struct {
	set     phraseSet
	phrases []string
}

// A phrase is a text with all sets that it is in.
type phrase struct {
	text  string
	sets  phraseSet
	words edges
}

// edges say whether a phrase begins and ends with a character of a word. If so, a word must begin
// and end there.
type edges struct{ first, last bool }

// A Table finds the phrases of many sets in one pass over a text: the phrases are in
// buckets by their first bytes, or their last ones.
type phraseTable struct {
	buckets [1 << 12][]phrase // by three bytes
	double  [1 << 10][]phrase // phrases of two bytes
	single  [256][]phrase     // phrases of one byte
	Known   [256]bool         // the bytes that a phrase begins with, or ends with
	ends    bool              // all bytes count from the end
}

// The tables. They are made when they are first needed: otherwise they would take
// a tenth of the time of a command that grades nothing.
var (
	insidePhrases = sync.OnceValue(func() *phraseTable { return newTable(insideSets, false) })
	beginnings    = sync.OnceValue(func() *phraseTable { return newTable(startSets, false) })
	endings       = sync.OnceValue(func() *phraseTable { return newTable(endSets, true) })
)

func newTable(sets phraseSet, ends bool) *phraseTable {
	t := &phraseTable{ends: ends}
	for _, l := range lists {
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
	a, b, c := text[0], text[min(1, n-1)], text[min(2, n-1)]
	if t.ends {
		a, b, c = text[n-1], text[max(0, n-2)], text[max(0, n-3)]
	}
	t.Known[a] = true
	var bucket *[]phrase
	switch n {
	case 1:
		bucket = &t.single[a]
	case 2:
		bucket = &t.double[doubleOf(a, b)]
	default:
		bucket = &t.buckets[bucketOf(a, b, c)]
	}
	for i := range *bucket {
		if (*bucket)[i].text == text {
			(*bucket)[i].sets |= set
			return
		}
	}
	*bucket = append(*bucket, phrase{text, set, edges{isWordRune(first), isWordRune(last)}})
}

func doubleOf(a, b byte) int { return (int(a)<<5 ^ int(b)) & (1<<10 - 1) }

func bucketOf(a, b, c byte) uint32 {
	return (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 2654435761 >> 20
}

// A Mention is a phrase in a text: text[Start:End].
type mention struct {
	Start, End int32
	Sets       phraseSet
	Apart      bool // its last word ends there
}

// Mentions appends the phrases of the table in text to found, in the order of their starts. A phrase that begins
// with a word must begin where a word does.
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
		if t.Known[c] && !(word && inWord) {
			found = t.At(text, i, found)
		}
		inWord = word
		i += n
	}
	return found
}

// At appends the phrases that begin at text[i] to found.
func (t *phraseTable) At(text string, i int, found []mention) []mention {
	rest := text[i:]
	for _, p := range t.single[rest[0]] {
		found = append(found, mention{int32(i), int32(i + 1), p.sets, !p.words.last || !wordAt(text, i+1)})
	}
	if len(rest) < 2 {
		return found
	}
	two := t.double[doubleOf(rest[0], rest[1])]
	for k := range two {
		if p := &two[k]; rest[:2] == p.text {
			found = append(found, mention{int32(i), int32(i + 2), p.sets, !p.words.last || !wordAt(text, i+2)})
		}
	}
	if len(rest) < 3 {
		return found
	}
	bucket := t.buckets[bucketOf(rest[0], rest[1], rest[2])]
	for k := range bucket {
		if p := &bucket[k]; len(p.text) <= len(rest) && rest[:len(p.text)] == p.text {
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

// Apart reports whether p, which is at t[i], is not part of a longer word.
func Apart(t string, i int, p string) bool {
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

// HasPhrase reports whether t has a phrase of the sets between word boundaries.
func HasPhrase(t string, sets phraseSet) bool { return phrasesIn(t)&sets != 0 }

// phrasesIn returns the sets that have a phrase in t between word boundaries.
func phrasesIn(t string) phraseSet {
	var buffer [16]mention
	return apart(insidePhrases().mentions(t, buffer[:0]))
}

// apart returns the sets of the mentions that are not part of a longer word.
func apart(mentions []mention) (sets phraseSet) {
	for _, m := range mentions {
		if m.Apart {
			sets |= m.Sets
		}
	}
	return sets
}

// startsWithPhrase reports whether t begins with a phrase of the sets.
func startsWithPhrase(t string, sets phraseSet) bool { return phrasesAtStart(t)&sets != 0 }

// phrasesAtStart returns the sets that have a phrase which t begins with, behind marks.
func phrasesAtStart(t string) phraseSet {
	if t == "" {
		return 0
	}
	if !wordByte[t[0]&0x7f] || t[0] >= utf8.RuneSelf {
		t = strings.TrimLeft(t, " ,.:;)]}—–'")
	}
	if t == "" || !beginnings().Known[t[0]] {
		return 0
	}
	var buffer [8]mention
	return apart(beginnings().At(t, 0, buffer[:0]))
}

// isPhrase reports whether all of t is a phrase of the sets.
func isPhrase(t string, sets phraseSet) bool {
	return slices.ContainsFunc(lists[:], func(l list) bool { return l.set&sets != 0 && slices.Contains(l.phrases, t) })
}

// endsInPhrase reports whether t ends with a phrase of the sets.
func endsInPhrase(t string, sets phraseSet) bool { return phrasesAtEnd(t)&sets != 0 }

// phrasesAtEnd returns the sets that have a phrase which t ends with, before marks.
func phrasesAtEnd(t string) phraseSet {
	if n := len(t); n > 0 && (t[n-1] >= utf8.RuneSelf || !wordByte[t[n-1]]) {
		t = strings.TrimRight(t, " ([{:,'«„‘\\$")
	}
	return endings().atEnd(t)
}

// phrasesAtEnd returns the sets of the table that have a phrase which text ends with, with a word boundary before it.
func (t *phraseTable) atEnd(text string) (sets phraseSet) {
	n := len(text)
	if n == 0 || !t.Known[text[n-1]] {
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
	for _, p := range t.double[doubleOf(text[n-1], text[n-2])] {
		if strings.HasSuffix(text, p.text) && (!p.words.first || !wordBefore(text, n-2)) {
			sets |= p.sets
		}
	}
	if n < 3 {
		return sets
	}
	bucket := t.buckets[bucketOf(text[n-1], text[n-2], text[n-3])]
	for k := range bucket {
		p := &bucket[k]
		if strings.HasSuffix(text, p.text) && (!p.words.first || !wordBefore(text, n-len(p.text))) {
			sets |= p.sets
		}
	}
	return sets
}

// nextSentence returns where the sentence after the one that begins at from begins.
func nextSentence(t string, from int) int {
	at := sentenceEnd(t, from)
	for at < len(t) && (t[at] == ' ' || t[at] == '\t') {
		at++
	}
	return at
}

// sentenceEnd returns where the sentence of t that begins at from ends.
func sentenceEnd(t string, from int) int {
	for i := from; i < len(t); i++ {
		switch c := t[i]; c {
		case '.', '!', '?':
			j := i + 1
			for j < len(t) && strings.IndexByte("*_\"'`)", t[j]) >= 0 {
				j++
			}
			if j < len(t) && t[j] != ' ' && t[j] != '\t' || c == '.' && abbreviated(t[from:i]) {
				continue
			}
			return j
		case 0xe3, 0xef:
			for _, stop := range [...]string{"。", "！", "？"} {
				if strings.HasPrefix(t[i:], stop) {
					return i + len(stop)
				}
			}
		}
	}
	return len(t)
}

// abbreviated reports whether a full stop after t does not end a sentence: "1." at its start, "e.g.".
func abbreviated(t string) bool {
	if u := strings.TrimLeft(tail(t, 8), " *-•\t#"); len(u) <= 3 && len(t) < 8 && strings.Trim(u, "0123456789") == "" {
		return true
	}
	abbreviations := [...]string{"e.g", "i.e", " vs", "z.B", " No", "approx"}
	return slices.ContainsFunc(abbreviations[:], func(a string) bool { return strings.HasSuffix(t, a) })
}

// IsProse reports whether a text of a few words is a question, or a sentence in a script
// without spaces.
func IsProse(t string) bool {
	if strings.HasSuffix(t, "?") {
		return true
	}
	for _, stop := range [...]string{"。", "！", "？"} {
		if strings.HasSuffix(t, stop) {
			return strings.ContainsFunc(strings.TrimSuffix(t, stop), unspaced)
		}
	}
	return false
}

// isSentence reports whether a line is a sentence: several words that begin with a capital, or with a letter
// of a script without letter case, and end in a mark such as a full stop.
func isSentence(t string) bool {
	first, _ := utf8.DecodeRuneInString(t)
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(t, " *_)\"'”"))
	if !unicode.IsLetter(first) || unicode.IsLower(first) || !strings.ContainsRune(".!?:。！？：", last) {
		return false
	}
	return first >= 0x2e80 || strings.IndexFunc(t, isBlank) > 0
}

// IsLetters reports whether a text is only letters and apostrophes.
func IsLetters(t string) bool {
	return t != "" && strings.IndexFunc(t, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) < 0
}

// equationStart returns the equation at the end of t: the text behind the last comma, semicolon,
// colon, "and", or parenthesis that is not closed.
func equationStart(t string) string {
	for _, cut := range [...]string{", ", "; ", ": ", " and ", " und ", " et ", " y ", "\n"} {
		if i := strings.LastIndex(t, cut); i >= 0 {
			t = t[i+len(cut):]
		}
	}
	depth := 0
	for i := len(t) - 1; i >= 0; i-- {
		switch t[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth < 0 {
				return t[i+1:]
			}
		}
	}
	return t
}

// startsOperator reports whether a calculation goes on with t.
func startsOperator(t string) bool {
	if rest, ok := strings.CutPrefix(t, " * "); ok && rest != "" && strings.IndexByte("0123456789(", rest[0]) >= 0 {
		return true
	}
	t = strings.TrimLeft(t, " \"*`'”)$\\")
	for _, op := range [...]string{"+", "-", "*", "/", "^", "×", "·", "÷", "√", "=", "plus ", "minus ", "and ", "−"} {
		if rest, ok := strings.CutPrefix(t, op); ok {
			if rest = strings.TrimLeft(rest, " \"'`*$"); rest != "" && strings.IndexByte("0123456789({", rest[0]) >= 0 {
				return true
			}
		}
	}
	return false
}

// isPower reports whether t, the text behind a number, makes it a power: "cubed", "^3", "³". A fraction as
// exponent makes it a root.
func isPower(t string) bool {
	t = strings.TrimLeft(NormalText(t), " })$\\")
	if exponent, ok := strings.CutPrefix(t, "^"); ok {
		return !strings.ContainsAny(exponent, "/.") && !strings.Contains(exponent, "frac")
	}
	return strings.HasPrefix(t, "²") || strings.HasPrefix(t, "³") || slices.ContainsFunc(powerWords, func(w string) bool { return strings.HasPrefix(t, w) })
}

// endsInWord reports whether t ends in one of the words.
func endsInWord(t string, words []string) bool {
	t = NormalText(t)
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(t, w) && Apart(t, len(t)-len(w), w) })
}

// hyphenated reports whether t continues a number as in "60-digit", which says how large something is.
func hyphenated(t string) bool {
	if !strings.HasPrefix(t, "-") {
		return false
	}
	next, _ := utf8.DecodeRuneInString(t[1:])
	return unicode.IsLetter(next) && !startsWithPhrase(t[1:], timesWords) // "3-mal"
}

// isPrefix reports whether t, the text before a hyphen and a number, ends in a short word: "ke-24".
func isPrefix(t string) bool {
	const longest = 3 // letters
	word := t[strings.LastIndexFunc(t, isBlank)+1:]
	return word != "" && utf8.RuneCountInString(word) <= longest && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) || unicode.IsUpper(r) })
}

// operandBefore reports whether t ends in an operand, so that a sign behind it is an operator.
func operandBefore(t string) bool {
	t = strings.TrimRight(t, " \"'`*")
	return t != "" && strings.IndexByte("0123456789)", t[len(t)-1]) >= 0
}

// endsInOperator reports whether t ends in a sign for division or multiplication: a number behind it is a part of
// a calculation.
func endsInOperator(t string) bool {
	return strings.HasSuffix(t, " /") || strings.HasSuffix(t, "×") || strings.HasSuffix(t, "÷") || strings.HasSuffix(t, "·")
}

// betweenCounted reports whether t can be between two numbers of a count.
func betweenCounted(t string) bool {
	if t == "" || len(t) > 16 {
		return false
	}
	t = strings.Trim(t, " \t,;.…、，->=→*`\"")
	return t == "" || slices.Contains(andWords, t)
}

// endsReply reports whether a value ends a reply, behind words in any language. after is the rest of
// the reply. follows says that the sentence has a value before it, and lead is the text since then: it needs two
// words, so that "3 and 4" does not end with an answer.
func endsReply(lead, after string, follows bool) bool {
	words := strings.FieldsFunc(lead, func(r rune) bool { return !unicode.IsLetter(r) })
	least := 1
	if follows {
		least = 2
	}
	return len(words) >= least && strings.Trim(after, " .!。।۔*`_\"'”»}$\n") == "" && !endsInOperator(lead)
}
