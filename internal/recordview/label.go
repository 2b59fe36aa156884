package recordview

// Explain says in one sentence what a label of a grade means, for people who see
// it for the first time. It is empty for a label that it does not know, such as
// one of a newer grader in an imported file.
func Explain(label string) string {
	for _, l := range labels() {
		if l.name == label {
			return l.text
		}
	}
	return ""
}

type labelText struct{ name, text string }

// labels lists every label of every grader, in the order in which they are
// tested: texts, then what lists and sums add.
func labels() []labelText {
	return []labelText{
		{"pass", "The answer is exactly the wanted one."},

		{"reasoning_leak", "The reply contains reasoning; what follows the last </think> is graded."},
		{"empty", "The reply holds nothing, or only white space."},
		{"quoted", "The right answer, inside quotation marks that were not asked for."},
		{"fenced", "The right answer, inside a code fence."},
		{"explained", "The right answer, with text before or after it."},
		{"whitespace", "The right characters, but spaces, line breaks or invisible characters differ."},
		{"escaped", "The right answer, written with escapes (HTML entities, backslashes or JSON)."},
		{"case", "The right letters, but some are upper or lower case where they should not be."},
		{"unicode_norm", "The right text in another Unicode form, or with other dashes, quotes or spaces."},
		{"mojibake", "The right bytes, read in a wrong character encoding."},
		{"confusable", "Every wrong character looks like the right one, such as 0 for O or 1 for l."},
		{"refusal", "The model declined to answer."},
		{"not_reversed", "The text was given back as it was, not reversed."},
		{"transposed", "Two neighbouring characters changed places."},
		{"chunk_reversed", "The text was cut into pieces, and only their order or only their contents were reversed."},
		{"dropped_char", "One character of the answer is missing."},
		{"cut_short", "The answer stops early: its beginning is right."},
		{"head_missing", "The beginning of the answer is missing: the rest is right."},
		{"dropped_run", "Several neighbouring characters are missing; the rest is right."},
		{"inserted_char", "One character too many; the rest is right."},
		{"duplicated_run", "A part of the answer stands there twice."},
		{"inserted_run", "Several characters too many at one place; the rest is right."},
		{"looped", "The reply ends in a loop: the same piece again and again."},
		{"substituted_char", "One character is a wrong one; the rest is right."},
		{"segment_moved", "A part of the answer stands in another place."},
		{"permuted", "The right characters, in another order."},
		{"substitutions", "A few characters are wrong ones, at most one in ten."},
		{"corrupted", "At least half of the answer is right, but no single slip explains the rest."},
		{"unrelated", "The reply has little to do with the answer."},

		{"coerced", "The right list, with items of another type, such as '3' for 3."},
		{"reformatted", "The right list in another notation, such as a tuple or without its last bracket."},
		{"unparsed", "No list could be read from the reply."},
		{"unchanged", "The list was given back as it was, not sorted."},
		{"reversed_order", "The right items, sorted from the largest to the smallest."},
		{"other_key", "The right items, sorted by another rule: by value, by length or without regard to case."},
		{"converted", "Number words were turned into numbers."},
		{"sign_lost", "Items lost or gained a minus sign."},
		{"missing", "Items are missing; the others are right and in order."},
		{"added", "There are items that were not in the list; the others are right and in order."},
		{"altered", "Items were replaced by others; those that are left are in order."},
		{"misordered", "The right items, some in a wrong place."},
		{"mixed", "Several things are wrong at once: items are missing or new, and others out of place."},

		{"grouped", "The right number, with separators between its digits."},
		{"decimal", "The right number, with a decimal point and zeros."},
		{"equation", "The right number, at the end of a calculation."},
		{"carry", "Digits are off by one, each where a carry enters: a carry went wrong."},
		{"off_by_digit", "One digit of the number is wrong."},

		{"score_only", "Only a score was published, not the reply, and it is not a full one."},
	}
}
