package wire

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"verbatim"
	"verbatim/internal/finish"
	"verbatim/internal/rawjson"
)

// thoughtSources is how many places of one protocol may hold reasoning.
const thoughtSources = 4

// An answer is what has arrived of a reply, in whatever protocol it comes.
type answer struct {
	key   Key
	clock func() *time.Duration
	touch func()
	// call checks the size of what is being read and of what was; nil: it has no bound.
	call *call
	// maxTokens is the token limit that was sent; 0: none.
	maxTokens int

	text    []byte
	refusal []byte
	// thoughts is the reasoning by the place that it came in, in the order of the
	// protocol's preference: servers that fill several repeat the same words.
	thoughts [thoughtSources][]byte
	// broken is the first part of the answer that could not be read, in words, and
	// unread the kind of a part that holds words and is not known.
	broken, unread string
	spoken         bool   // there was a message, or a piece of one, of whatever content
	message        []byte // chat: a whole message in a stream, where pieces of one belong
	tools          bool   // it holds a call of a tool, which no prompt asked for
	finish         string
	// finishMessage is what the server says with the reason, native the reason of the
	// server behind a router, and meaningOf reads a reason; nil is finish.Of.
	finishMessage, native string
	meaningOf             func(string) finish.Meaning
	filtered              bool // the prompt was stopped before a word was said
	torn                  bool // the stream ended properly, but within an event
	limited               bool // the bound cut it off, though the finish reason does not say so
	usage                 verbatim.Usage
	cost                  *verbatim.Money
	id                    string // the reply's own; the header's is preferred
	model                 string

	fingerprint string
	applied     []byte   // members of an object, joined by commas
	names       []string // of them
	done        bool     // the end marker, or the end of the document, was there

	content, thought int  // bytes that were there when arrived looked last
	news             bool // something else has come that shows the server at work

	firstReasoning *time.Duration
	firstContent   *time.Duration
}

// answer returns an empty answer of the call.
func (c *call) answer() *answer {
	return &answer{key: c.e.Key, clock: c.since, touch: c.touch, call: c, maxTokens: c.size.tokens}
}

// arrived looks what is new since the last call: the limit on silence starts
// again, and the first words of a stream are stamped. The error is that there are
// too many.
func (a *answer) arrived(streamed bool) error {
	content, thought := len(a.text)+len(a.refusal), 0
	for _, t := range a.thoughts {
		thought += len(t)
	}
	moreContent, moreThought := content > a.content, thought > a.thought
	if !moreContent && !moreThought && !a.news {
		return nil
	}
	a.content, a.thought, a.news = content, thought, false
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
	return a.call.holdsWords(content, thought)
}

// hold says that n bytes of a document or an event are held.
func (a *answer) hold(n int) error {
	if a.call == nil {
		return nil
	}
	return a.call.holding(n)
}

// end takes a finish reason. Nothing, null and a word for it are none.
func (a *answer) end(raw json.RawMessage) {
	if !rawjson.IsSet(raw) {
		return
	}
	reason := Word(raw)
	if finish.Of(reason) == finish.None {
		return
	}
	a.news = true
	if a.finish == "" || a.meaning() != finish.Failure { // a failure is not taken back
		a.finish = reason
	}
}

// apply takes down what the server says it went by, where it says so; what is
// repeated in every event is taken once.
func (a *answer) apply(name string, raw json.RawMessage) {
	if !rawjson.IsSet(raw) || len(a.applied)+len(raw) > 4<<10 || slices.Contains(a.names, name) {
		return
	}
	a.names = append(a.names, name)
	if len(a.applied) > 0 {
		a.applied = append(a.applied, ',')
	}
	a.applied = rawjson.AppendString(a.applied, name)
	a.applied = append(a.applied, ':')
	a.applied = append(a.applied, raw...)
}

// fault takes down what cannot be read; the first such part is named.
func (a *answer) fault(what string, raw []byte) {
	if a.broken == "" {
		a.broken = what + ": " + Clean(string(raw[:min(len(raw), 200)]), 80)
	}
}

// addText adds a text that is expected there; null and nothing add none.
func (a *answer) addText(raw json.RawMessage) {
	var ok bool
	if a.text, ok = rawjson.AppendText(a.text, raw); !ok && rawjson.IsSet(raw) {
		a.fault("a text of the answer is no string", raw)
	}
}

// skip passes over a part of a kind that is not known, and takes down whether it
// holds words.
func (a *answer) skip(kind string, part []byte) {
	if text, _ := rawjson.Text(rawjson.Member(part, "text")); text != "" {
		a.unread = cmp.Or(kind, "no kind")
	}
}

// heed looks at who speaks: words of another than the model are no answer.
func (a *answer) heed(role json.RawMessage) {
	switch string(role) {
	case `"user"`, `"system"`, `"developer"`, `"tool"`:
		a.fault("the answer is a message of another role than the model's", role)
	}
}

// empty reports whether nothing of an answer has come.
func (a *answer) empty() bool {
	n := len(a.text) + len(a.refusal)
	for _, t := range a.thoughts {
		n += len(t)
	}
	return n == 0 && !a.tools
}

// check says why what was read is no answer: the server gave it up, it is not
// whole, or it calls a tool in place of an answer.
func (a *answer) check(e *Endpoint, to reader) error {
	if err := a.failure(); err != nil {
		return err
	}
	if a.broken != "" {
		return unreadableError{a.broken}
	}
	if err := to.complete(e); err != nil {
		return err
	}
	if a.unread != "" && len(a.text)+len(a.refusal) == 0 {
		return unreadableError{"the answer has words only in a part of a kind that is not known: " + a.unread}
	}
	if a.tools && len(a.text)+len(a.refusal) == 0 && !a.filtered {
		return unreadableError{"the answer is a call of a tool, though none was offered"}
	}
	return nil
}

// reasoning returns the reasoning and the place that it came in.
func (a *answer) reasoning(p *Protocol) (text, place string) {
	for i, t := range a.thoughts {
		if len(t) > 0 {
			return string(t), p.reasoningFields[i]
		}
	}
	return "", ""
}

// reply makes a Reply of a complete answer.
func (c *call) reply(r *verbatim.Reply, a *answer, p *Protocol, sent []byte) {
	*r = verbatim.Reply{
		Text:        string(a.text),
		Finish:      a.mapped(),
		FinishRaw:   a.finish,
		Usage:       a.usage,
		Cost:        a.cost,
		ServedModel: a.model,
		RequestID:   requestID(c.header),
		Fingerprint: a.fingerprint,
		Sent:        string(sent),
		Limits:      limits(c.header),
	}
	r.Reasoning, r.ReasoningField = a.reasoning(p)
	if len(a.text) == 0 {
		r.Text = string(a.refusal)
	}
	if len(a.applied) > 0 {
		r.Applied = "{" + string(a.applied) + "}"
	}
	if r.RequestID == "" {
		r.RequestID = a.id
	}
	attempt := c.attempt()
	attempt.RequestID = r.RequestID
	r.Attempts = append(c.resent, attempt)
	r.Times = verbatim.Times{
		Start:          c.start,
		FirstByte:      c.firstByte,
		FirstReasoning: a.firstReasoning,
		FirstContent:   a.firstContent,
		Total:          attempt.Total,
	}
}

// name returns a string, or the text of a number, that a server uses as a name;
// anything else is "".
func Word(raw json.RawMessage) string {
	s, ok := rawjson.Text(raw)
	if !ok && len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		s = string(raw)
	}
	return Clean(s, longestValue)
}

// keep sets what has no value yet.
func keep(s *string, raw json.RawMessage) {
	if *s == "" {
		*s = Word(raw)
	}
}
