package smoke

// A Word is the verdict.
type Word string

// The verdicts. Undecided is the verdict while calls are open, or if too many have no reply.
const (
	NoFault   Word = "no fault found"
	Fault     Word = "fault found"
	Undecided Word = "undecided"
)

// A Count counts the calls of a phase.
type Count struct {
	Phase   Phase `json:"phase"`
	Planned int   `json:"planned"`
	Replies int   `json:"replies"`
	Right   int   `json:"right"` // replies that hold all digits; of tools: exact arguments
	Missing int   `json:"unanswered"`
}

// Tools counts the calls whose answer is the arguments of a tool: those alone, and those under load
// unless no call alone called a tool. Its phase is "tools".
type Tools struct {
	Count
	Called int `json:"called"` // replies that call the tool
}

// A Result is what the calls show.
type Result struct {
	Word     Word      `json:"verdict"`
	Alpha    float64   `json:"alpha"`
	Failures []Failure `json:"failures"`
	Phases   []Count   `json:"phases"` // of the copies of text
	Tools    *Tools    `json:"tools"`  // nil: no tool was offered to the model
	Calls    int       `json:"calls"`  // replies
	Missing  int       `json:"unanswered"`
	Finished bool      `json:"finished"`
	// WrongUnderLoad is the number of copies that are wrong under load and right alone. P is the
	// probability of results that favour the calls alone at least so much, if load has no effect:
	// it is exact, by permutation of the calls of each item.
	WrongUnderLoad int     `json:"wrong_under_load"`
	P              float64 `json:"p"`
	// Detectable is the smallest share of spoilt replies under load that this number of calls
	// hits with probability 0.8; nil without replies.
	Detectable *float64 `json:"detectable_share"`
}
