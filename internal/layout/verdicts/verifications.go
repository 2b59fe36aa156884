package verdicts

import (
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report/result"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/verification"
)

// Verifications returns the document of tests of several endpoints, each compared with the first:
// tables with a row for each test. Formats for programs have the numbers of each test.
func Verifications(v *result.Verifications, o layout.Options) *table.Document {
	return &table.Document{
		Title: "verbatim verify", Value: v, Raw: o.Raw,
		Data:  func() *table.Table { return verificationsData(v) },
		Body:  func(columns int) []table.Block { return verificationsBody(v, columns) },
		Tests: func() []table.Suite { return verificationsTests(v) },
	}
}

func verificationsBody(v *result.Verifications, columns int) []table.Block {
	sentence, paint := verificationsSentence(v)
	body := []table.Block{table.Paragraph{Text: sentence, Paint: paint}, table.Blank{}, verificationsMatrix(v), table.Blank{}, verificationsNumbers(v), table.Blank{}, verificationsPrices(v), table.Blank{}}
	if columns == 0 {
		body = append(body, verificationPicture(v.Tests))
	}
	body = append(body, verificationsFacts(v))
	for _, l := range v.Loads {
		if l.Adjusted <= v.Alpha {
			body = append(body, table.List{Kind: table.Warnings, Items: table.Texts(loadWarning(l))})
		}
	}
	seen := map[string]bool{}
	for _, d := range v.Tests {
		for _, note := range d.Notes {
			if note.Kind == "built-in" || note.Kind == "easy" || note.Kind == "repeated" || seen[note.Text] {
				continue
			}
			seen[note.Text] = true // once for all arms
			body = append(body, table.List{Kind: table.Warnings, Items: table.Texts(terminal.Visible(note.Text))})
		}
	}
	return body
}

// verificationsFacts names the endpoints, and has the undecided tests, the effects of load, the tests
// that were not sent, and the rule.
func verificationsFacts(v *result.Verifications) table.Facts {
	list := table.Facts{{Name: "1", Parts: []string{terminal.Visible(v.Tests[0].Sides[0].Model)}}}
	arms := hasArms(v)
	for i, e := range v.Endpoints {
		parts := []string{terminal.Visible(e.Endpoint)}
		for _, d := range v.Tests {
			if d.Sides[1].Model != e.Endpoint {
				continue
			}
			in := ""
			if arms {
				in = d.Arm.String() + ": "
			}
			if d.Word == verification.Undecided {
				parts = append(parts, in+VerificationSentence(d))
			}
			if d.Ended != "" {
				parts = append(parts, in+"stopped early: "+terminal.Visible(d.Ended))
			}
		}
		list = append(list, table.Fact{Name: strconv.Itoa(i + 2), Parts: parts})
	}
	if v.Tests[0].Strict != nil {
		list = append(list, table.Fact{Name: "strict", Parts: []string{"exact permutation of calls; only for servers with one request at a time"}})
	}
	for _, l := range v.Loads {
		list = append(list, table.Fact{Name: "load", Parts: loadParts(l)})
	}
	if n := len(v.NotSent); n > 0 {
		parts := []string{"not needed, since an arm shows a difference (--all sends them)"}
		for _, s := range v.NotSent {
			text := s.Arm.String()
			if len(v.Endpoints) > 1 {
				text += " to " + terminal.Visible(s.Endpoint)
			}
			parts = append(parts, text)
		}
		list = append(list, table.Fact{Name: "not sent", Parts: parts})
	}
	rule := []string{"each endpoint is compared with the first", "p-values are adjusted for all probes of all endpoints (Holm)"}
	if arms {
		rule = []string{"each endpoint is compared with the first, in one arm at a time", "p-values are adjusted for all probes of all arms of all endpoints (Holm)"}
	}
	return append(list, table.Fact{Name: "rule", Parts: append(rule, fmt.Sprintf("any false alarm at most %s %%", number.Percent(&v.Alpha)))})
}

// loadParts counts the exact answers of an endpoint with few and with many requests in flight.
func loadParts(l *verification.Load) []string {
	of := func(arms []verification.Arm, right int) string {
		names := make([]string, len(arms))
		for i, a := range arms {
			names[i] = a.String()
		}
		return fmt.Sprintf("exactly right in %s: %d of %d", strings.Join(names, " and "), right, l.Prompts*len(arms))
	}
	return []string{terminal.Visible(l.Endpoint), of(l.Few, l.ExactFew), of(l.Many, l.ExactMany),
		fmt.Sprintf("better at %s with few in flight, at %d with many", number.Plural(int64(l.BetterFew), "prompt", "prompts"), l.BetterMany), "p " + number.Probability(l.Adjusted)}
}

// loadWarning says that an endpoint answers differently under load.
func loadWarning(l *verification.Load) string {
	word := "less"
	if l.BetterMany > l.BetterFew {
		word = "more"
	}
	return fmt.Sprintf("%s is exactly right %s often with many requests in flight than with few (p %s). This is no difference between the endpoints.", terminal.Visible(l.Endpoint), word, number.Probability(l.Adjusted))
}

// hasArms reports whether the arms are named: there are several, or one that is not the default.
func hasArms(v *result.Verifications) bool {
	arms := v.Arms()
	return len(v.NotSent) > 0 || len(arms) > 1 || len(arms) == 1 && arms[0] != verification.DefaultArm() && arms[0] != verification.Arm{}
}

// rowHead returns the first columns of the tables, and a function for their cells: the number of the
// endpoint, and the arm if arms are named.
func rowHead(v *result.Verifications) (columns []table.Column, cells func(d *result.Verification) []string) {
	index := map[string]int{}
	for i, e := range v.Endpoints {
		index[e.Endpoint] = i + 2
	}
	columns = []table.Column{{Head: "endpoint", Short: "no.", Right: true}}
	arms := hasArms(v)
	if arms {
		columns = append(columns, table.Column{Head: "arm"})
	}
	return columns, func(d *result.Verification) []string {
		cells := []string{strconv.Itoa(index[d.Sides[1].Model])}
		if arms {
			cells = append(cells, d.Arm.String())
		}
		return cells
	}
}

// verificationsSentence says all verdicts in one sentence, with its colour. It is not green while a
// test is undecided.
func verificationsSentence(v *result.Verifications) (text string, paint terminal.Paint) {
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
func verificationsMatrix(v *result.Verifications) *table.Table {
	columns, head := rowHead(v)
	t := &table.Table{Columns: append(columns, table.Column{Head: "verdict"})}
	probes := []struct {
		name verification.ProbeName
		head string
	}{{verification.Logprobs, "p logprobs"}, {verification.Texts, "p texts"}, {verification.Exact, "p exact"}, {verification.Sampling, "p sampled"}}
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
func verificationsNumbers(v *result.Verifications) *table.Table {
	columns, head := rowHead(v)
	t := &table.Table{Columns: append(columns, table.Column{Head: "nats apart", Right: true}, table.Column{Head: "texts beyond", Right: true}, table.Column{Head: "95 %", Right: true, Rank: 1},
		table.Column{Head: "exact of 1", Right: true}, table.Column{Head: "exact", Right: true})}
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
func verificationsPrices(v *result.Verifications) *table.Table {
	columns, head := rowHead(v)
	t := &table.Table{Columns: append(columns, table.Column{Head: "calls", Right: true}, table.Column{Head: "warm-ups", Right: true, Rank: 1}, table.Column{Head: "tokens in", Right: true}, table.Column{Head: "tokens out", Right: true},
		table.Column{Head: "cost", Right: true})}
	for _, d := range v.Tests {
		sent, warm, cost := sentOf(d), "", number.Missing
		if n := sent.Calls - int64(d.Calls); n > 0 && d.Arm.Prefix == verification.Warm {
			warm = number.Count(n)
		}
		if d.Paid {
			cost = layout.CostText(d.Cost)
		}
		t.Add(append(head(d), number.Count(int64(d.Calls)), warm, tokenCount(sent, sent.Prompt), tokenCount(sent, sent.Completion), cost)...)
	}
	return t
}

// verificationsData has a row for each test.
func verificationsData(v *result.Verifications) *table.Table {
	all := verificationData(v.Tests[0])
	for _, d := range v.Tests[1:] {
		all.Rows = append(all.Rows, verificationData(d).Rows...)
	}
	return all
}

// verificationsTests returns a suite for each test.
func verificationsTests(v *result.Verifications) (suites []table.Suite) {
	for _, d := range v.Tests {
		suites = append(suites, verificationTests(d)...)
	}
	return suites
}
