package wire

import (
	"verbatim"
	"verbatim/internal/finish"
)

// Finish translates a finish reason; package finish has the words. A word that says
// that the server failed maps to FinishOther: ask FinishFailure first.
func Finish(raw string) verbatim.Finish { return finish.Of(raw).Finish() }

// FinishFailure returns the error of a reply whose finish reason says that the
// server failed, nil for every other reason. Such a reply is no answer, whatever
// text came with it.
func FinishFailure(raw string) error {
	if finish.Of(raw) != finish.Failure {
		return nil
	}
	return failedFinish(raw)
}

func failedFinish(raw string) *serverError {
	return &serverError{message: "the server gave the answer up: finish reason " + Clean(raw, longestValue)}
}

// meaning returns what the finish reason says of the reply.
func (a *answer) meaning() finish.Meaning {
	if a.meaningOf == nil {
		return finish.Of(a.finish)
	}
	return a.meaningOf(a.finish)
}

// failure returns the error of an answer that the server gave up.
func (a *answer) failure() error {
	if a.filtered || a.finish == "" {
		return nil
	}
	if a.meaning() == finish.Failure {
		s := failedFinish(a.finish)
		if a.finishMessage != "" {
			s.message += ": " + a.finishMessage
		}
		return s
	}
	// A router translates the reason of the server behind it, and may turn a
	// failure into a word for success.
	if finish.Of(a.native) == finish.Failure {
		return failedFinish(a.native)
	}
	return nil
}

// mapped returns the finish reason in our words.
func (a *answer) mapped() verbatim.Finish {
	switch {
	case a.filtered:
		return verbatim.FinishFilter
	case len(a.refusal) > 0:
		return verbatim.FinishRefusal
	case a.limited:
		return verbatim.FinishLength
	}
	own := a.meaning()
	if own == finish.Stop || own == finish.Unknown {
		switch native := finish.Of(a.native); native {
		case finish.Length, finish.Filter, finish.Refusal:
			return native.Finish()
		}
	}
	return own.Finish()
}
