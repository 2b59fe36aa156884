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
