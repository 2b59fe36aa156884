package verbatim

// An Outcome is what became of one request. The set is closed.
type Outcome string

// The outcomes: five of answered requests, and three of requests without an answer.
const (
	Pass      Outcome = "pass"
	Wrapped   Outcome = "wrapped" // extracted but not exact; the label says why
	Wrong     Outcome = "wrong"
	Refused   Outcome = "refused"
	Truncated Outcome = "truncated" // stopped by the token limit

	CutOff  Outcome = "cut"   // the answer ended without its end marker
	Errored Outcome = "error" // no answer after all tries
	Skipped Outcome = "skipped"
)

// Outcomes lists the outcomes in the order in which tables show them.
func Outcomes() []Outcome {
	return []Outcome{Pass, Wrapped, Wrong, Refused, Truncated, CutOff, Errored, Skipped}
}

// Answered reports whether the outcome is that of an answer. Rates are over
// answered requests; the others are asked again when a run is continued.
func (o Outcome) Answered() bool {
	switch o {
	case Pass, Wrapped, Wrong, Refused, Truncated:
		return true
	}
	return false
}

// A Grade judges one Reply. The same item and reply earn the same grade from
// the same grader version.
type Grade struct {
	Outcome Outcome `json:"outcome"` // one of the five of an answer
	// Label names the failure, whatever the outcome: "pass" on a pass. Package
	// grade lists the labels of each grader.
	Label  string `json:"label"`
	Detail string `json:"detail,omitempty"`
	Exact  bool   `json:"exact"` // the whole reply is the expected answer
	// Extracted reports whether the answer found in the reply is right.
	Extracted bool `json:"extracted"`
	// Score is in [0, 1]; nil where the edition leaves it undefined.
	Score *float64 `json:"score"`
	// Repair is what made an unreadable list readable, in SortBench's words; ""
	// when nothing had to be repaired or nothing helped.
	Repair string   `json:"repair,omitempty"`
	Flags  []string `json:"flags,omitempty"`
	// Measures holds what was measured beside the score; absent is unknown.
	Measures map[string]float64 `json:"measures,omitempty"`
	Grader   string             `json:"grader"` // name and version, such as "text/1"
}

// A Record is what became of one item in one trial of a run: a Reply and its
// Grade, or a Failure. An outage is not a wrong answer.
type Record struct {
	Seq       int64 // place in the planned order, from 0
	Item      *Item
	Trial     int
	Prompt    Prompt // what was sent; nil when that is not known
	MaxTokens int    // the token limit that was sent; 0 when none was or it is not known
	Outcome   Outcome
	Reply     *Reply   // nil when there was no answer
	Grade     *Grade   // nil when there was no answer
	Failure   *Failure // nil when there was one
}
