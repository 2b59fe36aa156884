package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
