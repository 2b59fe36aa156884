package verdicts

import (
	"fmt"
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
	differ := v.Count(verification.Differ)
	first := terminal.Visible(v.Tests[0].Sides[0].Model)
	sentence, paint := fmt.Sprintf("%d of %d endpoints DIFFER from %s. The cause is not known.", differ, len(v.Tests), first), terminal.Bad
	if differ == 0 {
		sentence, paint = fmt.Sprintf("NO DIFFERENCE FOUND  between %s and %d endpoints.", first, v.Count(verification.NoDifference)), terminal.Good
	}
	if n := v.Count(verification.Undecided); n > 0 {
		sentence += fmt.Sprintf(" %d undecided.", n)
	}
	t := &table.Table{Columns: []table.Column{{Head: "endpoint", Min: 20}, {Head: "verdict"}, {Head: "p", Right: true}, {Head: "nats apart", Right: true}, {Head: "texts beyond", Right: true}, {Head: "exact", Right: true, Rank: 2}, {Head: "calls", Right: true, Rank: 3}}}
	for _, d := range v.Tests {
		p := 1.0
		for _, probe := range d.Probes {
			p = min(p, probe.Adjusted)
		}
		apart := number.Missing
		if d.Logprobs != nil {
			apart = nats(d.Logprobs.Apart)
		}
		t.Add(terminal.Visible(d.Sides[1].Model), strings.ToUpper(string(d.Word)), number.Probability(p), apart, fmt.Sprintf("%d of %d", d.Beyond, d.Prompts), fmt.Sprintf("%d, %d", d.Exact[0], d.Exact[1]), number.Count(int64(d.Calls)))
	}
	body := []table.Block{table.Paragraph{Text: sentence, Paint: paint}, table.Blank{}, t, table.Blank{},
		table.Facts{{Name: "rule", Parts: []string{"each endpoint compared with the first", fmt.Sprintf("any false alarm at most %s %%", number.Percent(&v.Alpha)), "exact: right answers of the first and of this endpoint"}}}}
	for _, d := range v.Tests {
		for _, note := range d.Notes {
			if note.Kind != "built-in" && note.Kind != "easy" && note.Kind != "repeated" {
				body = append(body, table.List{Kind: table.Warnings, Items: table.Texts(terminal.Visible(note.Text))})
			}
		}
	}
	return body
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
