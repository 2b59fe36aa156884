package verification

// A Word is the verdict on two endpoints. The set is closed. No verdict says why, and none says
// that two endpoints run the same model.
type Word string

// The words. Undecided is the verdict if prompts are still to be sent, or if too many
// requests have no reply.
const (
	NoDifference Word = "no difference found"
	Differ       Word = "differ"
	Undecided    Word = "undecided"
)

// Settled reports whether the word is a verdict, for which no more requests are needed.
func (w Word) Settled() bool { return w == NoDifference || w == Differ }

// A Result is the verdict with the numbers behind it.
type Result struct {
	Word Word `json:"verdict"`
	// Alpha is the maximum rate of false alarms of all tests of a command, and Tests their
	// number. Level is the p value up to which a probe alone decides.
	Alpha float64 `json:"alpha"`
	Tests int     `json:"tests"`
	Level float64 `json:"level"`
	// Probes lists what was tested, each with its p value.
	Probes []Probe `json:"probes"`
	// Planned is the number of prompts of the test. Usable is the number of those with every
	// reply. Prompts is the number of those that the verdict is based on: prompts that several
	// upstreams of a side answered are left out. Calls is the number of replies of both sides.
	Planned int `json:"planned"`
	Prompts int `json:"prompts"`
	Usable  int `json:"usable_prompts"`
	Calls   int `json:"calls"`
	// Unanswered is the number of requests without a reply, by side.
	Unanswered [2]int `json:"unanswered"`
	// TooMany says that too many are unanswered for a verdict.
	TooMany bool `json:"too_many_unanswered"`
	// Finished says that nothing is left to send.
	Finished bool `json:"finished"`
	// Beyond is the number of prompts at which the sides differ from each other in more
	// trials than they differ from themselves. Share is its bound as a share of the prompts
	// in the null hypothesis.
	Beyond int     `json:"beyond_own_spread"`
	Share  float64 `json:"share"`
	// Across is the number of prompts whose first replies differ between the sides. Own is
	// the number of prompts whose two replies differ within a side.
	Across int    `json:"texts_differ"`
	Own    [2]int `json:"own_texts_differ"`
	// FirstByte is the median index of the first byte that differs between the sides; nil
	// if no text differs.
	FirstByte *float64 `json:"median_first_byte"`
	// Exact is the number of prompts whose first reply is exactly right, by side.
	Exact [2]int `json:"exact"`
	// ExactAlone is the number of prompts that only one side answers exactly right in its
	// first reply, by side. Those with a tool are included.
	ExactAlone [2]int `json:"exact_alone"`
	// Detectable is the smallest share of prompts beyond the sides' own spread that this number of
	// prompts finds with probability 0.8; nil if there are too few prompts.
	Detectable *float64 `json:"detectable_share"`
	// DetectableAlone is the smallest ExactAlone of one side that is a difference if that of the
	// other side is 0; nil if there are too few prompts.
	DetectableAlone *int `json:"detectable_exact_alone"`
	// Logprobs is the result of the log probabilities; nil if they are no probe of the test.
	Logprobs *LogprobResult `json:"logprobs"`
	// NoLogprobs says why the log probabilities are no probe; "" if the caller left them out.
	NoLogprobs string `json:"no_logprobs,omitempty"`
	// Tools is the result of the calls of a tool; nil if they are no part of the exact answers, or
	// were not needed for the verdict. NoTools says why they are no part; "" if the caller left
	// them out.
	Tools   *toolResult `json:"tools"`
	NoTools string      `json:"no_tools,omitempty"`
	// Upstreams has the result of each pair of upstreams, if an endpoint has several. Late is the
	// number of prompts that are left out, since an upstream answered that was not seen in the
	// first block. TooFew says that there is no verdict, because Late is too large or a pair has
	// too few prompts.
	Upstreams []UpstreamResult `json:"upstreams,omitempty"`
	Late      int              `json:"late_upstreams"`
	TooFew    bool             `json:"too_few_of_an_upstream"`
	// Sizes is the result of Test.Sizes, which the caller adds.
	Sizes []Size `json:"sizes,omitempty"`
	// Tokens compares the numbers of prompt tokens that the servers report.
	Tokens PromptTokens `json:"prompt_tokens"`
}

// PromptTokens compares the prompt tokens that two servers report for the same prompts.
type PromptTokens struct {
	Compared int `json:"compared"` // number of prompts for which both sides report them
	Differ   int `json:"differ"`
	// Constant is the difference, second side minus first, if it is the same at every
	// prompt and not 0; nil otherwise.
	Constant *int64 `json:"constant_difference"`
}

// Names returns the names of the two sides in documents.
func Names() [2]string { return [2]string{"A", "B"} }

// Unsent returns the result of a test that has not compared anything.
func Unsent(alpha float64, tests int) *Result {
	return &Result{Word: Undecided, Alpha: alpha, Tests: tests, Level: alpha / float64(2*tests), Probes: []Probe{{Name: Texts, P: 1, Adjusted: 1}, {Name: Exact, P: 1, Adjusted: 1}}}
}
