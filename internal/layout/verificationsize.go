package layout

import (
	"fmt"
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/verdict/verification"
)

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
