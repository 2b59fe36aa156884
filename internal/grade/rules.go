package grade

import "verbatim/internal/grade/traits"

// A rule declares a failure label and tests whether it fits. A label is declared once:
// reports, pages and docs/glossary.md take its meaning from here.
type rule struct {
	label
	// holds reports whether the label fits. The detail says where or how; that of a label which splits
	// another one is not used.
	holds func(*pair) (detail string, ok bool)
	// extracted: the reply without a wrapper is the expected text.
	extracted bool
}

type label = traits.Label

// The rules are tried in the order of these tables, after pass, reasoning_leak and
// empty. The first ones find the answer in another form, then come single
// mistakes, and the last ones say how much is wrong.
var (
	textRules    = [...][]rule{wrapperRules[:], explainedRule[:], formRules[:], refusalRule[:], mistakeRules[:]}
	integerRules = [...][]rule{wrapperRules[:], arithmeticRules[:], digitRule[:], explainedRule[:], formRules[:], refusalRule[:], mistakeRules[:]}

	// The two tables above are for whole replies (integer-reference). Other graders find the answer first
	// (answer.go); these tables describe a wrong one.
	textMistakes    = [...][]rule{formRules[:], separatorRule[:], mistakeRules[:]}
	integerMistakes = [...][]rule{arithmeticRules[:], numberRule[:], digitRule[:], formRules[:], mistakeRules[:]}
)

var wrapperRules = [...]rule{
	{label{Name: "quoted", Meaning: "The right answer, inside quotation marks, backticks or marks of the prompt that were not asked for.", Example: "`\"K7mQp2Zx\"`"}, (*pair).quoted, true},
	{label{Name: "fenced", Meaning: "The right answer, inside a code fence.", Example: "a code block that holds `K7mQp2Zx`"}, (*pair).fenced, true},
}

// arithmeticRules come before explained: "2 + 2 = 4" is an equation.
var arithmeticRules = [...]rule{
	{label{Name: "grouped", Meaning: "The right number, with separators between its digits.", Example: "`1,234,600` for `1234600`"}, (*pair).grouped, false},
	{label{Name: "decimal", Meaning: "The right whole number, with a decimal point: with zeros, or with a fraction that was to be left out.", Example: "`200.0`"}, (*pair).decimal, false},
	{label{Name: "equation", Meaning: "The right number, only at the end of a calculation.", Example: "`187 + 13 = 200`"}, (*pair).equation, false},
	{label{Name: "carry", Meaning: "Digits are off by one, each where a carry enters: a carry went wrong.", Example: "`190`"}, (*pair).carry, false},
}

// numberRule comes before the rules that compare digits: the digits of a number that was counted or
// computed from another one say nothing about the mistake.
var numberRule = [...]rule{
	{label{Name: "other_number", Meaning: "Another number, where something was to be counted or a root to be found; the detail says how far off it is.", Example: "`11` for `7`"}, (*pair).otherNumber, false},
}

var digitRule = [...]rule{
	{label{Name: "off_by_digit", Meaning: "One digit of the number is wrong.", Example: "`900`"}, (*pair).offByDigit, false},
}

var explainedRule = [...]rule{
	{label{Name: "explained", Meaning: "The right answer, with words before or after it.", Example: "`The answer is K7mQp2Zx.`"}, (*pair).explained, true},
}

// formRules find the right characters in another form.
var formRules = [...]rule{
	{label{Name: "whitespace", Meaning: "The right characters, but spaces, line breaks or invisible characters differ.", Example: "`K7mQ p2Zx`"}, (*pair).whitespace, false},
	{label{Name: "escaped", Meaning: "The right answer, written with escapes (HTML entities, backslashes or JSON).", Example: "`a&lt;b` for `a<b`"}, (*pair).escaped, false},
	{label{Name: "case", Meaning: "The right letters, but some are upper or lower case where they should not be.", Example: "`k7mqp2zx`"}, (*pair).letterCase, false},
	{label{Name: "unicode_norm", Meaning: "The right text in another Unicode form, or with other dashes, quotes or spaces.", Example: "`it’s` for `it's`"}, (*pair).unicodeNorm, false},
	{label{Name: "mojibake", Meaning: "The right bytes, read in a wrong character encoding.", Example: "`cafÃ©` for `café`"}, (*pair).mojibake, false},
	{label{Name: "confusable", Meaning: "Every wrong character looks like the right one, such as 0 for O or 1 for l.", Example: "`K7mOp2Z1` for `K7m0p2Zl`"}, (*pair).confusable, false},
}

// separatorRule finds the right pieces with other separators.
var separatorRule = [...]rule{
	{label{Name: "separators", Meaning: "The right pieces in the right order, with other separators between them.", Example: "`K-7-m-Q-p-2-Z-x`"}, (*pair).separators, false},
}

var refusalRule = [...]rule{
	{label{Name: "refusal", Meaning: "The model declined to answer.", Example: "`I'm sorry, I can't do that.`"}, (*pair).refusal, false},
}

// mistakeRules find single mistakes; the last ones say how much is wrong.
var mistakeRules = [...]rule{
	{label{Name: "not_reversed", Meaning: "The text was given back as it was, not reversed.", Example: "`ABCD` for `DCBA`"}, (*pair).notReversed, false},
	{label{Name: "transposed", Meaning: "Two neighbouring characters changed places.", Example: "`K7mpQ2Zx`"}, (*pair).transposed, false},
	{label{Name: "chunk_reversed", Meaning: "The text was cut into pieces, and only their order or only their contents were reversed.", Example: "`CDAB` for `DCBA`"}, (*pair).chunkReversed, false},
	{label{Name: "dropped_char", Meaning: "One character of the answer is missing.", Example: "`K7mQ2Zx`"}, (*pair).droppedChar, false},
	{label{Name: "cut_short", Meaning: "The answer stops early: its beginning is right.", Example: "`K7mQp2`, `[1, 3]`"}, (*pair).cutShort, false},
	{label{Name: "head_missing", Meaning: "The beginning of the answer is missing: the rest is right.", Example: "`mQp2Zx`"}, (*pair).headMissing, false},
	{label{Name: "dropped_run", Meaning: "Several neighbouring characters are missing; the rest is right.", Example: "`K7mZx`"}, (*pair).droppedRun, false},
	{label{Name: "looped", Meaning: "The end repeats a piece four times over 24 characters, or lines three times, four lines at least.", Example: "`[1, 7, 7, 7, 7, 7, 7, 7, 7]`"}, (*pair).looped, false},
	{label{Name: "inserted_char", Meaning: "One character too many; the rest is right.", Example: "`K7mQ5p2Zx`"}, (*pair).insertedChar, false},
	{label{Name: "duplicated_run", Meaning: "A part of the answer is there twice.", Example: "`K7mQmQp2Zx`"}, (*pair).duplicatedRun, false},
	{label{Name: "inserted_run", Meaning: "Several characters too many at one place; the rest is right.", Example: "`K7mQ__p2Zx`"}, (*pair).insertedRun, false},
	{label{Name: "substituted_char", Meaning: "One character is a wrong one; the rest is right.", Example: "`K7mQp9Zx`"}, (*pair).substitutedChar, false},
	{label{Name: "segment_moved", Meaning: "A part of the answer is in another place.", Example: "`p2ZxK7mQ`"}, (*pair).segmentMoved, false},
	{label{Name: "permuted", Meaning: "The right characters, in another order.", Example: "`xK72mQZp`"}, (*pair).permutation, false},
	{label{Name: "substitutions", Meaning: "A few characters are wrong ones: two, or at most one in ten.", Example: "`K9mQp9Zx`"}, (*pair).substitutions, false},
	{label{Name: "corrupted", Meaning: "At least half of the answer is right by edit distance, but no single slip explains the rest.", Example: "`K7mabc2Zy`"}, (*pair).corrupted, false},
	{label{Name: "unrelated", Meaning: "An answer is given, and less than half of it is right; also a number of the input that is called the sum.", Example: "`hello world`"}, (*pair).unrelated, false},
}

// ruleNames lists the labels of rules.
func ruleNames(rules [][]rule) (names []string) {
	for _, part := range rules {
		for _, r := range part {
			names = append(names, r.Name)
		}
	}
	return names
}

// firstHolding returns the first rule that holds, with its detail. The last rule always holds.
func (p *pair) firstHolding(rules [][]rule) (r *rule, detail string) {
	r, detail, ok := p.firstOf(rules, "")
	if !ok {
		panic("grade: unrelated always holds")
	}
	return r, detail
}

// firstOf returns the first rule that holds of those that split a label, or of all others for "".
func (p *pair) firstOf(rules [][]rule, splits string) (r *rule, detail string, ok bool) {
	for _, part := range rules {
		for i := range part {
			if part[i].Splits != splits {
				continue
			}
			if detail, ok := part[i].holds(p); ok {
				return &part[i], detail, true
			}
		}
	}
	return nil, "", false
}

// split gives a verdict the label that splits its label, if one fits.
func (v *verdict) split(rules [][]rule) {
	if v.pair == nil {
		return
	}
	if r, _, ok := v.pair.firstOf(rules, v.label); ok {
		v.label = r.Name
	}
}
