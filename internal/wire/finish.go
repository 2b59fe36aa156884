package wire

import (
	"verbatim"
	"verbatim/internal/finish"
)

// Finish translates a finish reason of a server, as package finish lists them. One that means a
// failure of the server becomes FinishOther: call FinishFailure first.
func Finish(raw string) verbatim.Finish { return finish.Of(raw).Finish() }

// FinishFailure returns the error of a reply whose finish reason says that the server
// failed, nil for other reasons. Such a reply does not count, whatever its text.
func FinishFailure(raw string) error {
	if finish.Of(raw) != finish.Failure {
		return nil
	}
	return failedFinish(raw)
}

func failedFinish(raw string) *serverError {
	return &serverError{message: "the server gave up the reply: finish reason " + CleanLine(raw, maxValue)}
}

// finishError returns the error of a reply that the server gave up, nil for other replies.
func (a *partialReply) finishError() error {
	if a.promptBlocked || a.finish == "" {
		return nil
	}
	if a.meaning() == finish.Failure {
		s := failedFinish(a.finish)
		if a.finishMessage != "" {
			s.message += ": " + a.finishMessage
		}
		return s
	}
	// A router translates the reason of the server behind it, and may translate a failure into
	// success.
	if finish.Of(a.nativeFinish) == finish.Failure {
		return failedFinish(a.nativeFinish)
	}
	return nil
}

// mappedFinish returns the finish reason in the vocabulary of package verbatim.
func (a *partialReply) mappedFinish() verbatim.Finish {
	switch {
	case a.promptBlocked:
		return verbatim.FinishFilter
	case len(a.refusal) > 0:
		return verbatim.FinishRefusal
	case a.reachedLimit:
		return verbatim.FinishLength
	}
	own := a.meaning()
	if own == finish.Stop || own == finish.Unknown {
		switch native := finish.Of(a.nativeFinish); native {
		case finish.Length, finish.Filter, finish.Refusal:
			return native.Finish()
		}
	}
	return own.Finish()
}

// ClosedByUs is the finish reason of a reply that this program ended because it was longer than
// Request.ContentTokens or Request.MaxTokens allows.
const ClosedByUs = "closed: longer than an answer may be"

// endAtLimit ends a reply as a server does at the token limit.
func (a *partialReply) endAtLimit() {
	a.text = a.text[:a.call.content.End(a.text)]
	a.reachedLimit = true
	a.finish = ClosedByUs
	a.meaningOf = func(string) finish.Meaning { return finish.Length }
}
