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

// Verification returns the document of a test of two endpoints: the verdict, the smallest difference
// that the test would have found, then the numbers.
func Verification(v *report.Verification, o Options) *table.Document {
	return &table.Document{
		Title: "verbatim verify", Value: v, Raw: o.Raw,
		Data:  func() *table.Table { return verificationData(v) },
		Body:  func(columns int) []table.Block { return verificationBody(v, columns) },
		Tests: func() []table.Suite { return verificationTests(v) },
	}
}

func verificationBody(v *report.Verification, columns int) []table.Block {
	paint := terminal.Alert
	switch v.Word {
	case verification.Differ:
		paint = terminal.Bad
	case verification.NoDifference:
		paint = terminal.Good
	}
	body := conclusion{"verify", strings.ToUpper(string(v.Word)), verificationSentence(v), paint}.blocks(columns)
	if seen := detectableSentence(v); seen != "" {
		body = append(body, table.Paragraph{Text: seen})
	}
	body = append(body, endedBlocks(v.Ended)...)
	body = append(body, table.Blank{}, verificationFacts(v))
	return append(body, adviceBlocks(v.Notes, v.Advice)...)
}

// verificationSentence says the verdict of a test in words.
func verificationSentence(v *report.Verification) string {
	calls := number.Plural(int64(v.Calls), "call", "calls")
	switch v.Word {
	case verification.Differ:
		var why []string
		for _, p := range v.Probes {
			if p.Adjusted <= v.Alpha {
				why = append(why, probeWords(v, &p)+" (p "+number.Probability(p.Adjusted)+")")
			}
		}
		return "in " + calls + ": " + strings.Join(why, "; ") + ". The cause is not known."
	case verification.NoDifference:
		return fmt.Sprintf("in %s: the texts differ, beyond either endpoint's own spread, at %d of %d prompts.%s", calls, v.Beyond, v.Prompts, logprobSentence(v))
	}
	n := v.Unanswered[0] + v.Unanswered[1]
	switch {
	case v.TooMany:
		return fmt.Sprintf("%d of %d requests have no answer, which is too many.", n, v.Calls+n)
	case v.Logprobs != nil && !v.Logprobs.Finished:
		return "The log probabilities are not compared yet."
	case v.TooFew:
		return "The replies come from several upstreams, with too few prompts of each to find a difference."
	case v.Tools != nil && !v.Tools.Finished:
		return "The calls of a tool are not compared yet."
	}
	return fmt.Sprintf("%d of %d prompts are compared.", v.Prompts, v.Planned)
}

// probeWords says the difference that a probe has found.
func probeWords(v *report.Verification, p *verification.Probe) string {
	u := ofUpstreams(v, p.Upstreams)
	switch p.Name {
	case verification.Texts:
		return fmt.Sprintf("the texts differ%s, beyond either endpoint's own spread, at %d of %d prompts", servedBy(p.Upstreams), u.Beyond, u.Prompts)
	case verification.Logprobs:
		return fmt.Sprintf("the log probabilities are %s nats apart, beyond either endpoint's own spread at %d of %d words", nats(*v.Logprobs.Apart), v.Logprobs.Beyond, v.Logprobs.Prompts)
	}
	return fmt.Sprintf("A alone is exactly right at %d prompts, B alone at %d%s%s", u.ExactAlone[0], u.ExactAlone[1], toolWords(v), servedBy(p.Upstreams))
}

// toolWords says how many of the prompts that only one side has right ask for the call of a tool.
func toolWords(v *report.Verification) string {
	if v.Tools == nil || v.Tools.ExactAlone == [2]int{} {
		return ""
	}
	return fmt.Sprintf(", with a tool %d and %d", v.Tools.ExactAlone[0], v.Tools.ExactAlone[1])
}

// toolFacts counts the calls of a tool, or says why they are not compared. It is nil without them.
func toolFacts(v *report.Verification) table.Facts {
	t := v.Tools
	switch {
	case t == nil && v.NoTools == "", t != nil && t.Items == 0:
		return nil
	case t == nil:
		return table.Facts{{Name: "tools", Parts: []string{"not compared: " + terminal.Visible(v.NoTools)}}}
	}
	of := func(what string, n [2]int) string {
		return fmt.Sprintf("%s A %d, B %d of %d", what, n[0], n[1], t.Items)
	}
	return table.Facts{{Name: "tools", Parts: []string{of("called by", t.Called), of("exact arguments", t.Exact)}}}
}

// ofUpstreams returns the result of the prompts of two upstreams; of all prompts if who is nil.
func ofUpstreams(v *report.Verification, who *[2]string) verification.UpstreamResult {
	for _, u := range v.Upstreams {
		if who != nil && u.Upstreams == *who {
			return u
		}
	}
	return verification.UpstreamResult{Prompts: v.Prompts, Beyond: v.Beyond, ExactAlone: v.ExactAlone}
}

// servedBy names two upstreams: " (A served by x, B by y)". It is empty if who is nil.
func servedBy(who *[2]string) string {
	if who == nil {
		return ""
	}
	name := func(s string) string {
		if s == "" {
			return "an unknown upstream"
		}
		return terminal.Visible(s)
	}
	return fmt.Sprintf(" (A served by %s, B by %s)", name(who[0]), name(who[1]))
}

// upstreamFacts has the numbers of each pair of upstreams, if there are several.
func upstreamFacts(v *report.Verification) (list table.Facts) {
	for _, u := range v.Upstreams {
		list = append(list, table.Fact{Name: "upstream", Parts: []string{strings.TrimSuffix(strings.TrimPrefix(servedBy(&u.Upstreams), " ("), ")"),
			fmt.Sprintf("texts beyond at %d of %d prompts", u.Beyond, u.Prompts), fmt.Sprintf("A alone right at %d of %d, B alone at %d", u.ExactAlone[0], u.Firsts, u.ExactAlone[1])}})
	}
	if v.Late > 0 {
		list = append(list, table.Fact{Name: "upstream", Parts: []string{"left out, since served by an upstream that did not answer the first prompts: " + number.Plural(int64(v.Late), "prompt", "prompts")}})
	}
	return list
}

// logprobSentence says how far the log probabilities are apart in a test that found no difference. It
// is empty if the test does not compare them.
func logprobSentence(v *report.Verification) string {
	l := v.Logprobs
	if l == nil {
		return ""
	}
	if l.Prompts == 0 {
		return " No word has log probabilities in every call, so that they could not decide."
	}
	apart := nats(*l.Apart) + " nats apart"
	switch {
	case l.Shared == l.Prompts:
		return fmt.Sprintf(" The log probabilities coincide to 5 digits at all %d words.", l.Prompts)
	case l.Least == nil:
		return fmt.Sprintf(" The log probabilities are %s, beyond either endpoint's own spread at %d of %d words: so few words cannot decide.", apart, l.Beyond, l.Prompts)
	case l.Beyond >= *l.Least && *l.Apart <= verification.Numerics:
		return fmt.Sprintf(" The log probabilities are %s at %d of %d words, and repeats of either endpoint rarely differ: other arithmetic with the same weights does that, and a mild change of weights too.", apart, l.Beyond, l.Prompts)
	case l.Beyond >= *l.Least:
		return fmt.Sprintf(" The log probabilities are %s at %d of %d words, and repeats of either endpoint rarely differ. Then only a mean distance above 0.2 nats is a difference; other arithmetic with the same weights moved a model by up to %s.", apart, l.Beyond, l.Prompts, number.Plain(verification.Numerics))
	case l.Beyond > l.Prompts/2:
		return fmt.Sprintf(" The log probabilities are %s, beyond either endpoint's own spread at %d of %d words; %d would be a difference.", apart, l.Beyond, l.Prompts, *l.Least)
	}
	return fmt.Sprintf(" The log probabilities are %s (an endpoint's own: %s), and coincide to 5 digits at %d of %d words.", apart, nats(*l.Own), l.Shared, l.Prompts)
}

// detectableSentence says which differences a test without a difference would have found. It is empty
// for other verdicts.
func detectableSentence(v *report.Verification) string {
	if v.Word != verification.NoDifference {
		return ""
	}
	var seen []string
	if v.Detectable != nil {
		seen = append(seen, fmt.Sprintf("with power 0.8, texts that differ beyond either endpoint's own spread at %s %% of prompts or more", number.Percent(v.Detectable)))
	}
	if l := v.Logprobs; l != nil && l.Detectable != nil {
		far := fmt.Sprintf("log probabilities further apart than an endpoint's own spread (%s nats)", nats(*l.Own))
		if !l.SpreadSeen {
			far = "log probabilities more than 0.2 nats apart on average, and other ones"
		}
		seen = append(seen, fmt.Sprintf("with power 0.8, %s at %s %% of words or more", far, number.Percent(l.Detectable)))
	}
	if v.DetectableAlone != nil {
		seen = append(seen, number.Plural(int64(*v.DetectableAlone), "prompt", "prompts")+" that one endpoint alone answers exactly right")
	}
	if seen == nil {
		return fmt.Sprintf("So few prompts find no difference, however large: α %s needs more.", number.Plain(v.Alpha))
	}
	text := "This test would have found: " + strings.Join(seen, "; ") + ". Smaller changes are not excluded."
	if l := v.Logprobs; l != nil && l.Detectable == nil {
		text += fmt.Sprintf(" The log probabilities could not decide: %s have them in every call, too few for a p-value of %s.", number.Plural(int64(l.Prompts), "word", "words"), number.Plain(v.Level))
	}
	return text
}

// verificationFacts returns the figures of a test.
func verificationFacts(v *report.Verification) table.Facts {
	of := func(n int) string { return fmt.Sprintf("%d of %d", n, v.Usable) }
	var list table.Facts
	for i := range v.Sides {
		s := &v.Sides[i]
		parts := checkedRunParts(s.CheckedRun)
		if v.Usable > 0 {
			parts = append(parts, of(v.Exact[i])+" exactly right", of(v.Own[i])+" vary by themselves")
		}
		if len(s.Served) == 1 {
			parts = append(parts, "served by "+terminal.Visible(s.Served[0]))
		}
		list = append(list, table.Fact{Name: string("AB"[i]), Parts: parts})
	}
	texts := []string{of(v.Across) + " differ between A and B in the first reply"}
	if v.FirstByte != nil {
		texts = append(texts, "first difference at byte "+number.Plain(*v.FirstByte)+" (median)")
	}
	if v.Usable > 0 {
		list = append(list, table.Fact{Name: "texts", Parts: texts})
	}
	list = append(append(append(list, upstreamFacts(v)...), toolFacts(v)...), logprobFacts(v)...)
	if v.Tokens.Compared > 0 {
		list = append(list, table.Fact{Name: "tokens", Parts: []string{fmt.Sprintf("prompt tokens differ at %d of %d prompts", v.Tokens.Differ, v.Tokens.Compared)}})
	}
	list = append(list, sizeFacts(v)...)
	list = append(list, table.Fact{Name: "rule", Parts: []string{
		"texts: beyond their own spread at more than " + number.Percent(&v.Share) + " % of prompts, at any time", "exact answers: McNemar's test at the end",
		"false alarms of all together at most " + number.Percent(&v.Alpha) + " %"}})
	return append(list, priceFacts(v)...)
}

// logprobFacts has the distance of the log probabilities, or says why they are not compared.
func logprobFacts(v *report.Verification) table.Facts {
	l := v.Logprobs
	var parts []string
	switch {
	case l == nil && v.NoLogprobs == "":
		return nil
	case l == nil:
		parts = []string{"not compared: " + terminal.Visible(v.NoLogprobs)}
	case l.Apart == nil:
		parts = []string{"no word has them in every call"}
	default:
		parts = []string{fmt.Sprintf("%s nats apart (mean), own %s", nats(*l.Apart), nats(*l.Own)), fmt.Sprintf("beyond at %d of %d words", l.Beyond, l.Prompts), fmt.Sprintf("%d coincide", l.Shared)}
	}
	if l != nil && l.Upstreams != nil {
		parts = append(parts, number.Plural(int64(l.Mixed), "word", "words")+" of other upstreams left out"+servedBy(l.Upstreams))
	}
	return table.Facts{{Name: "logprobs", Parts: parts}}
}

// verificationData has one row with the numbers of a test.
func verificationData(v *report.Verification) *table.Table {
	t := dataTable("verdict", "p_texts", "p_exact", "alpha", "share", "planned", "prompts", "calls", "beyond_own_spread", "texts_differ", "own_texts_differ_a", "own_texts_differ_b",
		"exact_a", "exact_b", "exact_alone_a", "exact_alone_b", "unanswered_a", "unanswered_b", "median_first_byte", "detectable_share", "prompt_tokens_differ", "model_a", "model_b", "p_logprobs", "apart_nats", "own_nats",
		"tool_items", "tools_exact_a", "tools_exact_b", "tools_exact_alone_a", "tools_exact_alone_b",
		"sent_a", "sent_b", "prompt_tokens_a", "prompt_tokens_b", "completion_tokens_a", "completion_tokens_b", "cost_usd",
		"texts_beyond_low", "texts_beyond_high", "words_beyond_low", "words_beyond_high", "apart_nats_low", "apart_nats_high", "exact_difference_low", "exact_difference_high")
	n := strconv.Itoa
	p := map[verification.ProbeName]string{}
	least := map[verification.ProbeName]float64{}
	for _, one := range v.Probes { // of several upstreams, the smallest p-value
		if x, ok := least[one.Name]; !ok || one.Adjusted < x {
			least[one.Name] = one.Adjusted
			p[one.Name] = Float(&one.Adjusted)
		}
	}
	apart, own := "", ""
	if l := v.Logprobs; l != nil {
		apart, own = Float(l.Apart), Float(l.Own)
	}
	tools := make([]string, 5)
	if x := v.Tools; x != nil {
		tools = []string{n(x.Items), n(x.Exact[0]), n(x.Exact[1]), n(x.ExactAlone[0]), n(x.ExactAlone[1])}
	}
	row := []string{string(v.Word), p[verification.Texts], p[verification.Exact], Float(&v.Alpha), Float(&v.Share), n(v.Planned), n(v.Prompts), n(v.Calls), n(v.Beyond), n(v.Across), n(v.Own[0]), n(v.Own[1]),
		n(v.Exact[0]), n(v.Exact[1]), n(v.ExactAlone[0]), n(v.ExactAlone[1]), n(v.Unanswered[0]), n(v.Unanswered[1]), Float(v.FirstByte), Float(v.Detectable), n(v.Tokens.Differ),
		terminal.Visible(v.Sides[0].Model), terminal.Visible(v.Sides[1].Model), p[verification.Logprobs], apart, own}
	t.Add(append(append(row, tools...), sizeData(v)...)...)
	return t
}

// sizeData returns the cells with the requests, the cost and the intervals of a test.
func sizeData(v *report.Verification) []string {
	n := func(x int64) string { return strconv.FormatInt(x, 10) }
	a, b, cost := v.Sent[0], v.Sent[1], ""
	if v.Cost != nil && v.Cost.Dollars != nil {
		cost = v.Cost.Dollars.Decimal()
	}
	row := []string{n(a.Calls), n(b.Calls), n(a.Prompt), n(b.Prompt), n(a.Completion), n(b.Completion), cost}
	for _, name := range []verification.SizeName{verification.TextsBeyond, verification.WordsBeyond, verification.NatsApart, verification.ExactDifference} {
		low, high := "", ""
		for _, s := range v.Sizes {
			if s.Name == name {
				low, high = Float(&s.Low), Float(&s.High)
			}
		}
		row = append(row, low, high)
	}
	return row
}

// verificationTests returns a suite with one test. It is a failure if the endpoints differ, and an
// error if the test is undecided.
func verificationTests(v *report.Verification) []table.Suite {
	suite := newSuite("verify", v.Seconds, v.Started)
	test := table.Case{Class: "verbatim.verify", Name: terminal.Visible(v.Sides[1].Model) + " against " + terminal.Visible(v.Sides[0].Model), Time: suite.Time}
	outcome := &table.Outcome{Message: verificationSentence(v), Type: string(v.Word), Text: testText(verificationBody(v, terminal.Style{}.Columns()))}
	setOutcome(&test, outcome, v.Word == verification.NoDifference, v.Word == verification.Differ)
	suite.Cases = []table.Case{test}
	return []table.Suite{suite}
}
