package grade

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
)

// flags returns what is odd about a reply, whatever its label:
//
//   - critical: longer than 1.2 times the wanted list as Python prints it, and in
//     the standard edition also by more than 16 characters, because brackets and
//     fences around a short list alone would do
//   - foreign_script: it has letters of a script that neither the wanted list nor
//     the question has; Latin, in which the question is put, never is foreign
//   - loop: its items or its last characters repeat, and those wanted do not
//   - invalid_utf8: it is not valid UTF-8
func (j *ListJudge) flags(reply, stripped string, looped bool) []string {
	var flags []string
	if j.tooLong(stripped) {
		flags = append(flags, "critical")
	}
	if j.foreign(stripped) {
		flags = append(flags, "foreign_script")
	}
	if looped || textLoops(stripped) && !textLoops(j.printed) {
		flags = append(flags, "loop")
	}
	if !utf8.ValidString(reply) {
		flags = append(flags, "invalid_utf8")
	}
	return flags
}

func (j *ListJudge) tooLong(reply string) bool {
	if 5*len(reply) <= 6*utf8.RuneCountInString(j.printed) {
		return false // there are at most as many characters as bytes
	}
	n, wanted := utf8.RuneCountInString(reply), utf8.RuneCountInString(j.printed)
	standard := j.edition == "" || j.edition == verbatim.Standard
	return 5*n > 6*wanted && (!standard || n-wanted > 16)
}

// foreign looks at letters only, so that each is in one of few tables: a long
// reply in the scripts of the question costs little, and the first foreign letter
// ends the search.
func (j *ListJudge) foreign(reply string) bool {
	if ascii(reply) {
		return false
	}
	home := []*unicode.RangeTable{unicode.Latin, unicode.Common, unicode.Inherited}
	home = addScripts(home, j.printed)
	for _, v := range j.source {
		home = addScripts(home, v.Text())
	}
	for _, r := range reply {
		if r >= utf8.RuneSelf && unicode.IsLetter(r) && !unicode.In(r, home...) {
			return true
		}
	}
	return false
}

// addScripts adds the scripts of the letters in s.
func addScripts(home []*unicode.RangeTable, s string) []*unicode.RangeTable {
	for _, r := range s {
		if r < utf8.RuneSelf || !unicode.IsLetter(r) || unicode.In(r, home...) {
			continue
		}
		for _, table := range unicode.Scripts {
			if unicode.Is(table, r) {
				home = append(home, table)
			}
		}
	}
	return home
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// textLoops reports whether a text ends in four or more rounds of up to 64
// characters, 24 at least.
func textLoops(s string) bool {
	var tail [4 * 64]rune
	n := 0
	for n < len(tail) && s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		tail[n] = r
		n++
		s = s[:len(s)-size]
	}
	for period := 1; 4*period <= n; period++ {
		i := period
		for i < n && tail[i] == tail[i-period] {
			i++
		}
		if i >= max(4*period, 24) {
			return true
		}
	}
	return false
}

// refusalPhrase returns the words by which a reply refuses, or "".
func refusalPhrase(reply string) string {
	folded := strings.Map(foldASCII, reply)
	for _, phrase := range [...]string{"i'm sorry", "im sorry", "i cannot", "i can't", "i am unable", "i'm unable", "i won't",
		"as an ai", "cannot help", "cannot assist", "cannot comply", "unable to"} {
		for rest := folded; ; {
			i := strings.Index(rest, phrase)
			if i < 0 {
				break
			}
			before, _ := utf8.DecodeLastRuneInString(rest[:i])
			after, _ := utf8.DecodeRuneInString(rest[i+len(phrase):])
			if !wordRune(before) && !wordRune(after) {
				return phrase
			}
			rest = rest[i+len(phrase):]
		}
	}
	return ""
}

func foldASCII(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r == '’':
		return '\''
	}
	return r
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}
