package report

import (
	"fmt"

	"verbatim/internal/number"

	"verbatim/internal/verdict/smoke"
)

// smokeFormat names the JSON form of a Smoke.
const smokeFormat = "verbatim/smoke/1"

// A Smoke is the result of a test whether an endpoint answers exactly under load. Its JSON form is
// the format "verbatim/smoke/1".
type Smoke struct {
	Format string `json:"format"`
	*smoke.Result
	Probed
	Notes  []Warning `json:"notes,omitempty"`
	Advice []Advice  `json:"advice,omitempty"`
}

// Complete fills in what follows from the rest: the format, notes and advice.
func (s *Smoke) Complete() {
	s.Format = smokeFormat
	note := func(kind, format string, args ...any) {
		s.Notes = append(s.Notes, Warning{Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	if s.Run.Note != "" {
		note("built-in", "%s is %s.", s.Run.Model, s.Run.Note)
	}
	if s.Missing > 0 {
		note("unanswered", "%s no reply.", number.Plural(int64(s.Missing), "call has", "calls have"))
	}
	if alone := s.Phases[0]; alone.Replies == alone.Planned && alone.Right == 0 {
		note("no_copies", "The model copies no line right, even alone. So nothing is said about copies that are wrong under load; the other faults do not need that.")
	}
	switch s.Word {
	case smoke.Undecided:
		s.Advice = append(s.Advice, Advice{"The same command continues the test:", s.Again})
	case smoke.Fault:
		s.Advice = append(s.Advice, Advice{"Every call, as it was sent and answered:", "verbatim show " + s.Run.Ref})
	}
}
