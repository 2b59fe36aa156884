package wire

import (
	"time"

	"verbatim"
)

// check returns why what was read is no reply: the server gave it up, it is incomplete, or
// it calls a tool instead.
func (a *partialReply) check(e *Endpoint, to reader) error {
	if err := a.finishError(); err != nil {
		return err
	}
	if a.unreadable != "" {
		return unreadableError{a.unreadable}
	}
	if err := to.complete(e); err != nil {
		return err
	}
	if a.unknownPart != "" && len(a.text)+len(a.refusal) == 0 {
		return unreadableError{"the reply has words only in a part of a kind that is not known: " + a.unknownPart}
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
		RequestID:   requestID(c.header),
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
		Queued:         a.queueTime(attempt.Total),
		Total:          attempt.Total,
	}
}

// answer returns the text of the reply and why it ended. Where a call was asked for, the text
// is the arguments of the first one.
func (a *partialReply) answer() (text string, why verbatim.Finish) {
	why = a.mappedFinish()
	switch {
	case a.wantsCall && a.hasToolCall:
		if text = string(a.arguments); text == "" {
			text = "{}"
		}
		if why == verbatim.FinishStop || why == verbatim.FinishOther || why == verbatim.FinishUnknown {
			why = verbatim.FinishCall
		}
		return text, why
	case len(a.text) == 0:
		text = string(a.refusal)
	default:
		text = string(a.text)
	}
	if a.wantsCall && (why == verbatim.FinishStop || why == verbatim.FinishOther) {
		why = verbatim.FinishNoCall
	}
	return text, why
}

// chosenReasoning returns the reasoning and the place that it came in.
func (a *partialReply) chosenReasoning(p *Protocol) (text, place string) {
	for i, t := range a.reasoning {
		if len(t) > 0 {
			return string(t), p.reasoningFields[i]
		}
	}
	return "", ""
}

// queueTime returns how long a request that took total was in the server's queue, nil where
// the server does not say it.
func (a *partialReply) queueTime(total time.Duration) *time.Duration {
	switch {
	case a.queued != nil && *a.queued <= total:
		return a.queued
	case a.worked != nil && *a.worked <= total:
		waited := total - *a.worked
		return &waited
	}
	return nil
}
