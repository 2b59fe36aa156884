package fake

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// A Fault is a fault, and the requests to which it may happen. The zero value is no fault.
type Fault struct {
	// faultKind is one of Kinds, or an HTTP status from 400 to 599.
	Kind string
	// Share is the probability that it happens to a request to which it may happen.
	Share float64
	// From and To are the positions of these requests in the order of arrival, from 1; both
	// are included. From 0 is every position. To 0 is From.
	From, To int64
	// Attempts is the number of requests with the same prompt, from the first, to which it may
	// happen. With 1 the second attempt succeeds. 0 is all.
	Attempts int

	// After is the wait that an error asks for, in the form of Form: "seconds" (the
	// default; Retry-After, and RetryInfo in Gemini's), "date" (an HTTP date), "ms"
	// (Retry-After-Ms), "none".
	After time.Duration
	Form  string
	// Param is the parameter that an error of status 400 names.
	Param string
	// Word is the finish reason of the fault "finish".
	Word string
	// At is where an answer breaks off: below 1 a share of the body, from 1 a number of bytes,
	// 0 a position that is drawn. For an error inside a stream it is a share of the text.
	At float64
	// End is how a cut answer ends: "clean" (as a complete one does; the default), "reset", or
	// "short" (fewer bytes than announced, or no last chunk).
	End string
	// Every is the time between the pieces of a slow answer. For is how long a stall lasts; 0
	// is endless. Both are real time, whatever Pace.Clock is.
	Every, For time.Duration
}

// Check returns an error if a field of the fault is invalid.
func (f *Fault) Check() error {
	k := f.description()
	switch {
	case k == nil:
		return fmt.Errorf("there is no fault %q", f.Kind)
	case !(f.Share >= 0 && f.Share <= 1):
		return fmt.Errorf("fault %s: the share must be between 0 and 1, got %v", f.Kind, f.Share)
	case f.From < 0 || f.To != 0 && f.To < f.From:
		return fmt.Errorf("fault %s: there are no positions from %d to %d", f.Kind, f.From, f.To)
	case f.Attempts < 0:
		return fmt.Errorf("fault %s: the number of attempts must be 0 or more, got %d", f.Kind, f.Attempts)
	case (f.Kind == "finish") != (f.Word != ""):
		return fmt.Errorf("fault %s: word= names a finish reason, such as network_error, and goes with the fault finish", f.Kind)
	case f.After < 0 || f.Every < 0 || f.For < 0:
		return fmt.Errorf("fault %s: its times cannot be negative", f.Kind)
	case !(f.At >= 0 && f.At < 1<<40):
		return fmt.Errorf("fault %s: at must be a share or a number of bytes, got %v", f.Kind, f.At)
	case f.Form != "" && !slices.Contains(waitForms, f.Form):
		return fmt.Errorf("fault %s: form must be one of %v, got %q", f.Kind, waitForms, f.Form)
	case f.End != "" && !slices.Contains(cutEnds, f.End):
		return fmt.Errorf("fault %s: end must be one of %v, got %q", f.Kind, cutEnds, f.End)
	}
	return nil
}

var (
	waitForms = []string{"seconds", "date", "ms", "none"}
	cutEnds   = []string{"clean", "reset", "short"}
)

// A Kind is a kind of fault.
type faultKind struct {
	Name   string
	Doc    string // a noun phrase or a clause, for the help
	Stage  faultStage
	Status int // of the response that is sent instead of an answer; 0: none
}

// A Stage is the effect of a fault on the answer.
type faultStage int

// The stages.
const (
	stageError    faultStage = iota + 1 // an error is sent instead of the answer, before a slot is taken
	stageInstead                        // something else is sent instead of the answer, with status 200 or none
	stageReply                          // the answer itself is another one
	stageDelivery                       // the bytes of the answer are sent in another way
	stageHarmless                       // the answer is written or sent in another way, but is complete
)

// FaultKinds lists the kinds of faults, in the order of the help.
func FaultKinds() []faultKind { return slices.Clone(kinds) }

var kinds = []faultKind{
	{"429", "too many requests; wait after=, form=seconds, date, ms or none", stageError, 429},
	{"quota", "429: the account has no credit left", stageError, 429},
	{"400", "a parameter is not supported; param= names it", stageError, 400},
	{"context", "400: prompt and answer exceed the context", stageError, 400},
	{"401", "the key is refused", stageError, 401},
	{"403", "the key may not do this", stageError, 403},
	{"404", "there is no such model", stageError, 404},
	{"500", "internal error", stageError, 500},
	{"502", "a proxy's web page", stageError, 502},
	{"503", "the server is overloaded", stageError, 503},
	{"loading", "503: the model is still being loaded", stageError, 503},
	{"529", "overloaded, as Anthropic sends it", stageError, 529},

	{"reset", "the connection is reset before an answer", stageInstead, 0},
	{"hangup", "the connection is closed before an answer", stageInstead, 0},
	{"empty", "status 200 and an empty body", stageInstead, 200},
	{"page", "status 200 and a web page", stageInstead, 200},
	{"error200", "status 200 and an error in JSON", stageInstead, 200},
	{"numeric", "the same, with a number for a code and empty choices", stageInstead, 200},

	{"midway", "an error within the stream; at= is the share sent before it", stageReply, 0},
	{"unended", "the whole text, but no finish reason and no end marker", stageReply, 0},
	{"undone", "a finish reason, but no end marker", stageReply, 0},
	{"unfinished", "an end marker, but no finish reason", stageReply, 0},
	{"mojibake", "the answer's UTF-8 read as Latin-1", stageReply, 0},
	{"not-utf8", "a byte in the answer that is not UTF-8", stageReply, 0},
	{"length", "truncated by the token limit; at= is the share that is sent", stageReply, 0},
	{"filter", "no text: a content filter stopped it", stageReply, 0},
	{"refusal", "the model declines", stageReply, 0},
	{"finish", "another finish reason; word= names it, such as network_error", stageReply, 0},

	{"cut", "the body ends early; at= is where; end=clean, reset or short", stageDelivery, 0},
	{"stall", "no more data; at=0 is before the headers, for= ends it", stageDelivery, 0},
	{"murmur", "endless comments instead of an answer, one per every=", stageDelivery, 0},

	{"trickle", "one byte at a time, one per every=", stageHarmless, 0},
	{"split", "flushed inside characters, lines and events", stageHarmless, 0},
	{"clump", "the whole stream in one piece", stageHarmless, 0},
	{"crlf", "lines end in CR LF", stageHarmless, 0},
	{"comments", "comments between the events, blank lines before JSON", stageHarmless, 0},
	{"unknown", "unknown events and fields", stageHarmless, 0},
	{"bom", "a byte order mark first", stageHarmless, 0},
	{"error-null", `"error": null next to the answer`, stageHarmless, 0},
	{"usage-missing", "no token counts", stageHarmless, 0},
	{"usage-null", "token counts that are null", stageHarmless, 0},
	{"usage-zero", "token counts that are 0", stageHarmless, 0},
	{"usage-twice", "token counts twice, the first ones too small", stageHarmless, 0},
	{"usage-huge", "token counts that overflow a 64-bit integer", stageHarmless, 0},
	{"closes", "the connection is closed after the answer without notice", stageHarmless, 0},
}

// Description returns the kind of the fault, nil if it is unknown.
func (f *Fault) description() *faultKind {
	for i := range kinds {
		if kinds[i].Name == f.Kind {
			return &kinds[i]
		}
	}
	if n, err := strconv.Atoi(f.Kind); err == nil && n >= 400 && n <= 599 {
		return &faultKind{f.Kind, "an error of that status", stageError, n}
	}
	return nil
}

// applies reports whether the fault may happen to the request at that position, which is the
// attempt-th for its prompt, from 0.
func (f *Fault) applies(position int64, attempt int) bool {
	if f.From > 0 && (position < f.From || position > max(f.From, f.To)) {
		return false
	}
	return f.Attempts == 0 || attempt < f.Attempts
}

// chooseFault returns the fault that happens to a request; nil: none. Each fault that may happen has its
// share as its probability, for u drawn uniformly from [0, 1). position and attempt are those of the
// request, from 1 and from 0.
func chooseFault(faults []Fault, position int64, attempt int, u float64) *Fault {
	for i := range faults {
		f := &faults[i]
		if !f.applies(position, attempt) {
			continue
		}
		if u < f.Share {
			return f
		}
		u -= f.Share
	}
	return nil
}
