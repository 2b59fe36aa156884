package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/given"
	"verbatim/internal/grade/linemark"
	"verbatim/internal/grade/phrases"
	"verbatim/internal/grade/program"
	"verbatim/internal/grade/runes"
	"verbatim/internal/pylit"
)

// A Kind is a kind of answer.
type Kind int

// The kinds.
const (
	Text Kind = iota
	Integer
	List
)

// A Question is what is known of an answer before the reply is read: its format and the
// input, never its value.
type Question struct {
	Kind   Kind
	Spaces bool   // an answer, or an item of a list, may hold white space
	Char   bool   // a text is one character
	Within string // the text that has that character; "" if unknown
	Lines  bool   // a text has several lines; its format is:

	LineSpaces bool // a line may hold white space
	Bullets    bool // a line begins with a bullet or a number
	Colons     bool // a line ends in a colon
	Prose      bool // a line is a sentence
	Code       bool // it is a piece of a program

	Sentence bool // a text is a sentence

	Word bool // a text is one word of small letters, as an ordinary one

	FirstPerson bool // a text begins as a model speaks of itself

	Copy bool // the input is to be given back as it is, so that it is an answer

	ASCII bool // a text is all ASCII
	Signs bool // a text may hold characters other than letters, digits and white space
	Item  pylit.Kind

	Units  string    // the characters of the piece that a text repeats, and of what is between; "" if it repeats none
	Source string    // the input text; "" if unknown
	ends   [2]string // the first and the last characters of a text, which may be marks of its own

	Operands []string      // the input numbers in plain digits
	Given    []pylit.Value // the input list
	shown    *given.Lists  // what the prompt shows of lists
}

// OfText returns the question for a text in the format of the sample: the input where it
// is known, otherwise the expected text.
func OfText(sample, source string) *Question {
	q := &Question{Kind: Text, Source: source, ASCII: runes.IsASCII(sample)}
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
	q.FirstPerson = q.Spaces && phrases.Starts(strings.ToLower(phrases.Head(sample, maxMark)), phrases.FirstPersons)
	if q.Signs {
		q.ends = [2]string{phrases.Head(sample, maxMark), phrases.Tail(sample, maxMark)}
	}
	if q.Lines {
		q.readLines(sample)
	}
	q.Sentence = q.Spaces && !q.Lines && phrases.IsSentence(sample)
	q.Word = ordinary(sample, linked) || ordinary(reversed(sample), linked)
	q.Char = source == "" && !q.Spaces && utf8.RuneCountInString(sample) == 1
	return q
}

// reversed is a text in ASCII from its end to its start.
func reversed(t string) string {
	b := []byte(t)
	slices.Reverse(b)
	return string(b)
}

// maxMark is the number of bytes of the longest mark around an answer.
const maxMark = 16

// The marks that questions set texts apart with. They are marks around an answer, or the first and
// the last characters of texts that are to be copied with them.
const openAngles, endAngles = "<<<", ">>>"

// hasMarks reports whether texts of the question are between the marks themselves.
func (q *Question) hasMarks(open, end string) bool {
	return strings.HasPrefix(q.ends[0], open) && strings.HasSuffix(q.ends[1], end)
}

// HasOwnMark reports whether an answer begins with the marks that texts of the question begin with.
func (q *Question) HasOwnMark(answer string) bool {
	return strings.HasPrefix(q.ends[0], openAngles) && strings.HasPrefix(answer, openAngles)
}

// readLines notes the format of the lines of a sample.
func (q *Question) readLines(sample string) {
	sample = phrases.Head(sample, 1<<14)
	q.Code = q.Signs && program.Lines(sample)
	for line := range strings.SplitSeq(sample, "\n") {
		line = strings.TrimSpace(line)
		_, bullet := linemark.Bullet(line)
		_, number := linemark.Number(line)
		q.LineSpaces = q.LineSpaces || strings.IndexFunc(line, unicode.IsSpace) >= 0
		q.Bullets = q.Bullets || bullet || number
		q.Colons = q.Colons || strings.HasSuffix(line, ":")
		q.Prose = q.Prose || q.Signs && !q.Code && phrases.IsSentence(line)
	}
}

// OfList returns the question for a list with items like those of the sample. input is the
// input, prompt the texts that show it and any other list.
func OfList(sample, input []pylit.Value, prompt ...string) *Question {
	q := &Question{Kind: List, Item: pylit.Str, Given: input}
	if len(sample) > 0 {
		q.Item = sample[0].Kind()
	}
	for i := range sample {
		t := sample[i].Text() // which only texts have
		q.Spaces = q.Spaces || strings.IndexByte(t, ' ') >= 0 || strings.IndexByte(t, '\t') >= 0 || strings.IndexByte(t, '\n') >= 0
	}
	q.shown = given.New(q.Item, input, prompt)
	return q
}

// nouns are the words that name an answer of this kind, which they do not for others: a
// character, or a number that is no sum.
func (q *Question) nouns() phrases.Set {
	switch {
	case q.Char:
		return phrases.CharacterNouns
	case q.Kind == Integer && len(q.Operands) < 2:
		return phrases.NumberNouns
	}
	return 0
}

// fits reports whether s can be a text answer.
func (q *Question) fits(s string) bool {
	if s == "" || !q.Lines && strings.ContainsAny(s, "\r\n") || q.Char && utf8.RuneCountInString(s) != 1 {
		return false
	}
	return q.Spaces || strings.IndexFunc(s, unicode.IsSpace) < 0
}

// plain reports whether s has only characters of the format's class.
func (q *Question) plain(s string) bool {
	if q.Signs {
		return true
	}
	for _, r := range s {
		if q.ASCII && r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && !(q.Spaces && unicode.IsSpace(r)) {
			return false
		}
	}
	return true
}

// Foreign reports whether a text has characters of a script without spaces, which answers to the
// question have not.
func (q *Question) Foreign(t string) bool {
	return (q.Kind == Integer || q.Kind == Text && q.ASCII) && strings.IndexFunc(t, phrases.Unspaced) >= 0
}

// IsStatement reports whether a text is sentences as those of the question, which speak neither of
// an answer nor of the input, nor to a user: it is an answer, though a wrong one.
func IsStatement(t string, q *Question) bool {
	return q.Sentence && phrases.IsSentence(t) && len(t) < 2*len(q.Source)+maxLead && phrases.In(phrases.Normal(t))&(phrases.Answers|phrases.Inputs|phrases.InputSubjects|phrases.TextNouns|phrases.Speakers|phrases.TalkPhrases) == 0
}

// AsksForCopy reports whether the words of a prompt ask for a text as it is.
func AsksForCopy(prompt string) bool {
	words := phrases.In(phrases.Normal(phrases.Head(prompt, 1<<10)))
	return words&phrases.CopyRequests != 0 && words&phrases.ChangeRequests == 0
}
