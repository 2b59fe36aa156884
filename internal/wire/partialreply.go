package wire

import (
	"cmp"
	"encoding/json"
	"errors"
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
