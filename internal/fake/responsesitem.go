package fake

import (
	"strconv"

	"verbatim"

	"verbatim/internal/rawjson"
)

// responsesThought appends the reasoning as an item of the output; "": the item as it begins.
func responsesThought(b []byte, r *reply, text string) []byte {
	b = append(b, `{"id":"rs_`...)
	b = append(b, r.id...)
	b = append(b, `","type":"reasoning","summary":[`...)
	if text != "" {
		b = appendText(b, `{"type":"summary_text","text":`, text)
		b = append(b, '}')
	}
	return append(b, `]}`...)
}

func responsesPart(b []byte, r *reply, text string) []byte {
	if r.finish == verbatim.FinishRefusal {
		b = appendText(b, `{"type":"refusal","refusal":`, text)
		return append(b, '}')
	}
	b = append(b, `{"type":"output_text","annotations":[],"logprobs":`...)
	b = appendLogprobList(b, r.tokens[:min(len(text), len(r.tokens))]) // none without text
	b = appendText(b, `,"text":`, text)
	return append(b, '}')
}

func responsesMessage(b []byte, r *reply, status string, content func([]byte) []byte) []byte {
	b = append(b, `{"id":"msg_`...)
	b = append(b, r.id...)
	b = append(b, `","type":"message","status":"`...)
	b = append(b, status...)
	b = append(b, `","content":[`...)
	if content != nil {
		b = content(b)
	}
	return append(b, `],"role":"assistant"}`...)
}

// A responsesEvents writes events with their sequence numbers.
type responsesEvents struct {
	s *script
	n int64
}

// open begins an event; what the caller adds begins with a comma.
func (e *responsesEvents) open(kind string) {
	e.s.add("event: ", kind, "\ndata: {\"type\":\"", kind, `","sequence_number":`)
	e.s.b = strconv.AppendInt(e.s.b, e.n, 10)
	e.n++
}

func (e *responsesEvents) shut(tokens int64) {
	e.s.add("}\n\n")
	e.s.flush(tokens)
}

// event writes an event of fixed fields.
func (e *responsesEvents) event(kind, fields string) {
	e.open(kind)
	e.s.add(fields)
	e.shut(0)
}

// reasoningItem writes the events of the item with the reasoning, which is sent as a summary.
func (e *responsesEvents) reasoningItem(r *reply) {
	item := func(text string) string {
		return `,"output_index":0,"item":` + string(responsesThought(nil, r, text))
	}
	at := `,"item_id":"rs_` + r.id + `","output_index":0,"summary_index":0`
	e.event("response.output_item.added", item(""))
	e.event("response.reasoning_summary_part.added", at+`,"part":{"type":"summary_text","text":""}`)
	for piece := range r.pieces(r.reasoning) {
		e.open("response.reasoning_summary_text.delta")
		e.s.add(at, `,"delta":`)
		e.s.addString(piece)
		e.shut(tokens(len(piece)))
	}
	text := string(rawjson.AppendString(nil, r.reasoning))
	e.event("response.reasoning_summary_text.done", at+`,"text":`+text)
	e.event("response.reasoning_summary_part.done", at+`,"part":{"type":"summary_text","text":`+text+"}")
	e.event("response.output_item.done", item(r.reasoning))
}

// answer writes the events of the item with the answer: a message, or the call of a tool. It
// reports whether the answer is complete.
func (e *responsesEvents) answer(r *reply, index int, status string) bool {
	call, ok := r.call()
	if !ok || r.apiError != nil {
		return e.message(r, index, status)
	}
	at := `,"output_index":` + strconv.Itoa(index)
	of := `,"item_id":"fc_` + r.id + `"` + at
	e.event("response.output_item.added", at+`,"item":`+string(call.appendOutput(nil, "", "in_progress")))
	for piece := range r.pieces(r.text) {
		e.open("response.function_call_arguments.delta")
		e.s.add(of, `,"delta":`)
		e.s.addString(piece)
		e.shut(tokens(len(piece)))
	}
	e.event("response.function_call_arguments.done", of+`,"arguments":`+string(rawjson.AppendString(nil, r.text)))
	e.event("response.output_item.done", at+`,"item":`+string(call.appendOutput(nil, r.text, status)))
	return true
}

// message writes the events of a message. It reports whether the message is complete.
func (e *responsesEvents) message(r *reply, index int, status string) bool {
	output := `,"output_index":` + strconv.Itoa(index)
	at := `,"item_id":"msg_` + r.id + `"` + output + `,"content_index":0`
	kind, field := "response.output_text", `,"text":`
	if r.finish == verbatim.FinishRefusal {
		kind, field = "response.refusal", `,"refusal":`
	}
	e.event("response.output_item.added", output+`,"item":`+string(responsesMessage(nil, r, "in_progress", nil)))
	e.event("response.content_part.added", at+`,"part":`+string(responsesPart(nil, r, "")))
	for piece, list := range r.textPieces() {
		e.open(kind + ".delta")
		e.s.add(at, `,"delta":`)
		e.s.addString(piece)
		if kind == "response.output_text" {
			e.s.add(`,"logprobs":`)
			e.s.b = appendLogprobList(e.s.b, list)
		}
		e.shut(tokens(len(piece)))
	}
	if failure := r.apiError; failure != nil {
		e.open("error")
		e.s.add(`,"code":`)
		e.s.b = appendStringOrNull(e.s.b, failure.code)
		e.s.add(`,"message":`)
		e.s.addString(failure.message)
		e.s.add(`,"param":null`)
		e.shut(0)
		return false
	}
	e.open(kind + ".done")
	e.s.add(at, field)
	e.s.addString(r.text)
	if kind == "response.output_text" {
		e.s.add(`,"logprobs":`)
		e.s.b = appendLogprobList(e.s.b, r.tokens)
	}
	e.shut(0)
	e.event("response.content_part.done", at+`,"part":`+string(responsesPart(nil, r, r.text)))
	e.open("response.output_item.done")
	e.s.add(output, `,"item":`)
	e.s.b = responsesMessage(e.s.b, r, status, func(b []byte) []byte { return responsesPart(b, r, r.text) })
	e.shut(0)
	return true
}
