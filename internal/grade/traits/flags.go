package traits

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/grade/runes"
	"verbatim/internal/reasoning"
)

// Flags returns the flags of a stripped reply whose expected answer is a text, whatever its
// label, in this order:
//
//	critical        more than 120 % of the expected length; in the standard edition
//	                also more than 16 characters too long, because two quotation
//	                marks alone exceed 120 % of a short text
//	foreign_script  a letter of a script that the expected text lacks. Latin does not
//	                count: it is the script of all prompts, and so of talk
//	loop            it ends in a loop that the expected text does not end in
//
// and then those of CommonFlags.
func Flags(it *verbatim.Item, want, got string, finish verbatim.Finish) []string {
	return FlagsOf(it, want, got, false, finish)
}

// FlagsOf is Flags for a reply of which may be known otherwise that it loops.
func FlagsOf(it *verbatim.Item, want, got string, loops bool, finish verbatim.Finish) []string {
	var flags []string
	if got != want {
		flags = addFlag(flags, "critical", critical(it, want, got))
		flags = addFlag(flags, "foreign_script", foreign(want, got))
		if !loops {
			_, loops = LoopsBeyond(got, want)
		}
		flags = addFlag(flags, "loop", loops)
	}
	return CommonFlags(flags, want, got, finish)
}

// CommonFlags adds to flags those of a stripped reply of any kind:
//
//	truncated         it was stopped by the token limit
//	invalid_utf8      it holds bytes that are not UTF-8
//	replacement_char  it holds U+FFFD, which the right reply does not
//	open_reasoning    it begins with <think> and never closes it
//	secret_removed    a secret was removed from it before it was graded, such as the API key
func CommonFlags(flags []string, right, got string, finish verbatim.Finish) []string {
	flags = addFlag(flags, "truncated", finish == verbatim.FinishLength)
	flags = addFlag(flags, "invalid_utf8", !utf8.ValidString(got))
	flags = addFlag(flags, "replacement_char", strings.Contains(got, "\ufffd") && !strings.Contains(right, "\ufffd"))
	flags = addFlag(flags, "open_reasoning", StillReasoning(got))
	return addFlag(flags, SecretRemoved, strings.Contains(got, verbatim.SecretMark))
}

// SecretRemoved is the flag of a reply that held a secret.
const SecretRemoved = "secret_removed"

// StillReasoning reports whether a stripped reply begins with reasoning that is not closed.
func StillReasoning(got string) bool {
	_, state := reasoning.Cut(got)
	return state == reasoning.Open
}

// addFlag adds a flag if it holds.
func addFlag(flags []string, flag string, holds bool) []string {
	if holds {
		flags = append(flags, flag)
	}
	return flags
}

// critical reports whether a reply is much longer than the expected text: see Flags.
func critical(it *verbatim.Item, want, got string) bool {
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

// Count returns the number of code points of s. A byte that is not UTF-8 counts as one.
func Count(s string) int { return utf8.RuneCountInString(s) }

// lastPart decodes as much of the end of s as Loop looks at.
func lastPart(s string) []rune {
	i := max(0, len(s)-looked*utf8.UTFMax)
	for i < len(s) && i > 0 && !utf8.RuneStart(s[i]) {
		i++
	}
	return runes.Decode(s[i:])
}

// foreign reports whether got has a letter of a script, other than Latin, of
// which want has none.
func foreign(want, got string) bool {
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
	var accepted [256]rune // the last known letter with each remainder, which saves searches in tables
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
