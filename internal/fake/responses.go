package fake

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/rawjson"
)

// responsesWire returns OpenAI's Responses protocol, of the specification of 2026-08-21. Every
// event has a type and a sequence number. The last one is response.completed,
// response.incomplete or error.
func responsesWire() *wire {
	return &wire{
		name: "responses", read: readResponses, appendReply: responsesWhole, writeStream: responsesStream, appendError: openAIError,
		paths:    []string{"/v1/responses"},
		idHeader: "X-Request-Id", idPrefix: "req_",
		setQuota: setOpenAIQuota,
		params: paramTable{
			takes: "model input instructions stream stream_options max_output_tokens include top_logprobs temperature top_p store metadata user safety_identifier prompt_cache_key " +
				"service_tier truncation reasoning.summary",
			forms:  "text.format",
			tools:  "tools tool_choice parallel_tool_calls",
			effort: "reasoning.effort",
		},
	}
}

// minOutputTokens is the smallest value of max_output_tokens.
const minOutputTokens = 16

func readResponses(body []byte, _ *http.Request) (*request, *apiError) {
	var in struct {
		Model           string          `json:"model"`
		Input           json.RawMessage `json:"input"`
		Instructions    string          `json:"instructions"`
		Stream          bool            `json:"stream"`
		MaxOutputTokens *int            `json:"max_output_tokens"`
		TopLogprobs     int             `json:"top_logprobs"`
		Include         []string        `json:"include"`
		Tools           json.RawMessage `json:"tools"`
		samplingParams
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, invalidJSON(err)
	}
	q := &request{model: in.Model, stream: in.Stream, params: in.params(), tool: offeredTool(in.Tools)}
	var e *apiError
	if q.params.Logprobs, e = (logprobParams{slices.Contains(in.Include, "message.output_text.logprobs"), in.TopLogprobs}).alternatives(); e != nil {
		return nil, e
	}
	if n := in.MaxOutputTokens; n != nil {
		if q.maxTokens = *n; q.maxTokens < minOutputTokens {
			return nil, &apiError{status: http.StatusBadRequest, code: "integer_below_min_value", param: "max_output_tokens",
				message: "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got " + strconv.Itoa(*n) + " instead."}
		}
	}
	if in.Instructions != "" {
		q.prompt = append(q.prompt, textMessage("system", in.Instructions))
	}
	var text string
	if json.Unmarshal(in.Input, &text) == nil && len(in.Input) > 0 && in.Input[0] == '"' {
		q.prompt = append(q.prompt, textMessage("user", text))
		return q, nil
	}
	var items []inputMessage
	if json.Unmarshal(in.Input, &items) != nil || len(items) == 0 {
		return nil, badRequest("Missing required parameter: 'input'.", "input")
	}
	if i, err := q.addMessages(items); err != nil {
		return nil, badRequest(err.Error(), "input["+strconv.Itoa(i)+"].content")
	}
	return q, nil
}

// textMessage is a message of one text.
func textMessage(role, text string) verbatim.Message {
	return verbatim.Message{Role: role, Content: []verbatim.Part{{Text: text}}}
}

// responsesStatus returns the status of a whole response, and why it is incomplete.
func responsesStatus(r *reply) (status, reason string) {
	if r.finishOverride != "" {
		return "incomplete", r.finishOverride
	}
	switch r.finish {
	case verbatim.FinishLength:
		return "incomplete", "max_output_tokens"
	case verbatim.FinishFilter:
		return "incomplete", "content_filter"
	}
	return "completed", ""
}

// responsesHead appends the fields of a response object up to its output.
func responsesHead(b []byte, r *reply, status, reason string) []byte {
	b = append(b, `{"id":"resp_`...)
	b = append(b, r.id...)
	b = append(b, `","object":"response","created_at":`...)
	b = strconv.AppendInt(b, r.created.Unix(), 10)
	b = append(b, `,"status":"`...)
	b = append(b, status...)
	b = append(b, `","background":false,"error":null,"incomplete_details":`...)
	if reason == "" {
		b = append(b, "null"...)
	} else {
		b = appendText(b, `{"reason":`, reason)
		b = append(b, '}')
	}
	b = append(b, `,"instructions":null,"max_output_tokens":`...)
	if r.request.maxTokens > 0 {
		b = strconv.AppendInt(b, int64(r.request.maxTokens), 10)
	} else {
		b = append(b, "null"...)
	}
	b = appendText(b, `,"model":`, r.request.model)
	if r.unknownFields {
		b = append(b, `,"x_unknown":{"nested":[1,null,{"deep":true}]}`...)
	}
	return append(b, `,"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"store":false,"temperature":1.0,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"top_p":1.0,"truncation":"disabled","user":null,"metadata":{},"output":`...)
}

// responsesUsage appends `,"usage":…`.
func responsesUsage(b []byte, r *reply, completion int64) []byte {
	b, ok := r.openUsage(b, "usage")
	if !ok {
		return b
	}
	b = r.appendCount(b, `"input_tokens":`, r.prompt)
	b = r.appendCount(b, `,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":`, completion)
	b = r.appendCount(b, `,"output_tokens_details":{"reasoning_tokens":`, r.reasoningTokens())
	b = r.appendCount(b, `},"total_tokens":`, r.prompt+completion)
	return append(b, '}')
}

// responsesOutput appends the items of a whole response.
func responsesOutput(b []byte, r *reply, status string) []byte {
	b = append(b, '[')
	if r.reasoning != "" {
		b = responsesThought(b, r, r.reasoning)
		b = append(b, ',')
	}
	if call, ok := r.call(); ok {
		return append(call.appendOutput(b, r.text, status), ']')
	}
	b = responsesMessage(b, r, status, func(b []byte) []byte { return responsesPart(b, r, r.text) })
	return append(b, ']')
}

func responsesWhole(b []byte, r *reply) []byte {
	status, reason := responsesStatus(r)
	if r.noFinish {
		status, reason = "in_progress", ""
	}
	b = responsesHead(b, r, status, reason)
	b = responsesOutput(b, r, status)
	return append(r.appendUsage(b, responsesUsage), '}')
}

// response writes an event with the response as it is now.
func (e *responsesEvents) response(kind string, r *reply, status, reason string, output, usage func([]byte) []byte) {
	e.open(kind)
	e.s.add(`,"response":`)
	e.s.b = responsesHead(e.s.b, r, status, reason)
	e.s.b = output(e.s.b)
	e.s.b = usage(e.s.b)
	e.s.add("}")
	e.shut(0)
}

func responsesStream(s *script, r *reply) {
	e := &responsesEvents{s: s}
	empty := func(b []byte) []byte { return append(b, "[]"...) }
	before := func(b []byte) []byte {
		if r.usage == "twice" {
			return responsesUsage(b, r, r.completionTokens()/2)
		}
		return append(b, `,"usage":null`...)
	}
	e.response("response.created", r, "in_progress", "", empty, before)
	e.response("response.in_progress", r, "in_progress", "", empty, before)
	index := 0
	if r.reasons() {
		e.reasoningItem(r)
		index = 1
	}
	if !e.answer(r, index) || r.noEnd || r.noFinish {
		return
	}
	status, reason := responsesStatus(r)
	e.response("response."+status, r, status, reason,
		func(b []byte) []byte { return responsesOutput(b, r, status) },
		func(b []byte) []byte { return responsesUsage(b, r, r.completionTokens()) })
}

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
	for piece := range r.reasoningPieces() {
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
func (e *responsesEvents) answer(r *reply, index int) bool {
	call, ok := r.call()
	if !ok || r.apiError != nil {
		return e.message(r, index)
	}
	status, _ := responsesStatus(r)
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
func (e *responsesEvents) message(r *reply, index int) bool {
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
	status, _ := responsesStatus(r)
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
