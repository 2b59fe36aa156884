package wire

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/finish"
	"verbatim/internal/rawjson"
)

// A partialReply is what has arrived of a reply. It is the same for all protocols.
type partialReply struct {
	appliedParams

	key   Key
	clock func() *time.Duration // the time since the start
	touch func()                // restarts the idle limit
	// call checks the size of what arrives; nil: there is no limit.
	call *call
	// maxTokens is the token limit that was sent; 0: none.
	maxTokens int

	text    []byte
	refusal []byte
	// reasoning is by the place that it came in, in the order of the protocol's preference:
	// servers that fill several repeat the same words.
	reasoning  [reasoningPlaces][]byte
	unreadable error // of the first part that could not be read
	// unknownPart is the kind of a part that has text and that no reader knows.
	unknownPart string
	hasMessage  bool   // there was a message, or a piece of one, even without content
	message     []byte // chat: a whole message in a stream, where pieces of one belong

	wantsCall   bool   // the one tool was to be called
	hasToolCall bool   // a tool was called
	calls       int    // the number of calls, except those that have an index
	arguments   []byte // of the first call

	finish        string
	finishMessage string                      // comes with the finish reason
	nativeFinish  string                      // of the server behind a router
	meaningOf     func(string) finish.Meaning // reads a finish reason; nil is finish.Of
	promptBlocked bool                        // a filter stopped the prompt before the reply began
	endsInEvent   bool                        // the stream ended properly, but within an event
	reachedLimit  bool                        // the token limit truncated it, though the finish reason says otherwise
	done          bool                        // the end marker, or the end of the document, has come

	usage       verbatim.Usage
	written     *int64 // tokens of the prompt that were written to the cache
	parts       []verbatim.ServedPart
	queued      *time.Duration // in the server's queue, as the server reports it
	worked      *time.Duration // at the request, as the server reports it
	cost        *verbatim.Money
	id          string // in the body; a header's id is preferred
	model       string
	fingerprint string

	tokens      []verbatim.Token // with log probabilities
	tokenBytes  int              // of the JSON of tokens
	badLogprobs bool             // some could not be read: none counts

	// What noteProgress knows from its last call, and what it found.
	contentBytes, reasoningBytes int
	active                       bool // something else has come since that shows the server at work
	firstReasoning, firstContent *time.Duration
}

// newReply returns the empty reply of the call.
func (c *call) newReply() *partialReply {
	a := &partialReply{key: c.e.Key, clock: c.since, touch: c.touch, call: c, maxTokens: c.size.Tokens, wantsCall: c.wantsCall}
	c.params = &a.appliedParams
	return a
}

// errContentLimit ends the reading of a stream that exceeds the token limits.
var errContentLimit = errors.New("the text is longer than the limit")

// noteProgress notes what is new since its last call. It restarts the idle limit and takes the
// time of the first text of a stream. The error is errContentLimit, or that the reply is too
// large.
func (a *partialReply) noteProgress(streamed bool) error {
	content, thought, longest := len(a.text)+len(a.refusal)+len(a.arguments), 0, 0
	for _, t := range a.reasoning {
		thought += len(t)
		longest = max(longest, len(t))
	}
	moreContent, moreThought := content > a.contentBytes, thought > a.reasoningBytes
	if !moreContent && !moreThought && !a.active {
		return nil
	}
	a.contentBytes, a.reasoningBytes, a.active = content, thought, false
	a.touch()
	if streamed && moreContent && a.firstContent == nil {
		a.firstContent = a.clock()
	}
	if streamed && moreThought && a.firstReasoning == nil {
		a.firstReasoning = a.clock()
	}
	if a.call == nil {
		return nil
	}
	if streamed && a.call.partial != nil && !a.wantsCall {
		a.call.partial(a.text, a.someReasoning())
	}
	if streamed && (moreContent || moreThought) && !a.done && a.finish == "" && a.call.content.exceeded(a.content(), longest, moreContent, a.call.e.Tags) {
		return errContentLimit
	}
	return a.call.checkText(content, thought, a.tokenBytes)
}

// content returns the text that the answer will be in, as far as it has arrived.
func (a *partialReply) content() []byte {
	if a.wantsCall && a.hasToolCall {
		return a.arguments
	}
	return a.text
}

// checkHeld checks the size of a document or an event of which n bytes are in memory.
func (a *partialReply) checkHeld(n int) error {
	if a.call == nil {
		return nil
	}
	return a.call.checkDocument(n)
}

// setFinish sets the finish reason. A missing one, null, and a word for "none" are ignored. A
// failure is not overwritten.
func (a *partialReply) setFinish(raw json.RawMessage) {
	if !rawjson.IsSet(raw) {
		return
	}
	reason := Word(raw)
	if finish.Of(reason) == finish.None {
		return
	}
	a.active = true
	if a.finish == "" || a.meaning() != finish.Failure {
		a.finish = reason
	}
}

// meaning returns the meaning of the finish reason.
func (a *partialReply) meaning() finish.Meaning {
	if a.meaningOf == nil {
		return finish.Of(a.finish)
	}
	return a.meaningOf(a.finish)
}

// cannotRead returns the error that what says, with the beginning of what came.
func (a *partialReply) cannotRead(what string, raw []byte) error {
	return cannotRead(what, raw, a.key)
}

// setUnreadable notes a part that cannot be read, if it is the first one.
func (a *partialReply) setUnreadable(what string, raw []byte) {
	if a.unreadable == nil {
		a.unreadable = a.cannotRead(what, raw)
	}
}

// noReply returns the error of a document without a reply: the server's, if it holds one,
// otherwise that something is missing.
func (a *partialReply) noReply(document []byte, missing string) error {
	if s := parseError(document, a.key, ofBody); s.message != "" {
		return s
	}
	return unreadableError{missing}
}

// addText adds to the text. A missing value and null add nothing; any other value that is no
// string makes the reply unreadable.
func (a *partialReply) addText(raw json.RawMessage) {
	var ok bool
	if a.text, ok = rawjson.AppendText(a.text, raw); !ok && rawjson.IsSet(raw) {
		a.setUnreadable("a text of the reply is no string", raw)
	}
}

// startCall begins a call of a tool and reports whether it is the first one, which alone counts.
func (a *partialReply) startCall() bool {
	a.active = true
	a.calls++
	return a.calls == 1
}

// addArguments adds arguments of the first call: a string that holds JSON, or the JSON itself.
func (a *partialReply) addArguments(raw []byte) {
	if !rawjson.IsSet(raw) {
		return
	}
	if raw[0] == '"' {
		a.arguments, _ = rawjson.AppendText(a.arguments, raw)
	} else {
		a.arguments = append(a.arguments, raw...)
	}
}

// addReasoning adds reasoning to one of its places. Any value but a string adds nothing.
func (a *partialReply) addReasoning(place int, raw json.RawMessage) {
	a.reasoning[place], _ = rawjson.AppendText(a.reasoning[place], raw)
}

// addTokens adds tokens with log probabilities, which read reads. A missing value and null add
// nothing.
func (a *partialReply) addTokens(raw []byte, read func([]byte) ([]verbatim.Token, bool)) {
	if !rawjson.IsSet(raw) {
		return
	}
	a.tokenBytes += len(raw)
	tokens, ok := read(raw)
	a.tokens = append(a.tokens, tokens...)
	a.badLogprobs = a.badLogprobs || !ok
}

// noteUnknownPart notes the kind of an unknown part if the part has text, which is not read.
func (a *partialReply) noteUnknownPart(kind string, part []byte) {
	if text, _ := rawjson.Text(rawjson.Member(part, "text")); text != "" {
		a.unknownPart = cmp.Or(kind, "no kind")
	}
}

// noteMessage notes that there was a message. One that is not an object makes the reply unreadable.
func (a *partialReply) noteMessage(isObject bool, message []byte) {
	if isObject {
		a.hasMessage = true
	} else if rawjson.IsSet(message) {
		a.setUnreadable("a message is no object", message)
	}
}

// checkRole makes the reply unreadable if its message is not the model's.
func (a *partialReply) checkRole(role json.RawMessage) {
	switch string(role) {
	case `"user"`, `"system"`, `"developer"`, `"tool"`:
		a.setUnreadable("the reply is a message of another role than assistant", role)
	}
}

// isEmpty reports whether neither text nor reasoning nor a call has come.
func (a *partialReply) isEmpty() bool {
	n := len(a.text) + len(a.refusal)
	for _, t := range a.reasoning {
		n += len(t)
	}
	return n == 0 && !a.hasToolCall
}

// check returns the error of what was read if it is no reply: the server gave it up, it is
// incomplete or unreadable, or it calls a tool that was not offered.
func (a *partialReply) check(e *Endpoint, to reader) error {
	if err := a.finishError(); err != nil {
		return err
	}
	if a.unreadable != nil {
		return a.unreadable
	}
	if err := to.complete(e); err != nil {
		return err
	}
	if a.unknownPart != "" && len(a.text)+len(a.refusal) == 0 {
		return unreadableError{"the reply has text only in a part of an unknown kind: " + a.unknownPart}
	}
	if a.hasToolCall && !a.wantsCall && len(a.text)+len(a.refusal) == 0 && !a.promptBlocked {
		return unreadableError{"the reply is a call of a tool, though none was offered"}
	}
	return nil
}

// writeReply sets *r to a complete reply.
func (c *call) writeReply(r *verbatim.Reply, a *partialReply, p *Protocol, sent []byte) {
	*r = verbatim.Reply{
		FinishRaw:   a.finish,
		Usage:       a.soundUsage(),
		Parts:       a.parts,
		Cost:        a.cost,
		ServedModel: a.model,
		RequestID:   cmp.Or(requestID(c.header), a.id),
		Fingerprint: a.fingerprint,
		Sent:        string(sent),
		Limits:      rateLimits(c.header),
	}
	r.Text, r.Finish = a.answer()
	r.Reasoning, r.ReasoningField = a.chosenReasoning(p)
	if !a.badLogprobs {
		r.Tokens = a.tokens
	}
	c.addUpstream(&a.appliedParams)
	if len(a.applied) > 0 {
		r.Applied = "{" + string(a.applied) + "}"
	}
	attempt := c.attempt()
	attempt.RequestID = r.RequestID
	r.Attempts = append(c.resent, attempt)
	r.Times = verbatim.Times{
		Start:          c.start,
		FirstByte:      c.firstByte,
		FirstReasoning: a.firstReasoning,
		FirstContent:   a.firstContent,
		Queued:         a.queueTime(attempt.Total),
		Total:          attempt.Total,
	}
}

// answer returns the text of the reply and why it ended. Where a call of the tool was
// requested, the text is the arguments of the first call.
func (a *partialReply) answer() (text string, why verbatim.Finish) {
	why = a.mappedFinish()
	if a.wantsCall && a.hasToolCall {
		if why == verbatim.FinishStop || why == verbatim.FinishOther || why == verbatim.FinishUnknown {
			why = verbatim.FinishCall
		}
		return cmp.Or(string(a.arguments), "{}"), why
	}
	if a.wantsCall && (why == verbatim.FinishStop || why == verbatim.FinishOther) {
		why = verbatim.FinishNoCall
	}
	if len(a.text) == 0 {
		return string(a.refusal), why
	}
	return string(a.text), why
}

// chosenReasoning returns the reasoning and the name of the field that it came in.
func (a *partialReply) chosenReasoning(p *Protocol) (text, field string) {
	for i, t := range a.reasoning {
		if len(t) > 0 {
			return string(t), p.reasoningFields[i]
		}
	}
	return "", ""
}

// someReasoning returns the reasoning of chosenReasoning.
func (a *partialReply) someReasoning() []byte {
	for _, t := range a.reasoning {
		if len(t) > 0 {
			return t
		}
	}
	return nil
}

// queueTime returns how long the request was in the server's queue, nil if the server does not
// report it. total is the time of the whole request: a report above it is ignored.
func (a *partialReply) queueTime(total time.Duration) *time.Duration {
	switch {
	case a.queued != nil && *a.queued <= total:
		return a.queued
	case a.worked != nil && *a.worked <= total:
		return new(total - *a.worked)
	}
	return nil
}

// An unreadableError is the error of a reply that is not as the protocol defines it.
type unreadableError struct{ what string }

func (u unreadableError) Error() string { return u.what }

// cannotRead returns the unreadableError that what says, with the beginning of what came.
func cannotRead(what string, raw []byte, key Key) unreadableError {
	// The key is removed before the text is shortened: a part of it would not be found.
	raw = raw[:min(len(raw), 4<<10)]
	return unreadableError{what + ": " + CleanLine(key.Hide(string(raw)), 80)}
}

// A cutError is the error of a reply that ended properly for the network, but without its
// end marker or finish reason. replyFailure tells the two apart.
type cutError struct{ what string }

func (c cutError) Error() string { return c.what }

func (c cutError) hint(bytes int64) string {
	if bytes == 0 {
		return "the server sent nothing at all; some do so when a prompt is too long for them"
	}
	return "the server, or something between, broke the reply off; repeat the request"
}

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

// addUsage adds token counts in OpenAI's spelling. The counts of one reply are cumulative: a
// later one overwrites an earlier one. DeepSeek has a field of its own for cached tokens.
// OpenRouter adds the cost in dollars. Some servers count reasoning separately from the
// completion: then the total is the sum of all three.
func (a *partialReply) addUsage(raw json.RawMessage) {
	var hit, all *int64
	hasCached, hasCompletion, otherCurrency := false, false, false
	rawjson.Members(raw, func(n, v []byte) {
		switch string(n) {
		case "prompt_tokens":
			a.setCount(&a.usage.Prompt, v)
		case "completion_tokens":
			hasCompletion = a.setCount(&a.usage.Completion, v)
		case "total_tokens":
			all = readOptionalCount(v)
		case "prompt_cache_hit_tokens":
			hit = readOptionalCount(v)
		case "prompt_tokens_details":
			hasCached = a.setCount(&a.usage.Cached, rawjson.Member(v, "cached_tokens"))
			a.setCount(&a.written, rawjson.Member(v, "cache_write_tokens"))
		case "completion_tokens_details":
			a.setCount(&a.usage.Reasoning, rawjson.Member(v, "reasoning_tokens"))
		case "cost":
			a.cost = readDollars(v)
		case "queue_time": // Groq: seconds
			a.queued = readSeconds(v)
		case "currency":
			otherCurrency = rawjson.IsSet(v) && !strings.EqualFold(Word(v), "usd")
		}
	})
	if otherCurrency {
		a.cost = nil
	}
	if u := &a.usage; hasCompletion && all != nil && u.Prompt != nil && u.Reasoning != nil && *all == *u.Prompt+*u.Completion+*u.Reasoning {
		*u.Completion += *u.Reasoning
	}
	if hit != nil && !hasCached {
		a.usage.Cached, a.active = hit, true
	}
}

// soundUsage returns the token counts. A prompt of fewer tokens than were read from the cache and
// written to it cannot be: neither number is known then, and so the cost is not.
func (a *partialReply) soundUsage() verbatim.Usage {
	u, parts := a.usage, new(int64)
	setSum(&parts, u.Cached, a.written)
	if u.Prompt != nil && *parts > *u.Prompt {
		u.Prompt, u.Cached = nil, nil
	}
	return u
}

// setCount sets a count if the server gives one, and reports whether it does.
func (a *partialReply) setCount(to **int64, raw json.RawMessage) bool {
	n, ok := ReadCount(raw)
	if !ok {
		return false
	}
	if *to == nil {
		*to = new(int64)
	}
	**to, a.active = n, true // in place: some servers report with every word
	return true
}

// setSum sets a count to the sum of its known parts. It is left as it is if none is known.
func setSum(to **int64, parts ...*int64) {
	n, isKnown := int64(0), false
	for _, p := range parts {
		if p != nil {
			n += *p
			isKnown = true
		}
	}
	if !isKnown {
		return
	}
	if *to == nil {
		*to = new(int64)
	}
	**to = n
}

// ParseUsage reads a report of token counts in OpenAI's spelling.
func ParseUsage(raw json.RawMessage) verbatim.Usage {
	var a partialReply
	if rawjson.Valid(raw) {
		a.addUsage(raw)
	}
	return a.soundUsage()
}

// addTimings adds llama.cpp's times of a request. The rest of the request's time is the wait for
// a free slot, and the network.
func (a *partialReply) addTimings(raw json.RawMessage) {
	prompt := readSpan(rawjson.Member(raw, "prompt_ms"), time.Millisecond)
	reply := readSpan(rawjson.Member(raw, "predicted_ms"), time.Millisecond)
	if prompt != nil && reply != nil {
		a.worked = new(*prompt + *reply)
	}
}

// maxAlternatives bounds the alternatives of one token. Some servers give more than OpenAI,
// which gives at most 20.
const maxAlternatives = 1000

// readLogprobs reads a list in the form of chat completions, the Responses API and Ollama:
//
//	[{"token": "a", "bytes": [97], "logprob": -0.1, "top_logprobs": [{"token": …, "bytes": …, "logprob": …}, …]}, …]
//
// ok is false if anything in it cannot be read.
func readLogprobs(list []byte) (tokens []verbatim.Token, ok bool) {
	ok = true
	isList := rawjson.Elements(list, func(raw []byte) {
		t, isToken := token(raw)
		top, areTokens := alternatives(rawjson.Member(raw, "top_logprobs"))
		t.Top = top
		tokens = append(tokens, t)
		ok = ok && isToken && areTokens
	})
	return tokens, ok && isList
}

// readGeminiLogprobs reads a list in Gemini's form, with chosen tokens and alternatives apart:
//
//	{"chosenCandidates": [{"token": "a", "logProbability": -0.1}, …], "topCandidates": [{"candidates": [{…}, …]}, …]}
//
// ok is false if anything in it cannot be read.
func readGeminiLogprobs(result []byte) (tokens []verbatim.Token, ok bool) {
	ok = true
	rawjson.Elements(rawjson.Member(result, "chosenCandidates"), func(raw []byte) {
		t, isToken := token(raw)
		ok = ok && isToken
		tokens = append(tokens, t)
	})
	place := 0
	rawjson.Elements(rawjson.Member(result, "topCandidates"), func(raw []byte) {
		if place < len(tokens) {
			top, areTokens := alternatives(rawjson.Member(raw, "candidates"))
			tokens[place].Top = top
			ok = ok && areTokens
		}
		place++
	})
	return tokens, ok
}

// alternatives reads the alternatives of a token. A missing list has none. ok is false if one
// cannot be read, or if there are too many.
func alternatives(list []byte) (top []verbatim.Token, ok bool) {
	ok = true
	rawjson.Elements(list, func(raw []byte) {
		t, isToken := token(raw)
		ok = ok && isToken && len(top) < maxAlternatives
		if ok {
			top = append(top, t)
		}
	})
	return top, ok
}

// token reads a token without its alternatives. The list of bytes overrides the text, because a
// token may be a part of a character.
func token(raw []byte) (t verbatim.Token, ok bool) {
	var text, list, number []byte
	rawjson.Members(raw, func(n, v []byte) {
		switch string(n) {
		case "token":
			text = v
		case "bytes":
			list = v
		case "logprob", "logProbability":
			number = v
		}
	})
	if t.Text, ok = rawjson.Text(text); !ok {
		return t, false
	}
	if t.Logprob, ok = logprob(number); !ok {
		return t, false
	}
	var bytes []byte
	rawjson.Elements(list, func(v []byte) {
		n, err := strconv.ParseUint(string(v), 10, 8)
		ok = ok && err == nil
		bytes = append(bytes, byte(n))
	})
	if len(bytes) > 0 {
		t.Text = string(bytes)
	}
	return t, ok
}

// logprob reads a log probability. Some servers write that of probability zero as a number
// below all of float64.
func logprob(number []byte) (float64, bool) {
	p, err := strconv.ParseFloat(string(number), 64)
	if math.IsInf(p, -1) {
		p, err = -math.MaxFloat64, nil
	}
	return p, err == nil && !math.IsNaN(p) && !math.IsInf(p, 0)
}
