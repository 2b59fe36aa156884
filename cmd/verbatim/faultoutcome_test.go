package main

import (
	"time"

	"verbatim"
)

// A faultOutcome is what becomes of every item under a fault that does not end.
type faultOutcome struct {
	fault    string
	outcome  verbatim.Outcome
	class    verbatim.Class // "" is an answer
	status   int
	attempts int
	wait     time.Duration // the least wait before each retry
	ends     bool          // no further request is sent: the endpoint serves none
	// partial says when the text that had arrived is saved with the attempt: never, if
	// it was streamed, or always.
	partial partial
	// stale: a connection that is reused may break before a byte of the reply came. It
	// may have been closed long before; so the request is sent again on another
	// connection, and this is saved as a part of the same attempt.
	stale bool
}

type partial int

const (
	nothing partial = iota
	inPieces
	always
)

// soon is the least that is waited where the server does not say how long.
const soon = 250 * time.Millisecond

// outcomes lists the fault kinds of the faulty server. On every wire, streamed or
// not, they end the same.
var outcomes = []faultOutcome{
	// Temporary failures are retried, no sooner than the server asks.
	{fault: "429", outcome: verbatim.Errored, class: verbatim.Rate, status: 429, attempts: 3, wait: soon},
	{fault: "429,after=2", outcome: verbatim.Errored, class: verbatim.Rate, status: 429, attempts: 3, wait: 2 * time.Second},
	{fault: "429,after=2,form=date", outcome: verbatim.Errored, class: verbatim.Rate, status: 429, attempts: 3, wait: 2 * time.Second},
	{fault: "429,after=2.5,form=ms", outcome: verbatim.Errored, class: verbatim.Rate, status: 429, attempts: 3, wait: 2500 * time.Millisecond},
	{fault: "500", outcome: verbatim.Errored, class: verbatim.Overload, status: 500, attempts: 3, wait: soon},
	{fault: "502", outcome: verbatim.Errored, class: verbatim.Overload, status: 502, attempts: 3, wait: soon},
	{fault: "503", outcome: verbatim.Errored, class: verbatim.Overload, status: 503, attempts: 3, wait: soon},
	{fault: "503,after=3", outcome: verbatim.Errored, class: verbatim.Overload, status: 503, attempts: 3, wait: 3 * time.Second},
	{fault: "loading", outcome: verbatim.Errored, class: verbatim.Overload, status: 503, attempts: 3, wait: soon},
	{fault: "529", outcome: verbatim.Errored, class: verbatim.Overload, status: 529, attempts: 3, wait: soon},
	{fault: "reset", outcome: verbatim.Errored, class: verbatim.Transport, attempts: 3, wait: soon, stale: true},
	{fault: "hangup", outcome: verbatim.Errored, class: verbatim.Transport, attempts: 3, wait: soon, stale: true},
	{fault: "error200", outcome: verbatim.Errored, class: verbatim.Overload, status: 200, attempts: 3, wait: soon},
	{fault: "numeric", outcome: verbatim.Errored, class: verbatim.Overload, status: 200, attempts: 3, wait: soon},
	{fault: "midway", outcome: verbatim.Errored, class: verbatim.Overload, status: 200, attempts: 3, wait: soon, partial: inPieces},
	{fault: "finish,word=network_error", outcome: verbatim.Errored, class: verbatim.Overload, status: 200, attempts: 3, wait: soon, partial: always},

	// An answer that is not whole counts as missing, and the part that arrived is saved with the attempt.
	{fault: "empty", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon},
	{fault: "unended", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: always},
	{fault: "undone", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: always},
	{fault: "unfinished", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: always},
	{fault: "cut,at=0.9", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: inPieces},
	{fault: "cut,at=20", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon},
	{fault: "cut,at=0.9,end=short", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: inPieces},
	{fault: "cut,at=0.9,end=reset", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: inPieces},

	// A request that one of our own limits ended is not retried: it took its full time.
	{fault: "stall", outcome: verbatim.Errored, class: verbatim.Deadline, attempts: 1},
	{fault: "stall,at=0.7", outcome: verbatim.Errored, class: verbatim.Deadline, status: 200, attempts: 1, partial: inPieces},
	{fault: "murmur", outcome: verbatim.Errored, class: verbatim.Deadline, status: 200, attempts: 1},

	// The server would refuse the same request again.
	{fault: "400", outcome: verbatim.Errored, class: verbatim.BadAsk, status: 400, attempts: 1},
	{fault: "context", outcome: verbatim.Errored, class: verbatim.BadAsk, status: 400, attempts: 1},
	{fault: "404", outcome: verbatim.Errored, class: verbatim.BadAsk, status: 404, attempts: 1},
	{fault: "422", outcome: verbatim.Errored, class: verbatim.BadAsk, status: 422, attempts: 1},
	{fault: "page", outcome: verbatim.Errored, class: verbatim.BadAsk, status: 200, attempts: 1},

	// The endpoint serves nothing any more: it gets no further requests.
	{fault: "429,after=600", outcome: verbatim.Errored, class: verbatim.Rate, status: 429, attempts: 1, ends: true},
	{fault: "quota", outcome: verbatim.Errored, class: verbatim.Quota, status: 429, attempts: 1, ends: true},
	{fault: "401", outcome: verbatim.Errored, class: verbatim.Auth, status: 401, attempts: 1, ends: true},
	{fault: "403", outcome: verbatim.Errored, class: verbatim.Auth, status: 403, attempts: 1, ends: true},

	// An answer whose content was changed is an answer, and never the right one.
	{fault: "mojibake", outcome: verbatim.Wrong, status: 200, attempts: 1},
	{fault: "not-utf8", outcome: verbatim.Wrong, status: 200, attempts: 1},
	{fault: "length,at=0.25", outcome: verbatim.Truncated, status: 200, attempts: 1},
	{fault: "filter", outcome: verbatim.Refused, status: 200, attempts: 1},
	{fault: "refusal", outcome: verbatim.Refused, status: 200, attempts: 1},

	// A right answer in an odd form is right.
	{fault: "stall,at=0.5,for=3", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "trickle,every=1ms", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "split", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "clump", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "crlf", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "comments", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "unknown", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "bom", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "error-null", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "usage-missing", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "usage-null", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "usage-zero", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "usage-twice", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "usage-huge", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "closes", outcome: verbatim.Pass, status: 200, attempts: 1},
}

// onWire returns the outcome on a wire. Ollama's errors are texts without a code, and
// it has no name for a filter: a rate limit that says "quota" is one like any other,
// and what a filter has left of an answer is an empty answer.
func (f faultOutcome) onWire(wire string) faultOutcome {
	switch {
	case wire == "ollama" && f.fault == "quota":
		f.class, f.attempts, f.wait, f.ends = verbatim.Rate, 3, soon, false
	case wire == "ollama" && f.fault == "filter":
		f.outcome = verbatim.Wrong
	}
	return f
}
