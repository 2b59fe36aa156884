package run

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/reasoning"
)

// DefaultReasoningTokens is the allowance for reasoning of each request, in tokens, where the user names
// none.
const DefaultReasoningTokens = 16_384

// FirstAnswers is the number of answers that show whether a model reasons, and whether it answers
// at all within its token limit.
const FirstAnswers = 10

// enoughAnswers is the number of saved answers from which a Limiter learns.
const enoughAnswers = 4 * FirstAnswers

// TokenLimitConfig is what is known of a run and its model before the first answer.
type TokenLimitConfig struct {
	Context   *int64 // tokens of the model's context; nil: not known
	MaxOutput *int64 // the most tokens that the model writes; nil: not known
	Reasons   *bool  // whether the model reasons; nil: not known
	Params    verbatim.Params
	// KeepGoing says that no empty answers end the run.
	KeepGoing bool
	// Compared says that a test compares the answers with those of a baseline with the same token
	// limits. Empty answers that the model ended by itself are then a result, and end no run.
	Compared bool
}

// A Limiter decides the token limits of the requests of one run. It begins with all that the run
// allows. If the first answers show no reasoning, later requests get no tokens for it. From the
// first answer with reasoning on, all requests get them.
//
// Only the answers of the run itself count, so that the same command gives the same numbers in
// every database. The rule is the same for all models of a comparison. A Limiter is safe for
// concurrent use.
type Limiter struct {
	known TokenLimitConfig

	mu       sync.Mutex
	reasons  bool
	answers  int
	stuck    int // answers without content that the token limit ended
	blank    int // answers without content that the model ended
	accepted int // the highest token limit that the server takes; 0: not known
}

// NewLimiter returns a Limiter that has seen no answer.
func NewLimiter(c TokenLimitConfig) *Limiter {
	return &Limiter{known: c, reasons: c.Reasons != nil && *c.Reasons}
}

// Wrap returns a model that asks m. The Limiter learns from its replies. If the server refuses the
// token limit of a request, the request is sent again with a lower one; the reply has the attempts
// of both.
func (l *Limiter) Wrap(m verbatim.Model) verbatim.Model { return &limitedModel{m, l} }

type limitedModel struct {
	verbatim.Model
	limiter *Limiter
}

// Ask implements verbatim.Model.
func (m *limitedModel) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	var refused []verbatim.Attempt
	for {
		err := m.Model.Ask(ctx, r, reply)
		if err == nil {
			reply.Attempts = append(refused, reply.Attempts...)
			m.limiter.Learn(reply)
			if len(refused) > 0 {
				m.limiter.accept(r.MaxTokens)
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
		r.MaxTokens = lower
		r.Attempt++
	}
}

// Limit returns the present token limit of a request: at most its own.
func (l *Limiter) Limit(q *verbatim.Request) int { return l.LimitWithin(q, l.Most()) }

// Most returns the largest present token limit of any request: 0 leaves only the tokens of the
// answer, run.AnyTokens all tokens of the request.
func (l *Limiter) Most() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.plain() || !l.reasons && l.answers >= FirstAnswers:
		return 0
	case l.accepted > 0:
		return l.accepted
	}
	return AnyTokens
}

// plain reports whether the model is known not to reason.
func (l *Limiter) plain() bool { return l.known.Reasons != nil && !*l.known.Reasons }

// LimitWithin returns the token limit of a request: at most its own and most, but never less than
// its answer needs.
func (l *Limiter) LimitWithin(q *verbatim.Request, most int) int {
	if q.ContentTokens == 0 || q.MaxTokens <= q.ContentTokens {
		return q.MaxTokens
	}
	tokens := WithinOutput(q, l.known.MaxOutput)
	if most != AnyTokens {
		tokens = min(tokens, most)
	}
	if l.known.Context != nil { // a token of a prompt has two bytes or more
		tokens = min(tokens, int(*l.known.Context)-PromptBytes(q.Prompt)/2)
	}
	return max(q.ContentTokens, tokens)
}

// WithinOutput returns the token limit of a request, lowered to the largest output of the model
// (nil: not known). It is not lowered below what the answer needs.
func WithinOutput(q *verbatim.Request, maxOutput *int64) int {
	if maxOutput == nil || q.ContentTokens == 0 {
		return q.MaxTokens
	}
	return max(q.ContentTokens, min(q.MaxTokens, int(min(*maxOutput, 1<<30))))
}

// Learn counts a reply.
func (l *Limiter) Learn(reply *verbatim.Reply) {
	start, state := reasoning.Cut(reply.Text)
	if state == reasoning.Open {
		start = len(reply.Text) // all of it is reasoning
	}
	shows := state != reasoning.Absent || reply.Reasoning != "" || reply.Usage.Reasoning != nil && *reply.Usage.Reasoning > 0
	empty := strings.TrimSpace(reply.Text[start:]) == ""
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reasons = l.reasons || shows
	l.answers++
	switch {
	case !empty:
	case reply.Finish == verbatim.FinishLength:
		l.stuck++
	case reply.Finish == verbatim.FinishStop || reply.Finish == verbatim.FinishUnknown:
		l.blank++
	}
}

// KnowsEnough reports whether more saved answers would not change what the Limiter does.
func (l *Limiter) KnowsEnough() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.answers >= enoughAnswers
}

// MayShrink reports whether requests still have an allowance for reasoning that they may not need.
func (l *Limiter) MayShrink() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.plain() && !l.reasons && l.answers < FirstAnswers && l.known.Params.ReasoningTokens > 0
}

// PromptBytes returns the number of bytes of the texts of a prompt.
func PromptBytes(p verbatim.Prompt) (n int) {
	for _, m := range p {
		for _, part := range m.Content {
			n += len(part.Text)
		}
	}
	return n
}

// Refused reports whether a request in a batch was refused because of its token limit. It lowers the
// limit of later batches then.
func (l *Limiter) Refused(q *verbatim.Request, err error) bool {
	f, ok := errors.AsType[*verbatim.Failure](err)
	if !ok {
		return false
	}
	l.mu.Lock()
	first := l.accepted == 0 || q.MaxTokens > l.accepted // its message names the limit
	l.mu.Unlock()
	lower, ok := lowerLimit(f, q, first)
	if ok {
		l.accept(lower)
	}
	return ok
}

// accept notes a token limit that is lower than the requested one and that the server accepted.
func (l *Limiter) accept(tokens int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.accepted == 0 || tokens < l.accepted {
		l.accepted = tokens
	}
}

// limitWords matches messages of servers that refuse a token limit.
var limitWords = regexp.MustCompile(`(?i)max_?tokens|max_(completion|output|new)_tokens|maxOutputTokens|num_predict|maximum context|context length`)

// numbers finds numbers in a message.
var numbers = regexp.MustCompile(`\d[\d,]*`)

// lowerLimit returns the token limit to send after a server refused that of q; false if it refused q
// for another reason. At first it is the largest lower number in the server's message, less the
// tokens of the prompt. If the server refuses that too, it is the limit of the answer.
func lowerLimit(f *verbatim.Failure, q *verbatim.Request, first bool) (int, bool) {
	if f.Err == nil {
		return 0, false
	}
	message := f.Err.Error() // without the number of the status
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

// An EmptyError ends a run whose first answers are all empty.
type EmptyError struct {
	error
	Flag   string // the flag that raises the limit; "": no limit is the cause
	Tokens int    // the value for the flag
	Advice string // what to do, without the flag and its value
}

// Unwrap returns the error as a command prints it.
func (e EmptyError) Unwrap() error { return e.error }

// Check returns an EmptyError if the first answers are all empty: the money for later ones would be
// wasted. Otherwise it returns nil.
func (l *Limiter) Check() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known.KeepGoing || l.answers < FirstAnswers || l.stuck+l.blank < l.answers || l.known.Compared && l.blank > 0 {
		return nil
	}
	if l.blank >= l.stuck {
		return l.blankError()
	}
	return l.stuckError()
}

// blankError returns the error of answers that the model ended without content.
func (l *Limiter) blankError() error {
	advice := "'verbatim show' has the replies"
	if l.reasons {
		advice = "all they have is reasoning: the server may take the whole reply for reasoning, so start it without a reasoning parser, or with the one of this model"
	}
	return EmptyError{error: errkind.Runtimef(advice+"; --keep-going continues anyway",
		"the first %d answers are all empty, and the model ended them by itself", l.answers)}
}

// stuckError returns the error of answers that the token limit ended before any content.
func (l *Limiter) stuckError() error {
	params, compared := l.known.Params, l.known.Compared
	e := EmptyError{Flag: "--max-tokens", Tokens: 4 * params.MaxTokens}
	var advice []string
	if params.MaxTokens == 0 {
		e.Flag, e.Tokens = "--reasoning-tokens", max(DefaultReasoningTokens, 4*params.ReasoningTokens)
		if !compared {
			advice = append(advice, "set the whole limit with --max-tokens")
		}
	}
	if params.Effort == "" {
		advice = append(advice, "request less reasoning with --reasoning-effort low")
	}
	if !compared {
		advice = append(advice, "continue anyway with --keep-going")
	}
	raise := "raise the limit"
	if compared && e.Flag == "--max-tokens" {
		raise = "make a baseline with a larger limit,"
	}
	e.Advice = strings.Join(append(advice, "or "+raise), ", ")
	if len(advice) == 0 {
		e.Advice = raise
	}
	e.error = errkind.Runtimef(e.Advice+" with "+e.Flag+" "+strconv.Itoa(e.Tokens),
		"the first %d answers are all empty: the model was still reasoning when it reached its token limit", l.answers)
	return e
}
