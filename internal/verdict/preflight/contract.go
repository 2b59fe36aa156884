package preflight

// A Contract is one thing that an endpoint should do.
type Contract string

// The contracts, in the order of their numbers.
const (
	Greedy      Contract = "greedy repeats"
	TokenLimit  Contract = "token limit"
	Stop        Contract = "stop sequence"
	Temperature Contract = "temperature"
	Seed        Contract = "seed"
	System      Contract = "system prompt"
	Streaming   Contract = "streamed = plain"
	Finish      Contract = "finish reasons"
	Usage       Contract = "usage"
	Unicode     Contract = "Unicode"
	Context     Contract = "context"
	Logprobs    Contract = "log probabilities"
	modelName   Contract = "model name"
	Upstream    Contract = "who serves"
	Reasoning   Contract = "reasoning effort"
)

// A State is what the calls of a contract show. The set is closed.
type State string

// The states.
const (
	Held        State = "held"
	Broken      State = "broken"
	NotOffered  State = "not offered"  // refused with a 4xx, or the protocol has no such parameter
	NotTestable State = "not testable" // the replies show nothing, because of the model or for lack of facts
	Information State = "information"  // the contract is a fact, neither held nor broken
	Unanswered  State = "unanswered"   // a call has no reply
)

// A Line is the result of one contract.
type Line struct {
	Number   int      `json:"number"`
	Contract Contract `json:"contract"`
	State    State    `json:"state"`
	Says     string   `json:"says"` // what the state means here, in a sentence without its period
	// Evidence shows why: parts of replies, or the server's refusal.
	Evidence []string `json:"evidence,omitempty"`
	Calls    int      `json:"calls"` // of this contract, with a reply or a refusal
}

// A Word is the verdict.
type Word string

// The verdicts.
const (
	AllHeld   Word = "held"
	SomeBroke Word = "broken"
	Undecided Word = "undecided"
)

// Settled reports whether nothing is left to send.
func (w Word) Settled() bool { return w == AllHeld || w == SomeBroke }

// A Result is what the calls show.
type Result struct {
	Word     Word   `json:"verdict"`
	Lines    []Line `json:"contracts"`
	Calls    int    `json:"calls"` // with a reply or a refusal
	Missing  int    `json:"unanswered"`
	Finished bool   `json:"finished"` // nothing is left to send
}

// Count returns the number of contracts in a state.
func (r *Result) Count(s State) (n int) {
	for _, l := range r.Lines {
		if l.State == s {
			n++
		}
	}
	return n
}

// suspected is the state of a contract that looks broken after one call. It is broken if the
// second call shows it too.
const suspected State = "suspected"
