package verdicts

import (
	"fmt"
	"io"
	"strconv"

	"verbatim/internal/chart"
	"verbatim/internal/figure"
	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report/result"
	"verbatim/internal/table"
	"verbatim/internal/verdict/verification"
)

// sentOf sums up the requests of a test to both endpoints.
func sentOf(v *result.Verification) (sum result.Sent) {
	for _, s := range v.Sent {
		sum.Calls, sum.Prompt, sum.Completion, sum.Unreported = sum.Calls+s.Calls, sum.Prompt+s.Prompt, sum.Completion+s.Completion, sum.Unreported+s.Unreported
	}
	return sum
}

// tokenCount prints a number of tokens, with a plus if some calls did not report theirs.
func tokenCount(s result.Sent, n int64) string {
	switch {
	case s.Unreported == s.Calls:
		return number.Missing
	case s.Unreported > 0:
		return number.Count(n) + "+"
	}
	return number.Count(n)
}

// sentFacts has the requests of a test to each endpoint.
func sentFacts(v *result.Verification) table.Facts {
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

// armFacts describes the arm of a test; nil for the default arm.
func armFacts(v *result.Verification) table.Facts {
	if v.Arm == verification.DefaultArm() || v.Arm == (verification.Arm{}) {
		return nil
	}
	parts := []string{v.Arm.String(), fmt.Sprintf("%d in flight the first time", v.Arm.Concurrency)}
	switch v.Arm.Prefix {
	case verification.Cold:
		parts = append(parts, "cold: a nonce in front of each prompt")
	case verification.Warm:
		parts = append(parts, "warm: each prompt sent once before, and not counted")
	}
	return table.Facts{{Name: "arm", Parts: parts}}
}

// sizeFacts has the sizes of the differences.
func sizeFacts(v *result.Verification) table.Facts {
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

// verificationPicture draws the sizes of the differences of tests, next to the own spread of each
// endpoint.
func verificationPicture(tests []*result.Verification) table.Picture {
	return table.Picture{Draw: func(to io.Writer) error { return verificationFigure(tests).SVG(to) }}
}

// The series of the figure, and its alternative text.
const (
	apartSeries = "A and B apart"
	ownSeries   = "own spread"
	sizeText    = "Sizes of the differences with 95 % intervals, and the own spread of each endpoint. The numbers are in the text."
)

func verificationFigure(tests []*result.Verification) *figure.Figure {
	f := &figure.Figure{Title: "Sizes of the differences", Text: sizeText, Columns: 1, Width: 130, Legend: true, Names: []string{apartSeries, ownSeries}}
	texts := chart.Panel{Title: "Texts of the same prompt that differ", X: chart.Axis{Label: "% of prompts", Max: 100}}
	beyond := chart.Panel{Title: "Beyond the own spread", X: chart.Axis{Label: "% of prompts or words", Max: 100}}
	distance := chart.Panel{Title: "Distance of the log probabilities", X: chart.Axis{Label: "nats"}}
	exact := chart.Panel{Title: "Exactly right, B minus A", X: chart.Axis{Label: "percentage points"}}
	for i, v := range tests {
		add := func(p *chart.Panel, series, label, note string, value, low, high float64) {
			if len(tests) > 1 {
				label = strconv.Itoa(endpointNumber(tests, i)) + " " + v.Arm.String() + ": " + label
			}
			p.Rows = append(p.Rows, chart.Row{Name: series, Label: label, Note: note, Value: value, Low: low, High: high, Run: -1})
		}
		if n := v.Usable; n > 0 && v.Strict == nil {
			for _, c := range []struct {
				series, label string
				n             int
			}{{apartSeries, "A and B", v.Across}, {ownSeries, "A itself", v.Own[0]}, {ownSeries, "B itself", v.Own[1]}} {
				x := 100 * float64(c.n) / float64(n)
				add(&texts, c.series, c.label, percentNote(x), x, x, x)
			}
		}
		for _, s := range v.Sizes {
			switch s.Name {
			case verification.NatsApart:
				own := *v.Logprobs.Own
				add(&distance, apartSeries, "A and B", nats(s.Value), s.Value, s.Low, s.High)
				add(&distance, ownSeries, "itself", nats(own), own, own, own)
			case verification.ExactDifference:
				add(&exact, apartSeries, "answers", strconv.FormatFloat(100*s.Value+0, 'f', 1, 64), 100*s.Value, 100*s.Low, 100*s.High)
			case verification.TextsBeyond:
				add(&beyond, apartSeries, "texts", percentNote(100*s.Value), 100*s.Value, 100*s.Low, 100*s.High)
			case verification.WordsBeyond:
				add(&beyond, apartSeries, "words", percentNote(100*s.Value), 100*s.Value, 100*s.Low, 100*s.High)
			}
		}
	}
	fitAxis(&distance)
	fitAxis(&exact)
	for _, p := range []chart.Panel{texts, beyond, distance, exact} {
		if len(p.Rows) > 0 {
			f.Panels = append(f.Panels, p)
		}
	}
	return f
}

// endpointNumber returns the number that tables give the second endpoint of a test; the first endpoint
// of all tests has 1.
func endpointNumber(tests []*result.Verification, i int) int {
	seen := map[string]bool{}
	for _, v := range tests[:i+1] {
		seen[v.Sides[1].Model] = true
	}
	return len(seen) + 1
}

func percentNote(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) + " %" }

// fitAxis sets the X axis of a panel so that it holds zero and every interval.
func fitAxis(p *chart.Panel) {
	low, high := 0.0, 0.0
	for _, r := range p.Rows {
		low, high = min(low, r.Low), max(high, r.High)
	}
	if low == high {
		high = 0.1
	}
	p.X.Min, p.X.Max = low, high
}

// nats prints a distance of log probabilities, in nats.
func nats(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }

// priceFacts has the requests of a test and their cost.
func priceFacts(v *result.Verification) table.Facts {
	list := sentFacts(v)
	if parts := layout.CostWords(v.Cost); len(parts) > 0 && v.Paid {
		list = append(list, table.Fact{Name: "cost", Parts: parts})
	}
	return list
}
