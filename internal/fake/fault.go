package fake

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/finish"
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

	{"shorten", "a prompt of more than at= tokens (2048) is shortened to these, without a word", stageReply, 0},

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

// ParseFaults reads faults from a command line or a file, separated by white space. The rest of a line
// after # is ignored. A fault is
//
//	KIND[@PLACE][:SHARE][,NAME=VALUE...]
//
// KIND is one of Kinds or an HTTP status. PLACE is the position of a request in the order of
// arrival, from 1, or a range of positions ("3-5"). SHARE is the probability that the fault happens;
// the default is 1. The names are tries, for Attempts, and after, form, param, word, at, end, every
// and for, for the fields of the same names. Times are written as in Go ("1.5s") or as a number of
// seconds.
//
//	429:0.05,after=2 cut:0.01,end=reset 500@1-3 stall@4,at=0.5
func ParseFaults(text string) ([]Fault, error) {
	var out []Fault
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			f, err := parseFault(word)
			if err != nil {
				return nil, &FaultError{word, err}
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// An Error is the error of a fault in the text that Parse reads.
type FaultError struct {
	Fault string
	Err   error
}

func (e *FaultError) Error() string { return fmt.Sprintf("the fault %q: %v", e.Fault, e.Err) }

// Unwrap returns the reason.
func (e *FaultError) Unwrap() error { return e.Err }

// Hint returns how a fault is written.
func (e *FaultError) Hint() string {
	return "write KIND[@PLACE][:SHARE][,NAME=VALUE...], as in 429:0.05,after=2; 'verbatim fake --help' lists the kinds"
}

// Misuse marks the error as one of usage.
func (e *FaultError) Misuse() bool { return true }

func parseFault(word string) (Fault, error) {
	head, rest, more := strings.Cut(word, ",")
	head, share, shared := strings.Cut(head, ":")
	kind, place, placed := strings.Cut(head, "@")
	f := Fault{Kind: kind, Share: 1}
	var err error
	if shared {
		if f.Share, err = strconv.ParseFloat(share, 64); err != nil {
			return f, fmt.Errorf("the share must be a number, got %q", share)
		}
	}
	if placed {
		if err := f.parsePosition(place); err != nil {
			return f, err
		}
	}
	for more {
		var pair string
		pair, rest, more = strings.Cut(rest, ",")
		name, value, _ := strings.Cut(pair, "=")
		if err := f.set(name, value); err != nil {
			return f, fmt.Errorf("%s: %w", name, err)
		}
	}
	return f, f.Check()
}

func (f *Fault) parsePosition(place string) error {
	from, to, ranged := strings.Cut(place, "-")
	var err1, err2 error
	f.From, err1 = strconv.ParseInt(from, 10, 64)
	f.To = f.From
	if ranged {
		f.To, err2 = strconv.ParseInt(to, 10, 64)
	}
	if err1 != nil || err2 != nil || f.From < 1 || f.To < f.From {
		return fmt.Errorf("the place must be a number from 1 or a range such as 3-5, got %q", place)
	}
	return nil
}

// set sets a field by its name in the text.
func (f *Fault) set(name, value string) (err error) {
	switch name {
	case "tries":
		f.Attempts, err = strconv.Atoi(value)
		if err == nil && f.Attempts < 1 {
			err = fmt.Errorf("it must be at least 1, got %d", f.Attempts)
		}
	case "after":
		f.After, err = parseTime(value)
	case "every":
		f.Every, err = parseTime(value)
	case "for":
		f.For, err = parseTime(value)
	case "form":
		f.Form = value
	case "param":
		f.Param = value
	case "word":
		f.Word = value
	case "end":
		f.End = value
	case "at":
		f.At, err = strconv.ParseFloat(value, 64)
	default:
		err = errors.New("there is no such setting")
	}
	return err
}

// parseTime reads a duration in Go's form, or a number of seconds.
func parseTime(s string) (time.Duration, error) {
	if n, err := strconv.ParseFloat(s, 64); err == nil && n >= 0 && n < 1e9 {
		return time.Duration(n * float64(time.Second)), nil
	}
	return time.ParseDuration(s)
}

// String returns the text of the fault that Parse reads.
func (f Fault) String() string {
	var b strings.Builder
	b.WriteString(f.Kind)
	if f.From > 0 {
		fmt.Fprintf(&b, "@%d", f.From)
		if f.To > f.From {
			fmt.Fprintf(&b, "-%d", f.To)
		}
	}
	if f.Share != 1 {
		fmt.Fprintf(&b, ":%v", f.Share)
	}
	if f.Attempts > 0 {
		fmt.Fprintf(&b, ",tries=%d", f.Attempts)
	}
	for _, d := range []struct {
		name string
		v    time.Duration
	}{{"after", f.After}, {"every", f.Every}, {"for", f.For}} {
		if d.v > 0 {
			fmt.Fprintf(&b, ",%s=%v", d.name, d.v)
		}
	}
	for _, s := range []struct{ name, v string }{{"form", f.Form}, {"param", f.Param}, {"word", f.Word}, {"end", f.End}} {
		if s.v != "" {
			fmt.Fprintf(&b, ",%s=%s", s.name, s.v)
		}
	}
	if f.At > 0 {
		fmt.Fprintf(&b, ",at=%v", f.At)
	}
	return b.String()
}

// change changes the reply as the fault says; nil: no fault. It reports whether a client that
// receives all of it has a whole answer.
func (r *reply) change(f *Fault) (whole bool) {
	if f == nil {
		return true
	}
	share := f.At
	if share <= 0 || share >= 1 {
		share = 0.5
	}
	switch f.Kind {
	case "midway":
		r.text = headOf(r.text, share)
		r.apiError = &apiError{status: http.StatusInternalServerError, message: "The engine failed in the middle of the answer.", code: "server_error"}
		return false
	case "unended":
		r.noFinish, r.noEnd = true, true
		return false
	case "undone":
		r.noEnd = true
		r.noFinish = !r.request.stream
		return false
	case "unfinished":
		r.noFinish = true
		return false
	case "mojibake":
		r.text = mojibake(r.text)
	case "not-utf8":
		head := headOf(r.text, 0.5)
		r.text = head + "\xff" + r.text[len(head):]
	case "length":
		r.text, r.finish = headOf(r.text, share), verbatim.FinishLength
	case "filter":
		r.text, r.finish = "", verbatim.FinishFilter
	case "refusal":
		r.text, r.finish = "I'm sorry, but I can't help with that.", verbatim.FinishRefusal
	case "finish":
		r.finishOverride = f.Word
		return finish.Of(f.Word) != finish.Failure
	case "shorten":
		if kept := int64(cmp.Or(f.At, 2048)); r.prompt > kept {
			r.text, r.prompt = headOf(r.text, float64(kept)/float64(r.prompt)), kept
		}
	case "error-null":
		r.errorNull = true
	case "unknown":
		r.unknownFields = true
	case "usage-missing", "usage-null", "usage-zero", "usage-twice", "usage-huge":
		r.usage = f.Kind[len("usage-"):]
	case "cut", "murmur":
		return false
	case "stall":
		return f.For > 0
	}
	return true
}

// headOf returns a share of a text, its beginning, in whole characters.
func headOf(text string, share float64) string {
	runes := []rune(text)
	return string(runes[:int(float64(len(runes))*share)])
}

// mojibake returns the text that UTF-8 read as Latin-1 gives. In a text of ASCII, which that does
// not change, a character becomes U+FFFD.
func mojibake(text string) string {
	var out []rune
	for i := range len(text) {
		out = append(out, rune(text[i]))
	}
	if len(out) == len([]rune(text)) && len(out) > 0 {
		out[len(out)/2] = '\ufffd'
	}
	return string(out)
}

// changeDelivery changes how the script is sent, as the fault says.
func (d *delivery) changeDelivery(f *Fault) {
	if f == nil {
		return
	}
	s, events := d.script, d.request.stream && !d.request.wire.jsonLines && !d.request.array
	switch f.Kind {
	case "cut":
		at := d.position(f)
		if d.announced >= 0 && (f.End == "" || f.End == "clean") {
			d.announced = at
		}
		d.end = f.End
		s.truncate(at)
	case "stall":
		d.stallAt, d.stallFor = 0, f.For
		if f.At > 0 {
			d.stallAt = s.split(d.position(f))
		}
	case "murmur":
		d.comment, d.every = "\n", f.Every
		if events {
			d.comment = ": still at it\n\n"
		}
		if d.every == 0 {
			d.every = time.Second
		}
	case "trickle":
		d.every = f.Every
		s.splitWhere(func(int) bool { return true })
	case "split":
		s.splitWhere(func(i int) bool { return i%11 == 0 || !utf8.RuneStart(s.b[i]) })
	case "clump":
		s.pieces = []piece{{len(s.b), s.tokens()}}
	case "closes":
		d.closeAfter = true
	default:
		d.changeFraming(f.Kind, events)
	}
	if d.announced >= 0 && f.Kind != "cut" {
		d.announced = len(s.b)
	}
}

// changeFraming changes the body without changing its meaning. events says that it is a stream
// of server-sent events.
func (d *delivery) changeFraming(kind string, events bool) {
	s := d.script
	switch kind {
	case "crlf":
		if d.request.stream && !bytes.Contains(s.b, []byte("\r\n")) {
			s.rewrite(func(piece []byte) []byte { return bytes.ReplaceAll(piece, []byte("\n"), []byte("\r\n")) })
		}
	case "comments":
		between := "\n"
		if events {
			between = ": keep-alive\n\n"
		}
		s.rewrite(func(piece []byte) []byte { return slices.Concat([]byte(between), piece) })
	case "unknown":
		if events && !d.request.wire.unnamedEvents {
			s.rewrite(func(piece []byte) []byte {
				return slices.Concat([]byte("event: unknown.event\ndata: {\"type\":\"unknown.event\",\"sequence_number\":0}\n\n"), piece)
			})
		}
	case "bom":
		first := true
		s.rewrite(func(piece []byte) []byte {
			if first {
				first = false
				return slices.Concat([]byte("\xEF\xBB\xBF"), piece)
			}
			return piece
		})
	}
}

// position returns the number of bytes that come before the fault. At least the last three bytes
// come after it, so that more than a line end is missing.
func (d *delivery) position(f *Fault) int {
	n := len(d.script.b)
	at := 0
	switch {
	case f.At >= 1:
		at = int(f.At)
	case f.At > 0:
		at = int(f.At * float64(n))
	default:
		at = d.request.rand(d.config.Seed, drawPosition).IntN(n)
	}
	return max(0, min(at, n-3))
}

// truncate drops what comes after the first n bytes.
func (s *script) truncate(n int) {
	i := s.split(n)
	s.b, s.pieces = s.b[:n], s.pieces[:i]
}

// split ends a piece after the first n bytes, and returns the index of the next piece.
func (s *script) split(n int) int {
	for i, p := range s.pieces {
		switch {
		case p.end == n:
			return i + 1
		case p.end > n:
			s.pieces = slices.Insert(s.pieces, i, piece{n, 0})
			return i + 1
		}
	}
	return len(s.pieces)
}

// splitWhere splits the pieces further: before every byte whose index isStart accepts.
func (s *script) splitWhere(isStart func(i int) bool) {
	var pieces []piece
	start := 0
	for _, p := range s.pieces {
		for i := start + 1; i < p.end; i++ {
			if isStart(i) {
				pieces = append(pieces, piece{i, 0})
			}
		}
		pieces = append(pieces, p)
		start = p.end
	}
	s.pieces = pieces
}

// rewrite replaces the bytes of every piece by what changed returns for them.
func (s *script) rewrite(changed func(text []byte) []byte) {
	var out script
	s.eachPiece(func(text []byte, p piece) {
		out.b = append(out.b, changed(text)...)
		out.flush(p.tokens)
	})
	*s = out
}
