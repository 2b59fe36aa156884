package verbatim

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// A Model answers requests. Ask is safe for concurrent use and returns soon after ctx is
// done. An error means that there is no answer, never that an answer is wrong. It is a
// *Failure if the reason is known.
//
// The reply belongs to the caller, who passes a zero one. Ask fills it if it returns nil, and leaves
// it zero if it returns an error: the caller may pass it again, and nobody has to reset it. Ask reads
// and writes neither r nor reply after it has returned.
//
// Of r, Ask changes MaxTokens and Attempt at most: afterwards they are those of the request that was
// sent last. What r points to, it does not change.
type Model interface {
	Ask(ctx context.Context, r *Request, reply *Reply) error
}

// BytesPerToken is about the mean size of a token of English text and of code.
const BytesPerToken = 4

// A Request is one item to send once. It holds everything that determines the reply.
type Request struct {
	// Seq is the position in the plan, from 0. It names the Record and has no effect on
	// the reply.
	Seq   int64
	Item  *Item
	Trial int // from 0: repeats of an item
	// Attempt is 1 for the first attempt and incremented on every retry. A continued run
	// counts on from the saved attempts.
	Attempt   int
	Prompt    Prompt // the item's prompt in the plan's variant
	MaxTokens int    // of the reply, reasoning included; 0 sends no limit
	// ContentTokens is the part of MaxTokens that is for the answer. If MaxTokens is higher, a
	// streamed reply is closed when its text, without reasoning, has more than ContentTokens
	// events or ContentTokens × BytesPerToken bytes. If it is not, the server ends the reply; one
	// that ignores MaxTokens is closed. 0: nothing is closed.
	ContentTokens int
	Params        Params
}

// Params are the sampling parameters of a run. Nil and zero ones are not sent.
type Params struct {
	Temperature *float64 `json:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
	Seed        *int64   `json:"seed,omitempty"`
	Effort      string   `json:"effort,omitempty"` // reasoning effort, in the provider's spelling
	// ReasoningBudget is the maximum number of reasoning tokens of a reply, for protocols with
	// such a parameter.
	ReasoningBudget *int64 `json:"reasoning_budget,omitempty"`
	// ReasoningTokens is the part of the token limit that is for reasoning, added to the
	// part for the answer. It is not sent as such.
	ReasoningTokens int `json:"reasoning_tokens,omitempty"`
	// MaxTokens is the token limit of every reply; 0: the limit follows from the item and
	// ReasoningTokens.
	MaxTokens int `json:"max_tokens,omitempty"`
	// SystemAs is "user" if the text of system messages is sent in the first user message,
	// for models without a system role.
	SystemAs string `json:"system_as,omitempty"`
	// Logprobs is the number of alternatives per token whose log probabilities are
	// requested, at most MaxLogprobs; 0: no log probabilities are requested.
	Logprobs int `json:"logprobs,omitempty"`
	// Extra is sent unchanged with the other parameters: {"chat_template_kwargs": …}.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
	// Structure is the form of the answer of one request; nil: free text. It follows from
	// the item and the plan's variant.
	Structure *Structure `json:"-"`
}

// SecretMark begins the text that replaces a secret, such as a key that a server repeated. The name
// of the secret and ">" follow.
const SecretMark = "<secret removed: "

// A Reply is a complete response of a model. Missing numbers are nil, never 0.
type Reply struct {
	Text      string `json:"text,omitempty"`      // the bytes received; not necessarily valid UTF-8
	Reasoning string `json:"reasoning,omitempty"` // not part of Text
	// Marks count what stands out in Reasoning. A saved reply has them even if it is read without
	// texts. They are nil without reasoning.
	Marks *ReasoningMarks `json:"marks,omitempty"`
	// ReasoningField is the name of the protocol's field with Reasoning.
	ReasoningField string `json:"reasoning_field,omitempty"`
	// Tokens are the tokens of Text with their log probabilities; nil if the server gave none.
	Tokens    []Token `json:"tokens,omitempty"`
	Finish    Finish  `json:"finish,omitempty"`
	FinishRaw string  `json:"finish_raw,omitempty"` // in the server's spelling; "" if it gave none
	Usage     Usage   `json:"usage"`
	// Parts are the tokens of each model that worked at the reply, if the server names several;
	// otherwise nil. They are not saved.
	Parts       []ServedPart `json:"-"`
	Times       Times        `json:"times,omitzero"`
	ServedModel string       `json:"served_model,omitempty"` // the model's name in the response
	RequestID   string       `json:"request_id,omitempty"`
	Fingerprint string       `json:"fingerprint,omitempty"`
	// Sent is the request's body without its messages, as JSON. Applied is a JSON object of the
	// settings that the server reports, with the server's names; "" if it reports none.
	Sent    string `json:"sent,omitempty"`
	Applied string `json:"applied,omitempty"`
	// Cost is the larger of usage × price and the server's claim. It is nil if the usage
	// is unknown or not credible, or if neither price nor claim is known. Claimed is the
	// server's claim if it differs from Cost; otherwise nil.
	Cost     *Money            `json:"cost_usd,omitempty"`
	Claimed  *Money            `json:"claimed_usd,omitempty"`
	Batch    string            `json:"batch,omitempty"`    // the provider's id of its batch; "" without a batch
	Limits   map[string]string `json:"limits,omitempty"`   // rate-limit headers, lower-case names
	Attempts []Attempt         `json:"attempts,omitempty"` // all attempts, the successful one last
}

// ReasoningMarks count what stands out in a text of reasoning. docs/report.md defines them.
type ReasoningMarks struct {
	Characters       int64            `json:"characters"`        // code points
	Words            int64            `json:"words"`             // runs of letters
	SecondThoughts   int64            `json:"second_thoughts"`   // phrases such as "wait"
	RepeatedLines    int64            `json:"repeated_lines"`    // lines that are equal to an earlier one
	LanguageSwitches int64            `json:"language_switches"` // sentences in another language than the last one
	Phrases          map[string]int64 `json:"phrases,omitempty"` // by phrase of a second thought or of a pattern
}

// A Finish is the reason why a reply ended, in one vocabulary for all protocols.
type Finish string

// The reasons. An unknown reason of a server is in FinishRaw and maps to FinishOther.
const (
	FinishUnknown Finish = "" // no reason was given, as in imported replies
	FinishStop    Finish = "stop"
	FinishLength  Finish = "length"
	FinishFilter  Finish = "content_filter"
	FinishRefusal Finish = "refusal"
	FinishOther   Finish = "other"
	FinishCall    Finish = "call"    // the text is the arguments of the tool that the request demands
	FinishNoCall  Finish = "no_call" // the reply is text, but the request demands a call of a tool
)

// Usage counts tokens as the server reported them.
type Usage struct {
	Prompt     *int64 `json:"prompt,omitempty"`     // all of the input, cached or not
	Completion *int64 `json:"completion,omitempty"` // all of the output, reasoning included
	Reasoning  *int64 `json:"reasoning,omitempty"`
	Cached     *int64 `json:"cached,omitempty"`
}

// A ServedPart is the part of a reply's tokens that one model used.
type ServedPart struct {
	Model string // "": the one that ServedModel names
	Usage Usage
}

// Times are the start of a request, and durations from Start on.
type Times struct {
	Start          time.Time      `json:"start,omitzero"`
	FirstByte      *time.Duration `json:"first_byte_ns,omitempty"` // of the response body
	FirstReasoning *time.Duration `json:"first_reasoning_ns,omitempty"`
	FirstContent   *time.Duration `json:"first_content_ns,omitempty"`
	Queued         *time.Duration `json:"queued_ns,omitempty"` // time in the server's queue, by the server; nil: unknown
	Total          time.Duration  `json:"total_ns,omitempty"`
}

// FirstToken returns the duration until the first reasoning or text; nil if unknown.
func (t *Times) FirstToken() *time.Duration {
	if t.FirstReasoning != nil && (t.FirstContent == nil || *t.FirstReasoning < *t.FirstContent) {
		return t.FirstReasoning
	}
	return t.FirstContent
}

// An Attempt is one HTTP request, or its equivalent, for one Request.
type Attempt struct {
	N         int           `json:"n"` // Request.Attempt
	Start     time.Time     `json:"start,omitzero"`
	Total     time.Duration `json:"total_ns,omitempty"`
	Wait      time.Duration `json:"wait_ns,omitempty"` // the wait before it
	Status    int           `json:"status,omitempty"`  // HTTP status; 0 without one
	Class     Class         `json:"class,omitempty"`   // "" if it succeeded
	Bytes     int64         `json:"bytes,omitempty"`   // of the response body
	RequestID string        `json:"request_id,omitempty"`
	Err       string        `json:"error,omitempty"`
	Partial   string        `json:"partial,omitempty"` // the part of an incomplete answer that arrived
	// Upstream is the server behind a router that failed, by the response; "" if unknown, and if the
	// attempt succeeded: the reply then names it.
	Upstream string `json:"upstream,omitempty"`
	// Cost is the maximum cost of an attempt whose cost is unknown: a failed one that may
	// have been billed, or a reply without credible token counts. Otherwise nil.
	Cost *Money `json:"cost_usd,omitempty"`
}

// A Class is the kind of reason why there is no answer. The set is closed.
type Class string

// The classes of failure.
const (
	Transport Class = "transport" // no connection, reset, timeout before an answer
	Rate      Class = "rate"      // too many requests: wait
	Overload  Class = "overload"  // the server is busy or broken: wait
	Quota     Class = "quota"     // the money or allowance is used up: stop
	Auth      Class = "auth"      // the key is missing or refused: stop
	BadAsk    Class = "request"   // the server does not accept the request: do not repeat it
	Content   Class = "content"   // the response is not of the protocol's form
	Cut       Class = "cut"       // the answer ended without its end marker
	Deadline  Class = "deadline"  // a time limit of this program
	// Unsupported: the model cannot take the prompt, such as one with a picture. The request is
	// skipped, which is no failure of the run.
	Unsupported Class = "unsupported"
	// Shortened: the server shortened the prompt, by its count of the prompt's tokens, or would do
	// so. What it answered is no answer to the item. The request is skipped too.
	Shortened Class = "prompt_shortened"
)

// Skips reports whether the class means that the model cannot take the prompt. Each such request is
// skipped, and the run is complete without it.
func (c Class) Skips() bool { return c == Unsupported || c == Shortened }

// A Failure is the error of a Model that has no answer.
type Failure struct {
	Class    Class         `json:"class"`
	Status   int           `json:"status,omitempty"`
	After    time.Duration `json:"after_ns,omitempty"` // the wait that the server requested; 0 if none
	Who      string        `json:"who,omitempty"`      // what failed: "http://127.0.0.1:8080"
	Hint     string        `json:"hint,omitempty"`     // what to do about it
	Attempts []Attempt     `json:"attempts,omitempty"`
	Err      error         `json:"-"`
}

// Error returns what failed and why, in one line.
func (f *Failure) Error() string {
	s := string(f.Class)
	if f.Status != 0 {
		s = fmt.Sprintf("%s (HTTP %d)", s, f.Status)
	}
	if f.Who != "" {
		s = f.Who + ": " + s
	}
	if f.Err != nil {
		s += ": " + f.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }
