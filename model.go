package verbatim

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// A Model answers requests. Ask is safe for concurrent use and returns soon
// after ctx is done. An error means that no answer was obtained, never that an
// answer was wrong; it is a *Failure where the reason is known.
type Model interface {
	Ask(ctx context.Context, r Request) (Reply, error)
}

// An InPlace is a Model that writes its reply where the caller needs it. A Request and
// a Reply take several hundred bytes: as values of every layer they would be most of
// the stack of each goroutine that waits for a server.
type InPlace interface {
	Model
	// AskInPlace is Ask for the request in r, which it does not change. The reply is
	// written to reply, which is zero before; after an error its content means nothing.
	AskInPlace(ctx context.Context, r *Request, reply *Reply) error
}

// AskInPlace asks m, in place where m is an InPlace.
func AskInPlace(ctx context.Context, m Model, r *Request, reply *Reply) error {
	if p, ok := m.(InPlace); ok {
		return p.AskInPlace(ctx, r, reply)
	}
	return askByValue(ctx, m, r, reply)
}

// askByValue is a function of its own for its large frame.
//
//go:noinline
func askByValue(ctx context.Context, m Model, r *Request, reply *Reply) (err error) {
	*reply, err = m.Ask(ctx, *r)
	return err
}

// A Request is one item to be asked once. Everything that decides the reply is in it.
type Request struct {
	// Seq is the place in the planned order, from 0, that the Source gives the
	// request. It names the Record and decides nothing about the reply.
	Seq   int64
	Item  *Item
	Trial int // from 0: repeats of an item
	// Attempt is 1 for the first try. Whoever tries again counts up; a continued
	// run counts on from the attempts that are kept.
	Attempt   int
	Prompt    Prompt // what is sent: the item's prompt under the plan's variant
	MaxTokens int
	Params    Params
}

// Params are the sampling parameters that were asked for. Nil and empty are not sent.
type Params struct {
	Temperature *float64 `json:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
	Seed        *int64   `json:"seed,omitempty"`
	Effort      string   `json:"effort,omitempty"` // reasoning effort, as the provider spells it
	// ReasoningBudget is the number of tokens that a model may think, for the
	// protocols that have such a parameter.
	ReasoningBudget *int64 `json:"reasoning_budget,omitempty"`
	// ReasoningTokens is the part of the token limit that is for reasoning, added to the
	// part for the answer. It is not sent as such.
	ReasoningTokens int `json:"reasoning_tokens,omitempty"`
	// Extra is sent as it is, next to the others: {"chat_template_kwargs": …}.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

// SecretMark begins what is in a text in the place of a secret, such as a key that a
// server repeated: the mark, the name of the secret, and ">".
const SecretMark = "<secret removed: "

// A Reply is an answer that was received whole. Missing numbers are nil, never 0.
type Reply struct {
	Text      string // the bytes received; not necessarily valid UTF-8
	Reasoning string // kept apart from Text
	// ReasoningField names the field of the wire that Reasoning came in.
	ReasoningField string
	Finish         Finish
	FinishRaw      string // as the server spells it; "" when it gave none
	Usage          Usage
	Times          Times
	ServedModel    string // as the server names it
	RequestID      string
	Fingerprint    string
	// Sent is what was sent next to the prompt, the key and the headers: the
	// request's body without its messages, as JSON. Applied is what the server says
	// it went by, as a JSON object in the server's own names; "" where it says nothing.
	Sent, Applied string
	// Cost is what counts as the price of the reply: the larger of its usage times the
	// price and of what the server claims; nil where the usage is not known or not
	// credible, or neither price nor claim is known. Claimed is the server's claim
	// where Cost is another; otherwise nil.
	Cost, Claimed *Money
	Batch         string            // the provider's id of the batch that it came in; "" when it was asked by itself
	Limits        map[string]string // rate-limit headers, lower-case names
	Attempts      []Attempt         // every try, the one that succeeded last
}

// A Finish is why a reply ended, in one vocabulary for all wires.
type Finish string

// The reasons. An unknown reason of a server is kept raw and maps to FinishOther.
const (
	FinishUnknown Finish = "" // none was given, as in imported replies
	FinishStop    Finish = "stop"
	FinishLength  Finish = "length"
	FinishFilter  Finish = "content_filter"
	FinishRefusal Finish = "refusal"
	FinishOther   Finish = "other"
)

// Usage counts tokens as the server reported them.
type Usage struct {
	Prompt     *int64 `json:"prompt,omitempty"`     // all of the input, cached or not
	Completion *int64 `json:"completion,omitempty"` // all of the output, reasoning included
	Reasoning  *int64 `json:"reasoning,omitempty"`
	Cached     *int64 `json:"cached,omitempty"`
}

// Times says when things happened. The durations count from Start.
type Times struct {
	Start          time.Time
	FirstByte      *time.Duration // of the response body
	FirstReasoning *time.Duration
	FirstContent   *time.Duration
	Total          time.Duration
}

// An Attempt is one try at one request.
type Attempt struct {
	N         int // as Request.Attempt
	Start     time.Time
	Total     time.Duration
	Wait      time.Duration // spent waiting before it
	Status    int           // HTTP status; 0 when there was none
	Class     Class         // "" when it succeeded
	Bytes     int64         // of the response body
	RequestID string
	Err       string
	Partial   string // what had arrived of an answer that did not arrive whole
	// Cost is the most that an attempt may have cost whose cost is not known: one that
	// failed and may have been billed, or a reply without credible token counts. Nil
	// for others.
	Cost *Money
}

// A Class says why no answer was obtained. The set is closed.
type Class string

// The classes of failure.
const (
	Transport Class = "transport" // no connection, reset, timeout before an answer
	Rate      Class = "rate"      // too many requests: wait
	Overload  Class = "overload"  // the server is busy or broken: wait
	Quota     Class = "quota"     // the money or allowance is used up: stop
	Auth      Class = "auth"      // the key is missing or refused: stop
	BadAsk    Class = "request"   // the server does not accept the request: do not repeat it
	Content   Class = "content"   // the answer could not be read as one
	Cut       Class = "cut"       // the answer ended without its end marker
	Deadline  Class = "deadline"  // our own time limit
)

// A Failure is the error of a Model that obtained no answer.
type Failure struct {
	Class    Class
	Status   int
	After    time.Duration // how long the server asked us to wait; 0 when it did not say
	Who      string        // what failed: "http://127.0.0.1:8080"
	Hint     string        // what to do about it
	Attempts []Attempt
	Err      error
}

// Error says what failed and why, in one line.
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
