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

// strictSentence says the verdict of a strict test.
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

// strictDetectable says which share of differing texts would have been seen.
func strictDetectable(v *result.Verification) string {
	share := 1 - math.Pow(.2, 1/float64(v.Strict.Screened))
	return fmt.Sprintf("Seen would have been, with power 0.8, texts that differ at %s %% of prompts or more, if repeats of a side do not. Smaller changes are not excluded.", number.Percent(&share))
}

// strictFacts are the figures of a strict test, by name.
func strictFacts(v *result.Verification) (list table.Facts) {
	s := v.Strict
	if s.Screened > 0 {
		parts := []string{fmt.Sprintf("%d of %d differ", s.Differing, s.Screened)}
		if s.Variation != nil {
			parts = append(parts, fmt.Sprintf("%d fresh calls of each side, total variation %s in sum", s.Fresh, number.Plain(*s.Variation)))
			if s.Confirmations > 1 {
				parts = append(parts, fmt.Sprintf("%d confirmations, each with twice the calls of the one before", s.Confirmations))
			}
		}
		list = append(list, table.Fact{Name: "texts", Parts: parts})
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
