package wire

import (
	"verbatim"
	"verbatim/internal/rawjson"
)

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

// content is the text that is asked for, as far as it has come.
func (a *partialReply) content() []byte {
	if a.wantsCall && a.hasToolCall {
		return a.arguments
	}
	return a.text
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
