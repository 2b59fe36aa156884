package traits

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/grade/runes"
	"verbatim/internal/reasoning"
)

// Flags returns what is remarkable about a stripped reply to a text, whatever its
// label, in this order:
//
//	critical        more than 120 % of the wanted length; in the standard edition
//	                also more than 16 characters too long, because two quotation
//	                marks alone exceed 120 % of a short text
//	foreign_script  a letter of a script that the wanted text lacks. Latin does not
//	                count: it is the script of all prompts, and so of talk
//	loop            it ends in a loop that the wanted text does not end in
//
// and then those of CommonFlags.
func Flags(it *verbatim.Item, want, got string, finish verbatim.Finish) []string {
	var out []string
	if got != want {
		out = AddFlag(out, "critical", Critical(it, want, got))
		out = AddFlag(out, "foreign_script", Foreign(want, got))
		_, loops := LoopsBeyond(got, want)
		out = AddFlag(out, "loop", loops)
	}
	return CommonFlags(out, want, got, finish)
}

// CommonFlags adds to flags what is remarkable about a stripped reply of any kind:
//
//	truncated         it was stopped by the token limit
//	invalid_utf8      it holds bytes that are not UTF-8
//	replacement_char  it holds U+FFFD, which the right reply does not
//	open_reasoning    it begins with <think> and never closes it
//	secret_removed    a secret was in it, such as the key that it was asked with; what
//	                  is judged is what is left
func CommonFlags(flags []string, right, got string, finish verbatim.Finish) []string {
	flags = AddFlag(flags, "truncated", finish == verbatim.FinishLength)
	flags = AddFlag(flags, "invalid_utf8", !utf8.ValidString(got))
	flags = AddFlag(flags, "replacement_char", strings.Contains(got, "\ufffd") && !strings.Contains(right, "\ufffd"))
	flags = AddFlag(flags, "open_reasoning", StillReasoning(got))
	return AddFlag(flags, SecretRemoved, strings.Contains(got, verbatim.SecretMark))
}

// SecretRemoved is the flag of a reply that held a secret.
const SecretRemoved = "secret_removed"

// StillReasoning reports whether a stripped reply begins to reason and never ends.
func StillReasoning(got string) bool {
	_, state := reasoning.Cut(got)
	return state == reasoning.Open
}

// AddFlag adds a flag that holds and is not there yet.
func AddFlag(flags []string, flag string, holds bool) []string {
	if !holds || slices.Contains(flags, flag) {
		return flags
	}
	return append(flags, flag)
}

func Critical(it *verbatim.Item, want, got string) bool {
	if len(got) <= len(want) && runes.IsASCII(want) {
		return false
	}
	e, g := Count(want), Count(got)
	if 5*g <= 6*e {
		return false
	}
	edition := verbatim.Edition(it.Facts[verbatim.FactEdition])
	return g-e > 16 || edition == verbatim.Paper || edition == verbatim.Reference
}

// Count returns the number of code points of s, a stray byte being one.
func Count(s string) int { return utf8.RuneCountInString(s) }

// LastPart decodes as much of the end of s as Loop looks at.
func LastPart(s string) []rune {
	i := max(0, len(s)-looked*utf8.UTFMax)
	for i < len(s) && i > 0 && !utf8.RuneStart(s[i]) {
		i++
	}
	return runes.Decode(s[i:])
}

// Foreign reports whether got has a letter of a script, other than Latin, of
// which want has none.
func Foreign(want, got string) bool {
	if runes.IsASCII(got) {
		return false
	}
	known := []*unicode.RangeTable{unicode.Latin, unicode.Common, unicode.Inherited}
	for _, r := range want {
		if r >= utf8.RuneSelf && unicode.IsLetter(r) && !unicode.In(r, known...) {
			if t := scriptOf(r); t != nil {
				known = append(known, t)
			}
		}
	}
	var accepted [256]rune // the last of each remainder, to save the search of tables
	for _, r := range got {
		if r < utf8.RuneSelf || accepted[r%256] == r {
			continue
		}
		if unicode.IsLetter(r) && !unicode.In(r, known...) {
			return true
		}
		accepted[r%256] = r
	}
	return false
}

// scriptOf returns the table of the script of r; no letter has two.
func scriptOf(r rune) *unicode.RangeTable {
	for _, t := range unicode.Scripts {
		if unicode.Is(t, r) {
			return t
		}
	}
	return nil
}
