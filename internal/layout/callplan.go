package layout

import (
	"fmt"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

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
