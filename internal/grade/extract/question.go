package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
	"verbatim/internal/pylit"
)

// A Kind is a kind of answer.
type askedKind int

// The kinds.
const (
	AskedText askedKind = iota
	Integer
	List
)

// A Question is what is known of an answer before the reply is read: its format and the
// input, never its value.
type Question struct {
	Kind   askedKind
	Spaces bool // an answer, or an item of a list, may have white space

	// Of texts:
	Char        bool      // a text is one character
	Within      string    // the text that has that character; "" if unknown
	Sentence    bool      // a text is a sentence
	Word        bool      // a text, or its reverse, is one word that could be an ordinary one
	FirstPerson bool      // a text begins as a model speaks of itself
	Copy        bool      // the input is to be copied, so that it is an answer
	ASCII       bool      // a text is all ASCII
	Signs       bool      // a text may have characters other than letters, digits and white space
	Units       string    // the characters of the piece that a text repeats and of the separator; "" if it repeats none
	Source      string    // the input text; "" if unknown
	Ends        [2]string // the first and the last characters of a text with signs, which may be marks of its own

	// Of texts with several lines:
	Lines      bool // a text has several lines
	LineSpaces bool // a line may have white space
	Bullets    bool // a line begins with a bullet or a number
	Colons     bool // a line ends in a colon
	Prose      bool // a line is a sentence
	Code       bool // a text is part of a program

	// Of numbers and lists:
	Operands []string      // the input numbers in plain digits
	Item     pylit.Kind    // the kind of the items of a list
	Given    []pylit.Value // the input list
	Shown    *givenLists   // the lists of the prompt
}

// OfText returns the question for a text in the format of the sample: the input if it
// is known, otherwise the expected text. source is the input, "" if unknown.
func OfText(sample, source string) *Question {
	q := &Question{Kind: AskedText, Source: source, ASCII: runes.IsASCII(sample)}
	for _, r := range sample {
		switch {
		case r == '\n' || r == '\r':
			q.Lines, q.Spaces = true, true
		case unicode.IsSpace(r):
			q.Spaces = true
		case !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r):
			q.Signs = true
		}
	}
	q.FirstPerson = q.Spaces && startsWithPhrase(strings.ToLower(Head(sample, maxMark)), firstPersons)
	if q.Signs {
		q.Ends = [2]string{Head(sample, maxMark), tail(sample, maxMark)}
	}
	if q.Lines {
		q.readLines(sample)
	}
	q.Sentence = q.Spaces && !q.Lines && isSentence(sample)
	q.Word = isWord(sample) || isWord(reversed(sample))
	q.Char = source == "" && !q.Spaces && utf8.RuneCountInString(sample) == 1
	return q
}

// isWord reports whether a text may be a word of a sentence: only letters of English, all but the first in lower case.
func isWord(t string) bool {
	for i := 0; i < len(t); i++ {
		if (t[i] < 'a' || t[i] > 'z') && !(i == 0 && 'A' <= t[i] && t[i] <= 'Z') {
			return false
		}
	}
	return true
}

// reversed returns a text in ASCII from its end to its start.
func reversed(t string) string {
	b := []byte(t)
	slices.Reverse(b)
	return string(b)
}

// maxMark is the number of bytes of the longest mark around an answer.
const maxMark = 16

// The marks that questions put around texts. They are around an answer, or they are the first and
// the last characters of a text that is to be copied with them.
const openAngles, endAngles = "<<<", ">>>"

// HasMarks reports whether texts of the question begin and end with the marks.
func (q *Question) hasMarks(open, end string) bool {
	return strings.HasPrefix(q.Ends[0], open) && strings.HasSuffix(q.Ends[1], end)
}

// HasOwnMark reports whether an answer begins with <<<, as texts of the question do.
func (q *Question) HasOwnMark(answer string) bool {
	return strings.HasPrefix(q.Ends[0], openAngles) && strings.HasPrefix(answer, openAngles)
}

// readLines notes the format of the lines of a sample.
func (q *Question) readLines(sample string) {
	sample = Head(sample, 1<<14)
	q.Code = q.Signs && hasCodeLines(sample)
	for line := range strings.SplitSeq(sample, "\n") {
		line = strings.TrimSpace(line)
		_, bullet := trimBullet(line)
		_, number := trimNumber(line)
		q.LineSpaces = q.LineSpaces || strings.IndexFunc(line, unicode.IsSpace) >= 0
		q.Bullets = q.Bullets || bullet || number
		q.Colons = q.Colons || strings.HasSuffix(line, ":")
		q.Prose = q.Prose || q.Signs && !q.Code && isSentence(line)
	}
}

// OfList returns the question for a list with items like those of the sample. input is the
// input, and prompt are the texts that show it and other lists.
func OfList(sample, input []pylit.Value, prompt ...string) *Question {
	q := &Question{Kind: List, Item: pylit.Str, Given: input}
	if len(sample) > 0 {
		q.Item = sample[0].Kind()
	}
	for i := range sample {
		q.Spaces = q.Spaces || strings.ContainsAny(sample[i].Text(), " \t\n")
	}
	q.Shown = newGivenLists(q.Item, input, prompt)
	return q
}

// Nouns returns the words that name an answer of this kind alone: a
// character, or a number other than a sum.
func (q *Question) nouns() phraseSet {
	switch {
	case q.Char:
		return characterNouns
	case q.Kind == Integer && len(q.Operands) < 2:
		return numberNouns
	}
	return 0
}

// Fits reports whether s can be a text answer.
func (q *Question) Fits(s string) bool {
	if s == "" || !q.Lines && strings.ContainsAny(s, "\r\n") || q.Char && utf8.RuneCountInString(s) != 1 {
		return false
	}
	return q.Spaces || strings.IndexFunc(s, unicode.IsSpace) < 0
}

// IsPlain reports whether s has only characters that texts of the question have.
func (q *Question) isPlain(s string) bool {
	return q.Signs || strings.IndexFunc(s, func(r rune) bool {
		return q.ASCII && r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && !(q.Spaces && unicode.IsSpace(r))
	}) < 0
}

// Foreign reports whether a text has characters of a script without spaces that answers to the
// question do not have.
func (q *Question) Foreign(t string) bool {
	return (q.Kind == Integer || q.Kind == AskedText && q.ASCII) && strings.IndexFunc(t, unspaced) >= 0
}

// AsksForCopy reports whether the words of a prompt ask for a text as it is.
func AsksForCopy(prompt string) bool {
	words := phrasesIn(NormalText(Head(prompt, 1<<10)))
	return words&copyRequests != 0 && words&changeRequests == 0
}
