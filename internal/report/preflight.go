package report

import (
	"fmt"

	"verbatim/internal/number"

	"verbatim/internal/verdict/preflight"
)

// preflightFormat names the JSON form of a Preflight.
const preflightFormat = "verbatim/preflight/1"

// A Preflight is the result of a test of the contracts of an endpoint. Its JSON form is the format
// "verbatim/preflight/1".
type Preflight struct {
	Format string `json:"format"`
	*preflight.Result
	Probed
	Notes  []Warning `json:"notes,omitempty"`
	Advice []Advice  `json:"advice,omitempty"`
}

// Complete fills in what follows from the rest: the format, notes and advice.
func (p *Preflight) Complete() {
	p.Format = preflightFormat
	if p.Run.Note != "" {
		p.Notes = append(p.Notes, Warning{Kind: "built-in", Text: fmt.Sprintf("%s is %s.", p.Run.Model, p.Run.Note)})
	}
	if p.Missing > 0 {
		p.Notes = append(p.Notes, Warning{Kind: "unanswered", Text: number.Plural(int64(p.Missing), "call has", "calls have") + " no reply: the contracts of these calls are open."})
	}
	if p.Word == preflight.Undecided {
		p.Advice = append(p.Advice, Advice{"The same command continues the test:", p.Again})
	}
	if p.Word == preflight.SomeBroke {
		p.Advice = append(p.Advice, Advice{"Every call, as it was sent and answered:", "verbatim show " + p.Run.Ref})
	}
}
