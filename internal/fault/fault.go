package fault

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// A Fault is one way to misbehave, and when. The zero value is no fault.
type Fault struct {
	// Kind is one of Kinds, or an HTTP status from 400 to 599.
	Kind string
	// Share is the chance that it happens to a request that it may happen to.
	Share float64
	// From and To are the positions of the requests that it may happen to, in the order
	// of arrival at the server, the first being 1; both are included. From 0 is
	// every position, To 0 with a From is From.
	From, To int64
	// Attempts confines it to the first requests for the same prompt: 1 means that the
	// second try gets through. 0 is no bound.
	Attempts int

	// After is the wait that an error asks for, in the form of Form: "seconds" (the
	// default; Retry-After, and RetryInfo in Gemini's), "date" (an HTTP date), "ms"
	// (Retry-After-Ms), "none".
	After time.Duration
	Form  string
	// Param is what an error of status 400 complains about.
	Param string
	// Word is the finish reason of the fault "finish".
	Word string
	// At is where an answer breaks: below 1 a share of the body, from 1 a number of
	// bytes, 0 a position that is drawn. An error inside a stream and a stall take it
	// for a share of the events.
	At float64
	// End is how a cut answer ends: "clean" (as if it were all; the default),
	// "reset", "short" (fewer bytes than announced; a stream without its last chunk).
	End string
	// Every is the time between pieces of what is slow, and For how long a stall
	// lasts before the answer goes on; 0 is endless. Neither obeys Pace.Clock.
	Every, For time.Duration
}

// Check finds what makes no sense in a fault.
func (f *Fault) Check() error {
	k := f.Description()
	switch {
	case k == nil:
		return fmt.Errorf("there is no fault %q", f.Kind)
	case !(f.Share >= 0 && f.Share <= 1):
		return fmt.Errorf("fault %s: its share is %v and must lie between 0 and 1", f.Kind, f.Share)
	case f.From < 0 || f.To != 0 && f.To < f.From:
		return fmt.Errorf("fault %s: there are no places from %d to %d", f.Kind, f.From, f.To)
	case f.Attempts < 0:
		return fmt.Errorf("fault %s: it cannot happen to the first %d attempts", f.Kind, f.Attempts)
	case (f.Kind == "finish") != (f.Word != ""):
		return fmt.Errorf("fault %s: word= names a finish reason, such as network_error, and goes with the fault finish", f.Kind)
	case f.After < 0 || f.Every < 0 || f.For < 0:
		return fmt.Errorf("fault %s: its times cannot be negative", f.Kind)
	case !(f.At >= 0 && f.At < 1<<40):
		return fmt.Errorf("fault %s: at is %v and must be a share or a number of bytes", f.Kind, f.At)
	case f.Form != "" && !slices.Contains(waitForms, f.Form):
		return fmt.Errorf("fault %s: form must be one of %v, got %q", f.Kind, waitForms, f.Form)
	case f.End != "" && !slices.Contains(cutEnds, f.End):
		return fmt.Errorf("fault %s: an answer ends in one of the ways %v, not %q", f.Kind, cutEnds, f.End)
	}
	return nil
}

var (
	waitForms = []string{"seconds", "date", "ms", "none"}
	cutEnds   = []string{"clean", "reset", "short"}
)

// A Kind describes a kind of fault for people.
type Kind struct {
	Name   string
	Doc    string // a phrase
	Stage  Stage
	Status int // of a refusal, and of what stands instead of an answer
}

// A Stage is where in the course of an answer a fault acts.
type Stage int

const (
	StageError    Stage = iota + 1 // instead of an answer, before a slot is taken
	StageInstead                   // instead of an answer, with a status of success or none at all
	StageReply                     // the answer is rendered differently
	StageDelivery                  // the rendered bytes are sent differently
	StageHarmless                  // as recuts or rewords, and the answer is whole all the same
)

// Kinds lists the kinds of faults, in the order of the help.
func Kinds() []Kind { return slices.Clone(kinds) }

var kinds = []Kind{
	{"429", "too many requests; wait after=, form=seconds, date, ms or none", StageError, 429},
	{"quota", "429: the account has no credit left", StageError, 429},
	{"400", "a parameter is not supported; param= names it", StageError, 400},
	{"context", "400: prompt and answer exceed the context", StageError, 400},
	{"401", "the key is refused", StageError, 401},
	{"403", "the key may not do this", StageError, 403},
	{"404", "there is no such model", StageError, 404},
	{"500", "internal error", StageError, 500},
	{"502", "a proxy's web page", StageError, 502},
	{"503", "the server is overloaded", StageError, 503},
	{"loading", "503: the model is still being loaded", StageError, 503},
	{"529", "overloaded, as Anthropic sends it", StageError, 529},

	{"reset", "the connection is reset before an answer", StageInstead, 0},
	{"hangup", "the connection is closed before an answer", StageInstead, 0},
	{"empty", "status 200 and an empty body", StageInstead, 200},
	{"page", "status 200 and a web page", StageInstead, 200},
	{"error200", "status 200 and an error in JSON", StageInstead, 200},
	{"numeric", "the same, with a number for a code and empty choices", StageInstead, 200},

	{"midway", "an error within the stream; at= is the share sent before it", StageReply, 0},
	{"unended", "the whole text, but no finish reason and no end marker", StageReply, 0},
	{"undone", "a finish reason, but no end marker", StageReply, 0},
	{"unfinished", "an end marker, but no finish reason", StageReply, 0},
	{"mojibake", "the answer's UTF-8 read as Latin-1", StageReply, 0},
	{"not-utf8", "a byte in the answer that is not UTF-8", StageReply, 0},
	{"length", "truncated by the token limit; at= is the share that is sent", StageReply, 0},
	{"filter", "no text: a content filter stopped it", StageReply, 0},
	{"refusal", "the model declines", StageReply, 0},
	{"finish", "another finish reason; word= names it, such as network_error", StageReply, 0},

	{"cut", "the body ends early; at= is where; end=clean, reset or short", StageDelivery, 0},
	{"stall", "no more data; at=0 is before the headers, for= ends it", StageDelivery, 0},
	{"murmur", "endless comments instead of an answer, one per every=", StageDelivery, 0},

	{"trickle", "one byte at a time, one per every=", StageHarmless, 0},
	{"split", "flushed inside characters, lines and events", StageHarmless, 0},
	{"clump", "the whole stream in one piece", StageHarmless, 0},
	{"crlf", "lines end in CR LF", StageHarmless, 0},
	{"comments", "comments between the events, blank lines before JSON", StageHarmless, 0},
	{"unknown", "unknown events and fields", StageHarmless, 0},
	{"bom", "a byte order mark first", StageHarmless, 0},
	{"error-null", `"error": null next to the answer`, StageHarmless, 0},
	{"usage-missing", "no token counts", StageHarmless, 0},
	{"usage-null", "token counts that are null", StageHarmless, 0},
	{"usage-zero", "token counts that are 0", StageHarmless, 0},
	{"usage-twice", "token counts twice, the first ones too small", StageHarmless, 0},
	{"usage-huge", "token counts that overflow a 64-bit integer", StageHarmless, 0},
	{"closes", "the connection is closed after the answer without notice", StageHarmless, 0},
}

// Description returns the description of the fault's kind, or nil.
func (f *Fault) Description() *Kind {
	for i := range kinds {
		if kinds[i].Name == f.Kind {
			return &kinds[i]
		}
	}
	if n, err := strconv.Atoi(f.Kind); err == nil && n >= 400 && n <= 599 {
		return &Kind{f.Kind, "an error of that status", StageError, n}
	}
	return nil
}

// applies reports whether the fault may happen to a request at that position, which is
// the try-th (from 0) for its prompt.
func (f *Fault) applies(position int64, attempt int) bool {
	if f.From > 0 && (position < f.From || position > max(f.From, f.To)) {
		return false
	}
	return f.Attempts == 0 || attempt < f.Attempts
}

// Choose draws the fault that happens to a request, nil for none: u is drawn
// uniformly from [0, 1). Of the faults that may happen each has its share.
func Choose(faults []Fault, position int64, attempt int, u float64) *Fault {
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
