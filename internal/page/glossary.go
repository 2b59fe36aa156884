package page

// A termView is a term of the page and its meaning.
type termView struct{ Word, Meaning string }

// glossary explains the terms of the page.
func glossary() []termView {
	return []termView{
		{"exact", "The share of answers that are exact: the whole reply is the expected answer. Outages are not in it."},
		{"exact up to", "The longest length at which the fitted curve expects at least 95 % exact answers, of all tasks together, with the lengths by the ends of its 95 % band. A dash: too few items."},
		{"$/1,000 exact", "What 1,000 exact answers cost, wrong ones included. A dash: the price is unknown."},
		{"of planned", "The same share of all planned requests, answered or not."},
		{"extracted", "The share of answers that are right once quotation marks, code fences and other text are removed. Extracted minus exact: right answers in the wrong format. The rest is inability."},
		{"score", "The suite’s own score of an answer, from 0 to 1; 1 is right. Without a score of its own it is 1 for an exact answer and otherwise 0."},
		{"ModelScore", "The mean score with the length for its weight (Herbold 2025)."},
		{"85.0 79.0–90.0", "A share and its 95 % interval (Wilson): the range of shares that fit these answers."},
		{"pass", "Exact."},
		{"wrapped", "Extracted, but not exact: the label gives the cause, such as quotation marks, a code fence or other text."},
		{"wrong", "Not right."},
		{"refused", "The model declined."},
		{"truncated", "Stopped by the token limit: counted as not exact. Raise --reasoning-tokens or --max-tokens."},
		{"cut", "An outage: the stream ended without its end marker."},
		{"error", "An outage: no answer after all attempts."},
		{"skipped", "Not sent."},
		{"better, worse", "With a probability of 95 % or more, the mean score differs from the baseline’s by more than the equivalence margin (posterior; error rate not guaranteed)."},
		{"equivalent", "With a probability of 95 % or more, the difference is within the equivalence margin. Few items are rarely enough for it."},
		{"inconclusive", "No verdict. The comparison estimates the number of further items that would settle it."},
		{"withheld", "No verdict, because too many answers of a run are missing."},
		{"rank 2–4", "The 95 % simultaneous interval of the rank: second, third or fourth."},
		{"alone 12 : 3, p 0.021", "Of the items that both runs answered, 12 are right in this run only and 3 in the baseline only. If both were equally good, so uneven a split had the probability 0.021 (McNemar’s test, mid-p). Of twenty cells one is below 0.05 by chance: read the totals first."},
		{"Holm", "A correction for several comparisons. Verdicts in rows of tables have it."},
		{"first token, last token", "The time until the first piece of a reply, and until its end."},
		{"server's queue", "The part of these times that a request waited at the server, where the server reports it."},
		{"␊ ␠ ␉ «U+200B» ⟨FF⟩", "Invisible characters: a line break, a space, a tab, a character by its Unicode number, a byte that is not text."},
	}
}
