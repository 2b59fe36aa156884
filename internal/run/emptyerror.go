package run

import (
	"strconv"
	"strings"

	"verbatim/internal/errkind"
)

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
