package page

// A termView is a word of the page and what it means.
type termView struct{ Word, Meaning string }

// glossary explains the words of the page to who sees them for the first time.
func glossary() []termView {
	return []termView{
		{"exact", "The share of answers that are right as the task demands: the wanted text and nothing else. Over the answers; outages are neither right nor wrong."},
		{"of planned", "The same over everything that was planned, answered or not."},
		{"extracted", "The share that is right once quotes, code fences or talk around the answer are removed. What lies between exact and extracted is disobedience, what is missing from extracted is inability."},
		{"score", "What a suite gives for an answer: from 0 to 1, 1 for a right one. Where a suite has no score of its own it is 1 for an exact answer and else 0."},
		{"ModelScore", "The mean score in which every length weighs as much as it is long (Herbold 2025)."},
		{"85.0 79.0–90.0", "A share and its 95 % interval (Wilson): other items like these could well have given any share within it."},
		{"pass", "Right, and nothing else."},
		{"wrapped", "Right, but dressed in quotes, a fence or talk."},
		{"wrong", "Not right."},
		{"refused", "The model declined."},
		{"limit", "The token limit stopped the answer: it counts as not exact."},
		{"cut", "An outage: the stream ended without its end mark."},
		{"error", "An outage: no answer after all tries."},
		{"skipped", "Not asked."},
		{"better, worse", "The mean score is likely, by 95 % or more, to differ from the baseline’s by more than makes a difference."},
		{"equivalent", "It is as likely that the difference is too small to matter. Where few items were asked this is rarely said: equal is not the same as not known."},
		{"inconclusive", "These items do not tell. It says how many more would."},
		{"withheld", "So much is missing on a side that numbers would mislead."},
		{"rank 2–4", "On other items like these the run could well be second, third or fourth."},
		{"alone 12 : 3, p 0.021", "Of the items that two runs both answered, 12 are right in this run only and 3 in the baseline only. Were both as good, a split as uneven would have a chance of 0.021 (McNemar’s test, mid-p). Of twenty places one is below 0.05 by chance: look at totals first."},
		{"Holm", "A correction: who looks at many rows finds some by chance. Verdicts in tables of rows allow for it."},
		{"first token, last token", "How long it took until the first piece of an answer came, and until it was complete."},
		{"␊ ␠ ␉ «U+200B» ⟨FF⟩", "Characters that cannot be seen: a line break, a space, a tab, one named by its Unicode number, a byte that is no text."},
	}
}
