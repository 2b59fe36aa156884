package verbatim

// An Outcome is the result of one request. The set is closed.
type Outcome string

// The outcomes: five of answers, and three of requests without an answer.
const (
	Pass      Outcome = "pass"
	Wrapped   Outcome = "wrapped" // extracted but not exact; the label says why
	Wrong     Outcome = "wrong"
	Refused   Outcome = "refused"
	Truncated Outcome = "truncated" // stopped by the token limit

	CutOff  Outcome = "cut"   // the stream ended without its end marker
	Errored Outcome = "error" // no answer after all attempts
	Skipped Outcome = "skipped"
)

// Outcomes lists the outcomes in the order in which tables show them.
func Outcomes() []Outcome {
	return []Outcome{Pass, Wrapped, Wrong, Refused, Truncated, CutOff, Errored, Skipped}
}

// Answered reports whether there is an answer. Rates refer to answers. The other requests are sent
// again when a run is continued.
func (o Outcome) Answered() bool {
	switch o {
	case Pass, Wrapped, Wrong, Refused, Truncated:
		return true
	}
	return false
}

// A Grade is a grader's result for one Reply. It depends only on the item, the reply and
// the grader version.
type Grade struct {
	Outcome Outcome `json:"outcome"` // one of the five outcomes of answers
	// Label is the failure label, or "pass". Package grade lists the labels of each grader.
	Label  string `json:"label"`
	Detail string `json:"detail,omitempty"`
	Exact  bool   `json:"exact"` // the whole reply is the expected answer
	// Extracted reports whether the answer found in the reply is right.
	Extracted bool `json:"extracted"`
	// Span is the part of the reply in which the answer was found, and Rule the rule that found
	// it. Both are empty if the whole reply is exact, if no answer was found, and for graders that
	// search for none.
	Span *Span  `json:"span,omitempty"`
	Rule string `json:"rule,omitempty"`
	// Score is in [0, 1]; nil if the edition defines no score.
	Score *float64 `json:"score"`
	// Repair is the repair that made a list readable, in SortBench's words; "" if there
	// was no repair, or if no repair succeeded.
	Repair string   `json:"repair,omitempty"`
	Flags  []string `json:"flags,omitempty"`
	// Measures are further measurements by name; an absent one is unknown.
	Measures map[string]float64 `json:"measures,omitempty"`
	Grader   string             `json:"grader"` // name and version, such as "text/1"
}

// A Span is a part of a reply's text, in bytes.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// A Record is the result at one position of a run: a Reply with its Grade, or a Failure.
// An outage is not a wrong answer.
type Record struct {
	Seq       int64 // position in the plan, from 0
	Item      *Item
	Trial     int
	Prompt    Prompt // as sent; nil if unknown
	MaxTokens int    // the token limit of the request; 0 if none or unknown
	Outcome   Outcome
	Reply     *Reply   // nil without an answer
	Grade     *Grade   // nil without an answer
	Failure   *Failure // nil with an answer
}

// Attempts returns the attempts at the request: those of the reply, or of the failure.
func (r *Record) Attempts() []Attempt {
	switch {
	case r.Reply != nil:
		return r.Reply.Attempts
	case r.Failure != nil:
		return r.Failure.Attempts
	}
	return nil
}
