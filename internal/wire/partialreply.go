package wire

import (
	"cmp"
	"encoding/json"
	"errors"
	"time"

	"verbatim"
	"verbatim/internal/finish"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire/apikey"
	"verbatim/internal/wire/clean"
)

// A partialReply is what has arrived of a reply. It is the same for all protocols.
type partialReply struct {
	appliedParams

	key   apikey.Key
	clock func() *time.Duration
	touch func()
	// call checks the size of what arrives; nil: there is no limit.
	call *call
	// maxTokens is the token limit that was sent; 0: none.
	maxTokens int

	text    []byte
	refusal []byte
	// reasoning is by the place that it came in, in the order of the protocol's preference:
	// servers that fill several repeat the same words.
	reasoning [reasoningPlaces][]byte
	// unreadable is an error: the first part of the reply that could not be read.
	// unknownPart is the kind of a part that has words and that no reader knows.
	unreadable, unknownPart string
	hasMessage              bool   // there was a message, or a piece of one, even without content
	message                 []byte // chat: a whole message in a stream, where pieces of one belong
	// wantsCall says that the one tool was to be called. hasToolCall: there was a call, of
	// which arguments are those of the first one.
	wantsCall, hasToolCall bool
	calls                  int
	arguments              []byte
	finish                 string
	// finishMessage comes with the finish reason. nativeFinish is the reason of the server
	// behind a router. meaningOf reads a reason; nil is finish.Of.
	finishMessage, nativeFinish string
	meaningOf                   func(string) finish.Meaning
	promptBlocked               bool // a filter stopped the prompt before the reply began
	endsInEvent                 bool // the stream ended properly, but within an event
	reachedLimit                bool // the token limit truncated it, though the finish reason says otherwise
	usage                       verbatim.Usage
	queued, worked              *time.Duration // in the server's queue, and at the request, as the server says
	cost                        *verbatim.Money
	id                          string // the reply's own; the header's is preferred
	model                       string

	fingerprint string
	done        bool // the end marker, or the end of the document, has come

	tokens      []verbatim.Token // with log probabilities
	tokenBytes  int              // that their JSON had
	badLogprobs bool             // some could not be read: none counts

	contentBytes, reasoningBytes int  // when noteProgress was called last
	active                       bool // something else has come since that shows the server at work

	firstReasoning *time.Duration
	firstContent   *time.Duration
}

// newReply returns an empty reply of the call.
func (c *call) newReply() *partialReply {
	a := &partialReply{key: c.e.Key, clock: c.since, touch: c.touch, call: c, maxTokens: c.size.Tokens, wantsCall: c.wantsCall}
	c.params = &a.appliedParams
	return a
}

// errContentLimit ends the reading of a stream that is longer than an answer may be.
var errContentLimit = errors.New("the text is longer than the limit")

// noteProgress notes what is new since the last call. It restarts the idle limit and takes
// the time of the first words of a stream. The error is that the reply is too long.
func (a *partialReply) noteProgress(streamed bool) error {
	content, thought, longest := len(a.text)+len(a.refusal)+len(a.arguments), 0, 0
	for _, t := range a.reasoning {
		thought, longest = thought+len(t), max(longest, len(t))
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
	if streamed && (moreContent || moreThought) && !a.done && a.finish == "" && a.call.content.Exceeded(a.content(), longest, moreContent, a.call.e.Tags) {
		return errContentLimit
	}
	return a.call.checkText(content, thought, a.tokenBytes)
}

// content is the text that is asked for, as far as it has come.
func (a *partialReply) content() []byte {
	if a.wantsCall && a.hasToolCall {
		return a.arguments
	}
	return a.text
}

// checkHeld checks the size of a document or an event of which n bytes are held.
func (a *partialReply) checkHeld(n int) error {
	if a.call == nil {
		return nil
	}
	return a.call.checkDocument(n)
}

// setFinish sets the finish reason. A missing one, null, and a word for "none" are ignored.
func (a *partialReply) setFinish(raw json.RawMessage) {
	if !rawjson.IsSet(raw) {
		return
	}
	reason := Word(raw)
	if finish.Of(reason) == finish.None {
		return
	}
	a.active = true
	if a.finish == "" || a.meaning() != finish.Failure { // a failure stays
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

// setUnreadable notes a part that cannot be read, if it is the first one.
func (a *partialReply) setUnreadable(what string, raw []byte) {
	if a.unreadable == "" {
		a.unreadable = what + ": " + clean.Line(string(raw[:min(len(raw), 200)]), 80)
	}
}

// addText adds a text that belongs there. A missing one and null add nothing.
func (a *partialReply) addText(raw json.RawMessage) {
	var ok bool
	if a.text, ok = rawjson.AppendText(a.text, raw); !ok && rawjson.IsSet(raw) {
		a.setUnreadable("a text of the reply is no string", raw)
	}
}

// startCall begins a call of a tool and reports whether it is the first one: of several calls
// the first counts.
func (a *partialReply) startCall() bool {
	a.active = true
	a.calls++
	return a.calls == 1
}

// addArguments adds arguments: a text that holds JSON, or the JSON itself.
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

// addReasoning adds reasoning that came in one of its places.
func (a *partialReply) addReasoning(place int, raw json.RawMessage) {
	a.reasoning[place], _ = rawjson.AppendText(a.reasoning[place], raw)
}

// addTokens adds tokens with log probabilities from a value that read knows. A missing value and
// null add nothing.
func (a *partialReply) addTokens(raw []byte, read func([]byte) ([]verbatim.Token, bool)) {
	if !rawjson.IsSet(raw) {
		return
	}
	a.tokenBytes += len(raw)
	tokens, ok := read(raw)
	a.tokens, a.badLogprobs = append(a.tokens, tokens...), a.badLogprobs || !ok
}

// noteUnknownPart ignores a part of an unknown kind, but notes whether it has words.
func (a *partialReply) noteUnknownPart(kind string, part []byte) {
	if text, _ := rawjson.Text(rawjson.Member(part, "text")); text != "" {
		a.unknownPart = cmp.Or(kind, "no kind")
	}
}

// checkRole checks whose message it is: only the model's is a reply.
func (a *partialReply) checkRole(role json.RawMessage) {
	switch string(role) {
	case `"user"`, `"system"`, `"developer"`, `"tool"`:
		a.setUnreadable("the reply is a message of another role than the model's", role)
	}
}

// isEmpty reports whether nothing of a reply has come.
func (a *partialReply) isEmpty() bool {
	n := len(a.text) + len(a.refusal)
	for _, t := range a.reasoning {
		n += len(t)
	}
	return n == 0 && !a.hasToolCall
}
