package verification

// A Word is the verdict on two endpoints. The set is closed. None of them says why, and
// none says that two endpoints run the same model.
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
	// Planned is the number of prompts of the test, and Prompts those with every reply that
	// the verdict is based on. Calls is the number of replies of both sides.
	// Usable is the number of prompts with every reply, those of several upstreams included.
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
	// Detectable is the smallest share of prompts that differ beyond the sides' own spread
	// that this number of prompts finds with probability 0.8; nil if there are too few.
	Detectable *float64 `json:"detectable_share"`
	// DetectableAlone is the smallest number of prompts that one side alone answers exactly
	// right, and the other side none, that is a difference; nil if there are too few prompts.
	DetectableAlone *int `json:"detectable_exact_alone"`
	// Logprobs is what the log probabilities show; nil if they are no probe of the test.
	Logprobs *LogprobResult `json:"logprobs"`
	// NoLogprobs says why the log probabilities are no probe; "" if the caller left them out.
	NoLogprobs string `json:"no_logprobs,omitempty"`
	// Tools is what calls of a tool show; nil if they are no part of the exact answers, or were
	// not needed for the verdict. NoTools says why they are no part; "" if the caller left them out.
	Tools   *ToolResult `json:"tools"`
	NoTools string      `json:"no_tools,omitempty"`
	// Sampling is what replies at a temperature show; nil if they are no probe of the test, or
	// were not needed for the verdict.
	Sampling *SamplingResult `json:"sampling"`
	// Upstreams is what each pair of upstreams shows, if an endpoint has several. Late is the
	// number of prompts with a reply of one that was not seen at the beginning, which are left
	// out. TooFew says that these or too few prompts of a pair leave no verdict.
	Upstreams []UpstreamResult `json:"upstreams,omitempty"`
	Late      int              `json:"late_upstreams"`
	TooFew    bool             `json:"too_few_of_an_upstream"`
	// Sizes are those of Test.Sizes, which the caller adds.
	Sizes []Size `json:"sizes,omitempty"`
	// Strict is what a strict test shows; nil for the usual test. Then the fields of the usual one
	// are empty, but for the number of prompts.
	Strict *StrictResult `json:"strict,omitempty"`
	// Tokens compares the numbers of prompt tokens that the servers report.
	Tokens PromptTokens `json:"prompt_tokens"`
}

// A StrictResult is what a strict test shows.
type StrictResult struct {
	// Apart is the summed distance of the mean log probabilities of the words, in nats; nil
	// without them.
	Apart *float64 `json:"apart_nats"`
	// Screened is the number of texts that were compared once, up to the last confirmation if it
	// decided, and Differing those that differ. The other figures of the texts are those of a
	// ScreenResult.
	Screened      int      `json:"screened_texts"`
	Differing     int      `json:"differing_texts"`
	Confirmations int      `json:"confirmations"`
	Fresh         int      `json:"fresh_calls"`
	Variation     *float64 `json:"total_variation"`
	// Answers is the same for whether a reply is exactly right.
	Answers ScreenResult `json:"exact"`
}

// PromptTokens compares the prompt tokens that two servers report for the same prompts.
type PromptTokens struct {
	Compared int `json:"compared"` // number of prompts for which both sides report them
	Differ   int `json:"differ"`
	// Constant is the difference, second side minus first, if it is the same at every
	// prompt and not 0; nil otherwise.
	Constant *int64 `json:"constant_difference"`
}

// Names returns what documents call the two sides.
func Names() [2]string { return [2]string{"A", "B"} }

// Unsent returns the result of a test that has not compared anything.
func Unsent(alpha float64, tests int) *Result {
	return &Result{Word: Undecided, Alpha: alpha, Tests: tests, Level: alpha / float64(2*tests), Probes: []Probe{{Name: Texts, P: 1, Adjusted: 1}, {Name: Exact, P: 1, Adjusted: 1}}}
}
