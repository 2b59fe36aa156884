package wire

import (
	"cmp"
	"time"

	"verbatim"
)

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
		Usage:       a.usage,
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
