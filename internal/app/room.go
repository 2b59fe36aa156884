package app

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/lazyregexp"
	"verbatim/internal/reasoning"
	"verbatim/internal/run"
)

// firstAnswers is the number of answers that show whether a model reasons, and whether it answers
// at all within its token limit.
const firstAnswers = 10

// A room decides how many tokens of each request of a run are for reasoning. It begins with all
// that the run allows. If the first answers show no reasoning, later requests get none. From the
// first answer with reasoning on, all requests get them.
//
// Only the answers of the run itself count, so that the same command gives the same numbers in
// every database. The rule is the same for all models of a comparison.
type room struct {
	context   *int64 // tokens of the model's context; nil: not known
	maxOutput *int64 // the most tokens that the model writes; nil: not known
	keepGoing bool
	// compared says that a test compares the answers with those of a baseline with the same token
	// limits. Empty answers that the model ended by itself are then a result, and end no run.
	compared bool
	params   verbatim.Params

	mu       sync.Mutex
	reasons  bool
	plain    bool // the model is known not to reason
	answers  int
	stuck    int // answers without content that the token limit ended
	blank    int // answers without content that the model ended
	accepted int // the highest token limit that the server takes; 0: not known
}

// wrap returns a model that asks m and lets the room learn from its replies.
func (r *room) wrap(m verbatim.Model) verbatim.Model { return &roomModel{m, r} }

type roomModel struct {
	verbatim.Model
	room *room
}

// Ask implements verbatim.Model.
func (m *roomModel) Ask(ctx context.Context, r verbatim.Request) (reply verbatim.Reply, err error) {
	err = m.AskInPlace(ctx, &r, &reply)
	return reply, err
}

// AskInPlace implements verbatim.InPlace. If the server refuses the token limit, the request is
// sent again with a lower one.
func (m *roomModel) AskInPlace(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	var refused []verbatim.Attempt
	for {
		err := verbatim.AskInPlace(ctx, m.Model, r, reply)
		if err == nil {
			reply.Attempts = append(refused, reply.Attempts...)
			m.room.learn(reply)
			if len(refused) > 0 {
				m.room.accept(r.MaxTokens)
			}
			return nil
		}
		f, ok := errors.AsType[*verbatim.Failure](err)
		if !ok {
			return err
		}
		f.Attempts = append(refused, f.Attempts...)
		lower, ok := lowerLimit(f, r, len(refused) == 0)
		if !ok {
			return err
		}
		refused = f.Attempts
		r.MaxTokens, *reply = lower, verbatim.Reply{}
		r.Attempt++
	}
}

// limit returns the present token limit of a request: at most its own.
func (r *room) limit(q *verbatim.Request) int { return r.limitWithin(q, r.most()) }

// most returns the largest present token limit of any request: 0 leaves only the tokens of the
// answer, run.AnyTokens all tokens of the request.
func (r *room) most() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.plain || !r.reasons && r.answers >= firstAnswers:
		return 0
	case r.accepted > 0:
		return r.accepted
	}
	return run.AnyTokens
}

// limitWithin returns the token limit of a request: at most its own and most, but never less than
// its answer needs.
func (r *room) limitWithin(q *verbatim.Request, most int) int {
	if q.ContentTokens == 0 || q.MaxTokens <= q.ContentTokens {
		return q.MaxTokens
	}
	tokens := withinOutput(q, r.maxOutput)
	if most != run.AnyTokens {
		tokens = min(tokens, most)
	}
	if r.context != nil { // a token of a prompt has two bytes or more
		tokens = min(tokens, int(*r.context)-PromptBytes(q.Prompt)/2)
	}
	return max(q.ContentTokens, tokens)
}

// withinOutput returns the token limit of a request, lowered to the largest output of the model. It is
// not lowered below what the answer needs.
func withinOutput(q *verbatim.Request, maxOutput *int64) int {
	if maxOutput == nil || q.ContentTokens == 0 {
		return q.MaxTokens
	}
	return max(q.ContentTokens, min(q.MaxTokens, int(min(*maxOutput, 1<<30))))
}

// learn counts a reply.
func (r *room) learn(reply *verbatim.Reply) {
	shows := showsReasoning(reply)
	empty := strings.TrimSpace(reply.Text[contentStart(reply.Text):]) == ""
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reasons = r.reasons || shows
	r.answers++
	switch {
	case !empty:
	case reply.Finish == verbatim.FinishLength:
		r.stuck++
	case reply.Finish == verbatim.FinishStop || reply.Finish == verbatim.FinishUnknown:
		r.blank++
	}
}

// accept notes a token limit that is lower than the requested one and that the server
// accepted.
func (r *room) accept(tokens int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.accepted == 0 || tokens < r.accepted {
		r.accepted = tokens
	}
}

// refused reports whether a request in a batch was refused because of its token limit. It lowers the
// limit of later batches then.
func (r *room) refused(q *verbatim.Request, err error) bool {
	f, ok := errors.AsType[*verbatim.Failure](err)
	if !ok {
		return false
	}
	r.mu.Lock()
	first := r.accepted == 0 || q.MaxTokens > r.accepted // its message names the limit
	r.mu.Unlock()
	lower, ok := lowerLimit(f, q, first)
	if ok {
		r.accept(lower)
	}
	return ok
}

// check returns the error that ends a run if its first answers are all empty: the money for later
// ones would be wasted.
func (r *room) check() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keepGoing || r.answers < firstAnswers || r.stuck+r.blank < r.answers || r.compared && r.blank > 0 {
		return nil
	}
	if r.blank >= r.stuck {
		return r.blankError()
	}
	return r.stuckError()
}

// blankError returns the error of answers that the model ended without content.
func (r *room) blankError() error {
	advice := "'verbatim show' has the replies"
	if r.reasons {
		advice = "all they have is reasoning: the server may take the whole reply for reasoning, so start it without a reasoning parser, or with the one of this model"
	}
	return emptyError{error: errkind.Runtimef(advice+"; --keep-going continues anyway",
		"the first %d answers are all empty, and the model ended them by itself", r.answers)}
}

// stuckError returns the error of answers that the token limit ended before any content.
func (r *room) stuckError() error {
	e := emptyError{flag: "--max-tokens", tokens: 4 * r.params.MaxTokens}
	var advice []string
	if r.params.MaxTokens == 0 {
		e.flag, e.tokens = "--reasoning-tokens", max(defaultReasoning, 4*r.params.ReasoningTokens)
		if !r.compared {
			advice = append(advice, "set the whole limit with --max-tokens")
		}
	}
	if r.params.Effort == "" {
		advice = append(advice, "request less reasoning with --reasoning-effort low")
	}
	if !r.compared {
		advice = append(advice, "continue anyway with --keep-going")
	}
	raise := "raise the limit"
	if r.compared && e.flag == "--max-tokens" {
		raise = "make a baseline with a larger limit,"
	}
	e.advice = strings.Join(append(advice, "or "+raise), ", ")
	if len(advice) == 0 {
		e.advice = raise
	}
	e.error = errkind.Runtimef(e.advice+" with "+e.flag+" "+strconv.Itoa(e.tokens),
		"the first %d answers are all empty: the model was still reasoning when it reached its token limit", r.answers)
	return e
}

// An emptyError ends a run whose answers are all empty.
type emptyError struct {
	error
	flag   string // the flag that raises the limit; "": no limit is the cause
	tokens int    // the value for the flag
	advice string // what to do, without the flag and its value
}

func (e emptyError) Unwrap() error { return e.error }

// hint returns what to do, with the command that raises the limit.
func (e emptyError) hint(a *App) string {
	if e.flag == "" {
		_, hint := Describe(e.error)
		return hint
	}
	return e.advice + ": " + a.commandLine(setFlag(a.Args, strconv.Itoa(e.tokens), e.flag))
}

// showsReasoning reports whether a reply has reasoning: in a field, in its token counts, or
// between tags in its text.
func showsReasoning(r *verbatim.Reply) bool {
	return r.Reasoning != "" || r.Usage.Reasoning != nil && *r.Usage.Reasoning > 0 || contentStart(r.Text) > 0
}

// contentStart returns the number of bytes of a text that are reasoning between tags.
func contentStart(text string) int { return reasoning.ContentStart([]byte(text), reasoning.Tags{}) }

// PromptBytes returns the number of bytes of the texts of a prompt.
func PromptBytes(p verbatim.Prompt) (n int) {
	for _, m := range p {
		for _, part := range m.Content {
			n += len(part.Text)
		}
	}
	return n
}

// limitWords matches messages of servers that refuse a token limit.
var limitWords = lazyregexp.New(`(?i)max_?tokens|max_(completion|output|new)_tokens|maxOutputTokens|num_predict|maximum context|context length`)

// numbers finds numbers in a message.
var numbers = lazyregexp.New(`\d[\d,]*`)

// lowerLimit returns the token limit to send after a server refused that of q; false if it refused q
// for another reason. At first it is the largest lower number in the server's message, less the
// tokens of the prompt. If the server refuses that too, it is the limit of the answer.
func lowerLimit(f *verbatim.Failure, q *verbatim.Request, first bool) (int, bool) {
	message := f.Error()
	if q.ContentTokens == 0 || q.MaxTokens <= q.ContentTokens || f.Class != verbatim.BadAsk || f.Status/100 != 4 || !limitWords.MatchString(message) {
		return 0, false
	}
	lower := q.ContentTokens
	if first {
		for _, text := range numbers.FindAllString(message, -1) {
			n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
			if err == nil && n < q.MaxTokens {
				lower = max(lower, n-1-PromptBytes(q.Prompt)/2)
			}
		}
	}
	return lower, true
}
