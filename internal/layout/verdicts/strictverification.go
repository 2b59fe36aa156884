package verdicts

import (
	"fmt"
	"math"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report/result"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/verification"
)

// strictSentence says the verdict of a strict test in words.
func strictSentence(v *result.Verification) string {
	s := v.Strict
	start := "(strict) in " + number.Plural(int64(v.Calls), "call", "calls") + ": "
	texts := fmt.Sprintf("%d of %d texts differ", s.Differing, s.Screened)
	switch v.Word {
	case verification.Differ:
		var why []string
		for _, p := range v.Probes {
			switch {
			case p.Adjusted > v.Alpha:
			case p.Name == verification.Logprobs:
				why = append(why, fmt.Sprintf("the log probabilities of two words are %s nats apart in sum (p %s)", nats(*s.Apart), number.Probability(p.Adjusted)))
			case p.Name == verification.Exact:
				why = append(why, fmt.Sprintf("one side alone is exactly right at %d of %d prompts, and %d fresh calls of each side confirm it (p %s)", s.Answers.Differing, s.Answers.Compared, s.Answers.Fresh, number.Probability(p.Adjusted)))
			default:
				why = append(why, fmt.Sprintf("%s, and %d fresh calls of each side confirm it (p %s)", texts, s.Fresh, number.Probability(p.Adjusted)))
			}
		}
		return start + strings.Join(why, "; ") + ". The cause is not known."
	case verification.NoDifference:
		if s.Apart != nil {
			texts += fmt.Sprintf(", and the log probabilities of two words are %s nats apart in sum", nats(*s.Apart))
		}
		return start + texts + "."
	}
	if n := v.Unanswered[0] + v.Unanswered[1]; v.TooMany {
		return fmt.Sprintf("(strict) %d of %d requests have no answer, which is too many.", n, v.Calls+n)
	}
	return "(strict) Not all calls have ended."
}

// strictDetectable says which share of differing texts the test would have found.
func strictDetectable(v *result.Verification) string {
	share := 1 - math.Pow(.2, 1/float64(v.Strict.Screened))
	return fmt.Sprintf("This test would have found, with power 0.8, texts that differ at %s %% of prompts or more, if repeats of a side do not. Smaller changes are not excluded.", number.Percent(&share))
}

// strictFacts returns the figures of a strict test.
func strictFacts(v *result.Verification) (list table.Facts) {
	s := v.Strict
	if v.Prompts > 0 {
		list = append(list, table.Fact{Name: "texts", Parts: append([]string{fmt.Sprintf("%d of %d differ", s.Differing, s.Screened)}, confirmationParts(s.Confirmations, s.Fresh, s.Variation)...)})
		a := s.Answers
		parts := []string{fmt.Sprintf("exactly right: A %d and B %d of %d", v.Exact[0], v.Exact[1], v.Prompts), fmt.Sprintf("one side alone at %d of %d", a.Differing, a.Compared)}
		list = append(list, table.Fact{Name: "exact", Parts: append(parts, confirmationParts(a.Confirmations, a.Fresh, a.Variation)...)})
	}
	switch {
	case s.Apart != nil:
		list = append(list, table.Fact{Name: "logprobs", Parts: []string{nats(*s.Apart) + " nats apart, the sum of two words"}})
	case v.NoLogprobs != "":
		list = append(list, table.Fact{Name: "logprobs", Parts: []string{"not compared: " + terminal.Visible(v.NoLogprobs)}})
	}
	list = append(list, table.Fact{Name: "rule", Parts: []string{"strict: exact permutation of calls between the sides, within each prompt",
		"only for servers with one request at a time", "false alarms of all together at most " + number.Percent(&v.Alpha) + " % there"}})
	return append(list, priceFacts(v)...)
}

// confirmationParts has the figures of the confirmations of a probe; nil without a confirmation.
func confirmationParts(confirmations, fresh int, variation *float64) (parts []string) {
	if variation == nil {
		return nil
	}
	parts = append(parts, fmt.Sprintf("%d fresh calls of each side, total variation %s in sum", fresh, number.Plain(*variation)))
	if confirmations > 1 {
		parts = append(parts, fmt.Sprintf("%d confirmations", confirmations))
	}
	return parts
}
