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

// Verifications is the document of tests of several endpoints against the first: a table with a
// row for each, and the numbers of each test in the other formats.
func Verifications(v *result.Verifications, o layout.Options) *table.Document {
	return &table.Document{
		Title: "verbatim verify", Value: v, Raw: o.Raw,
		Data:  func() *table.Table { return verificationsData(v) },
		Body:  func(int) []table.Block { return verificationsBody(v) },
		Tests: func() []table.Suite { return verificationsTests(v) },
	}
}

func verificationsBody(v *result.Verifications) []table.Block {
	sentence, paint := verificationsSentence(v)
	body := []table.Block{table.Paragraph{Text: sentence, Paint: paint}, table.Blank{}, verificationsMatrix(v), table.Blank{}, verificationsNumbers(v), table.Blank{}}
	names := table.Facts{{Name: "1", Parts: []string{terminal.Visible(v.Tests[0].Sides[0].Model)}}}
	for i, d := range v.Tests {
		parts := []string{terminal.Visible(d.Sides[1].Model)}
		if d.Word == verification.Undecided {
			parts = append(parts, VerificationSentence(d))
		}
		if d.Ended != "" {
			parts = append(parts, "stopped early: "+terminal.Visible(d.Ended))
		}
		names = append(names, table.Fact{Name: strconv.Itoa(i + 2), Parts: parts})
	}
	if v.Tests[0].Strict != nil {
		names = append(names, table.Fact{Name: "strict", Parts: []string{"exact permutation of calls; only for servers with one request at a time"}})
	}
	names = append(names, table.Fact{Name: "rule", Parts: []string{"each endpoint is compared with the first",
		"p-values are adjusted for all probes of all endpoints (Holm)", fmt.Sprintf("any false alarm at most %s %%", number.Percent(&v.Alpha))}})
	body = append(body, names)
	for _, d := range v.Tests {
		for _, note := range d.Notes {
			if note.Kind != "built-in" && note.Kind != "easy" && note.Kind != "repeated" {
				body = append(body, table.List{Kind: table.Warnings, Items: table.Texts(terminal.Visible(note.Text))})
			}
		}
	}
	return body
}

// verificationsSentence says all verdicts in one sentence. It is no good news while a test is
// undecided.
func verificationsSentence(v *result.Verifications) (text string, paint terminal.Paint) {
	first, all := terminal.Visible(v.Tests[0].Sides[0].Model), int64(len(v.Tests))
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

// verificationsMatrix has a row for each endpoint, with the p value of each probe.
func verificationsMatrix(v *result.Verifications) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: "endpoint", Right: true}, {Head: "verdict"}}}
	probes := []struct {
		name verification.ProbeName
		head string
	}{{verification.Logprobs, "p logprobs"}, {verification.Texts, "p texts"}, {verification.Exact, "p exact"}, {verification.Sampling, "p sampled"}}
	for _, p := range probes {
		t.Columns = append(t.Columns, table.Column{Head: p.head, Right: true})
	}
	for i, row := range v.Matrix {
		cells := []string{strconv.Itoa(i + 2), strings.ToUpper(string(row.Word))}
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

// verificationsNumbers has a row for each endpoint, with what was counted.
func verificationsNumbers(v *result.Verifications) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: "endpoint", Right: true}, {Head: "nats apart", Right: true}, {Head: "texts beyond", Right: true},
		{Head: "exact of 1", Right: true}, {Head: "exact", Right: true}, {Head: "calls", Right: true}}}
	for i, d := range v.Tests {
		apart := number.Missing
		if d.Logprobs != nil && d.Logprobs.Apart != nil {
			apart = nats(*d.Logprobs.Apart)
		}
		of := func(n, all int) string {
			if all == 0 {
				return number.Missing
			}
			return fmt.Sprintf("%d of %d", n, all)
		}
		t.Add(strconv.Itoa(i+2), apart, of(d.Beyond, d.Prompts), of(d.Exact[0], d.Usable), of(d.Exact[1], d.Usable), number.Count(int64(d.Calls)))
	}
	return t
}

// verificationsData has the row of each test.
func verificationsData(v *result.Verifications) *table.Table {
	all := verificationData(v.Tests[0])
	for _, d := range v.Tests[1:] {
		all.Rows = append(all.Rows, verificationData(d).Rows...)
	}
	return all
}

// verificationsTests has a test for each endpoint.
func verificationsTests(v *result.Verifications) (suites []table.Suite) {
	for _, d := range v.Tests {
		suites = append(suites, verificationTests(d)...)
	}
	return suites
}
