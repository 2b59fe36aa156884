package layout

import (
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/verification"
)

// Verification is the document of a test of two endpoints: the verdict, what would have
// been seen, then the numbers.
func Verification(v *report.Verification, o Options) *table.Document {
	return &table.Document{
		Title: "verbatim verify", Value: v, Raw: o.Raw,
		Data:  func() *table.Table { return verificationData(v) },
		Body:  func(columns int) []table.Block { return verificationBody(v, columns) },
		Tests: func() []table.Suite { return verificationTests(v) },
	}
}

func verificationBody(v *report.Verification, columns int) []table.Block {
	var body []table.Block
	paint, sentence := terminal.Alert, strings.ToUpper(string(v.Word))+"  "+VerificationSentence(v)
	switch {
	case columns == 0:
		body = append(body, table.Heading{Text: "verbatim verify: " + strings.ToUpper(string(v.Word))})
		paint, sentence = terminal.Bold, VerificationSentence(v)
	case v.Word == verification.Differ:
		paint = terminal.Bad
	case v.Word == verification.NoDifference:
		paint = terminal.Good
	}
	body = append(body, table.Paragraph{Text: sentence, Paint: paint})
	if seen := detectableSentence(v); seen != "" {
		body = append(body, table.Paragraph{Text: seen})
	}
	if v.Ended != "" {
		body = append(body, table.Paragraph{Text: "Stopped early: " + terminal.Visible(v.Ended)})
	}
	body = append(body, table.Blank{}, verificationFacts(v))
	if len(v.Notes)+len(v.Advice) > 0 {
		body = append(body, table.Blank{}, warningList(v.Notes))
	}
	for _, a := range v.Advice {
		body = append(body, table.Paragraph{Text: terminal.Visible(a.Text)})
		if a.Command != "" {
			body = append(body, table.Command(terminal.Visible(a.Command)))
		}
	}
	return body
}

// VerificationSentence says the verdict in words.
func VerificationSentence(v *report.Verification) string {
	calls := number.Plural(int64(v.Calls), "call", "calls")
	texts := fmt.Sprintf("the texts differ, beyond either endpoint's own spread, at %d of %d prompts", v.Beyond, v.Prompts)
	switch v.Word {
	case verification.Differ:
		var why []string
		for _, p := range v.Probes {
			switch {
			case p.Adjusted > v.Alpha:
			case p.Name == verification.Texts:
				why = append(why, fmt.Sprintf("%s (p %s)", texts, number.Probability(p.Adjusted)))
			default:
				why = append(why, fmt.Sprintf("A alone is exactly right at %d prompts, B alone at %d (p %s)", v.ExactAlone[0], v.ExactAlone[1], number.Probability(p.Adjusted)))
			}
		}
		return "in " + calls + ": " + strings.Join(why, "; ") + ". The cause is not known."
	case verification.NoDifference:
		return "in " + calls + ": " + texts + "."
	}
	if v.Unanswered != [2]int{} {
		return fmt.Sprintf("%d of %d requests have no answer, which is too many.", v.Unanswered[0]+v.Unanswered[1], v.Calls+v.Unanswered[0]+v.Unanswered[1])
	}
	return fmt.Sprintf("%d of %d prompts are compared.", v.Prompts, v.Planned)
}

// detectableSentence says what the test would have seen; "" for other verdicts.
func detectableSentence(v *report.Verification) string {
	if v.Word != verification.NoDifference {
		return ""
	}
	var seen []string
	if v.Detectable != nil {
		seen = append(seen, fmt.Sprintf("with power 0.8, texts that differ beyond either endpoint's own spread at %s %% of prompts or more", number.Percent(v.Detectable)))
	}
	if v.DetectableAlone != nil {
		seen = append(seen, fmt.Sprintf("%d prompts that one endpoint alone answers exactly right", *v.DetectableAlone))
	}
	if seen == nil {
		return fmt.Sprintf("So few prompts find no difference, however large: α %s needs more.", number.Plain(v.Alpha))
	}
	return "Seen would have been: " + strings.Join(seen, "; ") + ". Smaller changes are not excluded."
}

// verificationFacts are the figures of a test, by name.
func verificationFacts(v *report.Verification) table.Facts {
	of := func(n int) string { return fmt.Sprintf("%d of %d", n, v.Prompts) }
	var list table.Facts
	for i := range v.Sides {
		s := &v.Sides[i]
		parts := checkedRunParts(s.CheckedRun)
		parts = append(parts, of(v.Exact[i])+" exactly right", of(v.Own[i])+" vary by themselves")
		if len(s.Served) == 1 {
			parts = append(parts, "served by "+terminal.Visible(s.Served[0]))
		}
		list = append(list, table.Fact{Name: string("AB"[i]), Parts: parts})
	}
	texts := []string{of(v.Across) + " differ between A and B in the first reply"}
	if v.FirstByte != nil {
		texts = append(texts, "first difference at byte "+number.Plain(*v.FirstByte)+" (median)")
	}
	list = append(list, table.Fact{Name: "texts", Parts: texts})
	if v.Tokens.Compared > 0 {
		list = append(list, table.Fact{Name: "tokens", Parts: []string{fmt.Sprintf("prompt tokens differ at %d of %d prompts", v.Tokens.Differ, v.Tokens.Compared)}})
	}
	list = append(list, table.Fact{Name: "rule", Parts: []string{
		"texts: beyond their own spread at more than " + number.Percent(&v.Share) + " % of prompts, at any time", "exact answers: McNemar's test at the end",
		"false alarms of both together at most " + number.Percent(&v.Alpha) + " %"}})
	if parts := CostWords(v.Cost); len(parts) > 0 && v.Paid {
		list = append(list, table.Fact{Name: "cost", Parts: parts})
	}
	return list
}

// verificationData is one row with the numbers of a test.
func verificationData(v *report.Verification) *table.Table {
	t := dataTable("verdict", "p_texts", "p_exact", "alpha", "share", "planned", "prompts", "calls", "beyond_own_spread", "texts_differ", "own_texts_differ_a", "own_texts_differ_b",
		"exact_a", "exact_b", "exact_alone_a", "exact_alone_b", "unanswered_a", "unanswered_b", "median_first_byte", "detectable_share", "prompt_tokens_differ", "model_a", "model_b")
	n := func(x int) string { return strconv.Itoa(x) }
	t.Add(string(v.Word), float(&v.Probes[0].Adjusted), float(&v.Probes[1].Adjusted), float(&v.Alpha), float(&v.Share), n(v.Planned), n(v.Prompts), n(v.Calls), n(v.Beyond), n(v.Across), n(v.Own[0]), n(v.Own[1]),
		n(v.Exact[0]), n(v.Exact[1]), n(v.ExactAlone[0]), n(v.ExactAlone[1]), n(v.Unanswered[0]), n(v.Unanswered[1]), float(v.FirstByte), float(v.Detectable), n(v.Tokens.Differ),
		terminal.Visible(v.Sides[0].Model), terminal.Visible(v.Sides[1].Model))
	return t
}

// verificationTests is a test suite with one test: a failure where the endpoints differ,
// an error where the test is undecided.
func verificationTests(v *report.Verification) []table.Suite {
	took := strconv.FormatFloat(v.Seconds, 'f', 3, 64)
	test := table.Case{Class: "verbatim.verify", Name: terminal.Visible(v.Sides[1].Model) + " against " + terminal.Visible(v.Sides[0].Model), Time: took}
	var b strings.Builder
	b.WriteString("\n")
	table.WriteText(&b, verificationBody(v, terminal.Style{}.Columns()), terminal.Style{})
	outcome := &table.Outcome{Message: VerificationSentence(v), Type: string(v.Word), Text: b.String()}
	switch v.Word {
	case verification.NoDifference:
		test.Out = outcome.Text
	case verification.Differ:
		test.Failure = outcome
	default:
		test.Error = outcome
	}
	return []table.Suite{{Name: "verbatim verify", Time: took, Timestamp: v.Started.UTC().Format("2006-01-02T15:04:05"), Cases: []table.Case{test}}}
}
