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

// sentOf sums up the requests of a test to both endpoints.
func sentOf(v *report.Verification) (sum report.Sent) {
	for _, s := range v.Sent {
		sum.Calls, sum.Prompt, sum.Completion, sum.Unreported = sum.Calls+s.Calls, sum.Prompt+s.Prompt, sum.Completion+s.Completion, sum.Unreported+s.Unreported
	}
	return sum
}

// tokenCount prints a number of tokens, with a plus if some calls did not report theirs.
func tokenCount(s report.Sent, n int64) string {
	switch {
	case s.Unreported == s.Calls:
		return number.Missing
	case s.Unreported > 0:
		return number.Count(n) + "+"
	}
	return number.Count(n)
}

// sentFacts has the requests of a test to each endpoint.
func sentFacts(v *report.Verification) table.Facts {
	var parts []string
	for side, s := range v.Sent {
		if s.Calls > 0 {
			parts = append(parts, fmt.Sprintf("%s %s, %s tokens in, %s out", verification.Names()[side], number.Plural(s.Calls, "call", "calls"), tokenCount(s, s.Prompt), tokenCount(s, s.Completion)))
		}
	}
	if parts == nil {
		return nil
	}
	return table.Facts{{Name: "sent", Parts: parts}}
}

// sizeFacts has the sizes of the differences.
func sizeFacts(v *report.Verification) table.Facts {
	var parts []string
	for _, s := range v.Sizes {
		parts = append(parts, sizeWords(s))
	}
	if parts == nil {
		return nil
	}
	return table.Facts{{Name: "sizes", Parts: append(parts, "with 95 % intervals")}}
}

// sizeWords prints a size with its interval.
func sizeWords(s verification.Size) string {
	between := fmt.Sprintf("%s %% (%s)", number.Percent(&s.Value), number.PercentRange(&s.Low, &s.High, 1))
	switch s.Name {
	case verification.TextsBeyond:
		return "texts beyond " + between
	case verification.WordsBeyond:
		return "words beyond " + between
	case verification.NatsApart:
		return fmt.Sprintf("%s nats apart (%s–%s)", nats(s.Value), nats(s.Low), nats(s.High))
	}
	points := func(x float64) string { return strconv.FormatFloat(100*x+0, 'f', 1, 64) } // + 0: no -0.0
	return fmt.Sprintf("exactly right, B minus A: %s points (%s to %s)", points(s.Value), points(s.Low), points(s.High))
}

// nats prints a distance of log probabilities, in nats.
func nats(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }

// priceFacts has the requests of a test and their cost.
func priceFacts(v *report.Verification) table.Facts {
	list := sentFacts(v)
	if parts := costWords(v.Cost); len(parts) > 0 && v.Paid {
		list = append(list, table.Fact{Name: "cost", Parts: parts})
	}
	return list
}

// Verifications returns the document of tests of several endpoints, each compared with the first:
// tables with a row for each test. Formats for programs have the numbers of each test.
func Verifications(v *report.Verifications, o Options) *table.Document {
	return &table.Document{
		Title: "verbatim verify", Value: v, Raw: o.Raw,
		Data:  func() *table.Table { return verificationsData(v) },
		Body:  func(columns int) []table.Block { return verificationsBody(v, columns) },
		Tests: func() []table.Suite { return verificationsTests(v) },
	}
}

func verificationsBody(v *report.Verifications, columns int) []table.Block {
	sentence, paint := verificationsSentence(v)
	body := []table.Block{table.Paragraph{Text: sentence, Paint: paint}, table.Blank{}, verificationsMatrix(v), table.Blank{}, verificationsNumbers(v), table.Blank{}, verificationsPrices(v), table.Blank{}}
	body = append(body, verificationsFacts(v))
	seen := map[string]bool{}
	for _, d := range v.Tests {
		for _, note := range d.Notes {
			if note.Kind == "built-in" || note.Kind == "easy" || note.Kind == "repeated" || seen[note.Text] {
				continue
			}
			seen[note.Text] = true // once for all tests
			body = append(body, table.List{Kind: table.Warnings, Items: table.Texts(terminal.Visible(note.Text))})
		}
	}
	return body
}

// verificationsFacts names the endpoints, and has the undecided tests and the rule.
func verificationsFacts(v *report.Verifications) table.Facts {
	list := table.Facts{{Name: "1", Parts: []string{terminal.Visible(v.Tests[0].Sides[0].Model)}}}
	for i, e := range v.Endpoints {
		parts := []string{terminal.Visible(e.Endpoint)}
		for _, d := range v.Tests {
			if d.Sides[1].Model != e.Endpoint {
				continue
			}
			if d.Word == verification.Undecided {
				parts = append(parts, verificationSentence(d))
			}
			if d.Ended != "" {
				parts = append(parts, "stopped early: "+terminal.Visible(d.Ended))
			}
		}
		list = append(list, table.Fact{Name: strconv.Itoa(i + 2), Parts: parts})
	}
	return append(list, table.Fact{Name: "rule", Parts: []string{"each endpoint is compared with the first", "p-values are adjusted for all probes of all endpoints (Holm)",
		fmt.Sprintf("any false alarm at most %s %%", number.Percent(&v.Alpha))}})
}

// newRows returns a table with a row for each test, and a function that begins the row of a test: with
// the number of its endpoint.
func newRows(v *report.Verifications, columns ...table.Column) (t *table.Table, begin func(d *report.Verification) []string) {
	index := map[string]int{}
	for i, e := range v.Endpoints {
		index[e.Endpoint] = i + 2
	}
	t = &table.Table{Columns: append([]table.Column{{Head: "endpoint", Short: "no.", Right: true}}, columns...)}
	return t, func(d *report.Verification) []string { return []string{strconv.Itoa(index[d.Sides[1].Model])} }
}

// verificationsSentence says all verdicts in one sentence, with its colour. It is not green while a
// test is undecided.
func verificationsSentence(v *report.Verifications) (text string, paint terminal.Paint) {
	first, all := terminal.Visible(v.Tests[0].Sides[0].Model), int64(len(v.Endpoints))
	differ, undecided, same := v.Count(verification.Differ), v.Count(verification.Undecided), v.Count(verification.NoDifference)
	of := func(n int) string { return fmt.Sprintf("%d of %s", n, number.Plural(all, "endpoint", "endpoints")) }
	switch {
	case differ > 0:
		text, paint = fmt.Sprintf("DIFFER  %s from %s. The cause is not known.", of(differ), first), terminal.Bad
	case undecided > 0:
		text, paint = fmt.Sprintf("UNDECIDED  for %s compared with %s.", of(undecided), first), terminal.Alert
	default:
		return fmt.Sprintf("NO DIFFERENCE FOUND  between %s and %s.", first, number.Plural(all, "endpoint", "endpoints")), terminal.Good
	}
	if differ > 0 && undecided > 0 {
		text += fmt.Sprintf(" %d undecided.", undecided)
	}
	if same > 0 {
		text += fmt.Sprintf(" No difference found at %d.", same)
	}
	return text, paint
}

// verificationsMatrix has a row for each test, with the p-value of each probe.
func verificationsMatrix(v *report.Verifications) *table.Table {
	t, head := newRows(v, table.Column{Head: "verdict"})
	probes := []struct {
		name verification.ProbeName
		head string
	}{{verification.Logprobs, "p logprobs"}, {verification.Texts, "p texts"}, {verification.Exact, "p exact"}}
	for _, p := range probes {
		t.Columns = append(t.Columns, table.Column{Head: p.head, Short: strings.TrimPrefix(p.head, "p "), Right: true})
	}
	for i, row := range v.Matrix {
		cells := append(head(v.Tests[i]), strings.ToUpper(string(row.Word)))
		for _, p := range probes {
			cell := number.Missing
			if x, ok := row.P[p.name]; ok && row.Word.Settled() {
				cell = number.Probability(x)
			}
			cells = append(cells, cell)
		}
		t.Add(cells...)
	}
	return t
}

// verificationsNumbers has a row for each test, with its counts and the sizes of the differences.
func verificationsNumbers(v *report.Verifications) *table.Table {
	t, head := newRows(v, table.Column{Head: "nats apart", Right: true}, table.Column{Head: "texts beyond", Right: true}, table.Column{Head: "95 %", Right: true, Rank: 1},
		table.Column{Head: "exact of 1", Right: true}, table.Column{Head: "exact", Right: true})
	for _, d := range v.Tests {
		apart, beyond := number.Missing, number.Missing
		if d.Logprobs != nil && d.Logprobs.Apart != nil {
			apart = nats(*d.Logprobs.Apart)
		}
		for _, s := range d.Sizes {
			if s.Name == verification.TextsBeyond {
				beyond = number.PercentRange(&s.Low, &s.High, 0) + " %"
			}
		}
		of := func(n, all int) string {
			if all == 0 {
				return number.Missing
			}
			return fmt.Sprintf("%d of %d", n, all)
		}
		t.Add(append(head(d), apart, of(d.Beyond, d.Prompts), beyond, of(d.Exact[0], d.Usable), of(d.Exact[1], d.Usable))...)
	}
	return t
}

// verificationsPrices has a row for each test, with the requests, tokens and cost of both endpoints.
func verificationsPrices(v *report.Verifications) *table.Table {
	t, head := newRows(v, table.Column{Head: "calls", Right: true}, table.Column{Head: "tokens in", Right: true}, table.Column{Head: "tokens out", Right: true},
		table.Column{Head: "cost", Right: true})
	for _, d := range v.Tests {
		sent, cost := sentOf(d), number.Missing
		if d.Paid {
			cost = CostText(d.Cost)
		}
		t.Add(append(head(d), number.Count(int64(d.Calls)), tokenCount(sent, sent.Prompt), tokenCount(sent, sent.Completion), cost)...)
	}
	return t
}

// verificationsData has a row for each test.
func verificationsData(v *report.Verifications) *table.Table {
	all := verificationData(v.Tests[0])
	for _, d := range v.Tests[1:] {
		all.Rows = append(all.Rows, verificationData(d).Rows...)
	}
	return all
}

// verificationsTests returns a suite for each test.
func verificationsTests(v *report.Verifications) (suites []table.Suite) {
	for _, d := range v.Tests {
		suites = append(suites, verificationTests(d)...)
	}
	return suites
}

// CallPlans returns the document of what tests would send, with the largest possible cost.
func CallPlans(plans ...*report.CallPlan) *table.Document {
	var value any = plans
	if len(plans) == 1 {
		value = plans[0]
	}
	return &table.Document{
		Title: "verbatim: what a test would send", Value: value,
		Data: func() *table.Table { return callPlanData(plans) },
		Body: func(int) (body []table.Block) {
			for _, p := range plans {
				body = append(body, table.Paragraph{Text: callPlanSentence(p), Line: true})
			}
			return append(body, table.Paragraph{Text: "Nothing was sent."})
		},
		Tests: func() []table.Suite { return nil },
	}
}

// callPlanSentence says what a test would send.
func callPlanSentence(p *report.CallPlan) string {
	cost := "its price is not known"
	if p.Cost != nil {
		cost = p.Cost.String() + " at most"
	}
	return fmt.Sprintf("%s: at most %s to %s, about %s tokens in, at most %s out, %s.", p.Kind, number.Plural(int64(p.Calls), "call", "calls"),
		terminal.Visible(p.Model), number.Count(p.Prompt), number.Count(p.Completion), cost)
}

// callPlanData has a row for each test.
func callPlanData(plans []*report.CallPlan) *table.Table {
	t := dataTable("command", "model", "calls_at_most", "prompt_tokens", "completion_tokens_at_most", "cost_usd_at_most")
	for _, p := range plans {
		cost := ""
		if p.Cost != nil {
			cost = p.Cost.Decimal()
		}
		t.Add(p.Kind, terminal.Visible(p.Model), fmt.Sprint(p.Calls), fmt.Sprint(p.Prompt), fmt.Sprint(p.Completion), cost)
	}
	return t
}
