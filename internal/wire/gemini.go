package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"verbatim"
	"verbatim/internal/finish"
	"verbatim/internal/rawjson"
)

// Gemini is Google's generateContent. A reply is streamed or comes in one piece, as
// e.Stream says; the bytes decide how it is read: server-sent events, a document, or a
// stream in the form of one JSON array. The key is sent in a header, never in the URL.
// e.Model may begin with "models/". The token limit includes reasoning; 0 sends none.
//
// ReasoningBudget is sent as thinkingBudget and Effort as thinkingLevel. Either requests
// the text of the reasoning, except a budget of 0, which turns reasoning off. An extra
// parameter "generationConfig" is joined with the one that is sent. System messages become
// the systemInstruction and must come before all others.
//
// A reply counts if it has a finish reason and the body has ended as its framing says,
// between two events: this protocol has no end marker. Candidates after the first are
// ignored.
//
// Text is all parts that are not reasoning, joined. A prompt that was blocked is a reply
// without text: its Finish is content_filter, and its FinishRaw is why it was blocked.
// Usage.Completion counts the candidate and its reasoning, which the protocol counts
// separately. FirstContent and FirstReasoning are known for streams only.
//
// Source: https://ai.google.dev/api/generate-content.
func Gemini() *Protocol {
	return &Protocol{
		Name:            "gemini",
		Title:           "Google's generateContent",
		Example:         "https://host/v1beta",
		Root:            "/v1beta",
		AuthHeader:      "X-Goog-Api-Key",
		reasoningFields: []string{"thought"},
		request:         geminiRequest,
		reader: func(a *partialReply) reader {
			a.meaningOf = finish.OfGemini
			return &geminiReader{partialReply: a}
		},
	}
}

// A geminiReader reads responses of generateContent. Each event of a stream is such a
// response, with a piece of the text.
type geminiReader struct {
	*partialReply
	// The two parts of the output. Usage.Completion is their sum.
	candidate, reasoning *int64
}

func (a *geminiReader) event(ev streamEvent) error {
	data, isJSON := ReadJSON(ev.Data)
	switch {
	case isJSON:
		return a.addResponse(data)
	case ev.Name == "error":
		return readError(data, a.key)
	case len(data) == 0, ev.Name != "" && ev.Name != "message", string(data) == "[DONE]":
		return nil // nothing of the reply: an empty event, a ping, OpenAI's mark
	}
	return a.cannotRead("an event of the stream cannot be read", data)
}

func (a *geminiReader) document(body []byte) (err error) {
	a.done = true
	if rawjson.Elements(body, func(response []byte) {
		if err == nil {
			err = a.addResponse(response)
		}
	}) {
		return err
	}
	for _, name := range []string{"candidates", "promptFeedback", "usageMetadata", "error"} {
		if rawjson.IsSet(rawjson.Member(body, name)) {
			return a.addResponse(body)
		}
	}
	return a.noReply(body, "the reply has no candidates")
}

// addResponse adds a response. The error is one that the server sent in its place, or an
// unreadableError.
func (a *geminiReader) addResponse(response []byte) (err error) {
	ok := rawjson.Members(response, func(n, v []byte) {
		switch string(n) {
		case "error":
			if rawjson.IsSet(v) && err == nil {
				err = readError(response, a.key)
			}
		case "candidates":
			place := 0
			isList := rawjson.Elements(v, func(candidate []byte) {
				a.addCandidate(candidate, place)
				place++
			})
			if !isList && rawjson.IsSet(v) {
				a.setUnreadable("the candidates are no list", v)
			}
		case "promptFeedback":
			a.addFeedback(v)
		case "usageMetadata":
			a.addUsage(v)
		case "modelVersion":
			setOnce(&a.model, v)
		case "responseId":
			setOnce(&a.id, v)
		}
	})
	if !ok {
		return a.cannotRead("an event of the stream is no object", response)
	}
	return err
}

// addFeedback adds why a prompt was blocked. Not all of these reasons are finish reasons too.
func (a *geminiReader) addFeedback(feedback []byte) {
	reason := rawjson.Member(feedback, "blockReason")
	if isSpecified(reason) {
		a.promptBlocked = true
		a.setFinish(reason)
	}
}

// isSpecified reports whether an enumeration of a protocol buffer has a value. Some servers
// write its zero, "…_UNSPECIFIED".
func isSpecified(raw []byte) bool {
	return rawjson.IsSet(raw) && !bytes.HasSuffix(raw, []byte(`_UNSPECIFIED"`))
}

// addCandidate adds a candidate if it is the first: by its index, or by its place in the
// list if it has no index.
func (a *geminiReader) addCandidate(candidate []byte, place int) {
	var index, content, reason, message, logprobs []byte
	rawjson.Members(candidate, func(n, v []byte) {
		switch string(n) {
		case "index":
			index = v
		case "content":
			content = v
		case "finishReason":
			reason = v
		case "finishMessage":
			message = v
		case "logprobsResult":
			logprobs = v
		}
	})
	if rawjson.IsSet(index) && string(index) != "0" || !rawjson.IsSet(index) && place > 0 {
		return
	}
	isObject := rawjson.Members(content, func(n, v []byte) {
		switch string(n) {
		case "parts":
			if !rawjson.Elements(v, a.addPart) && rawjson.IsSet(v) {
				a.setUnreadable("the parts of the reply are no list", v)
			}
		case "role":
			a.checkRole(v)
		}
	})
	if !isObject && rawjson.IsSet(content) {
		a.setUnreadable("the content of the reply is no object", content)
	}
	a.addTokens(logprobs, readGeminiLogprobs)
	if isSpecified(reason) {
		a.setFinish(reason)
		a.finishMessage = serverText(message, a.key)
	}
}

// addPart adds a part: a piece of the text or of the reasoning. A part of either kind may have
// a signature of the reasoning, which is ignored.
func (a *geminiReader) addPart(part []byte) {
	var text []byte
	thought := false
	rawjson.Members(part, func(n, v []byte) {
		switch string(n) {
		case "text":
			text = v
		case "thought":
			thought = string(v) == "true"
		case "functionCall":
			a.hasToolCall = true
			if a.startCall() {
				a.addArguments(rawjson.Member(v, "args"))
			}
		case "executableCode":
			a.hasToolCall, a.active = true, true
		}
	})
	if thought {
		a.addReasoning(0, text)
	} else {
		a.addText(text)
	}
}

// addUsage adds token counts, which are cumulative. The prompt includes what was cached.
func (a *geminiReader) addUsage(usage []byte) {
	rawjson.Members(usage, func(n, v []byte) {
		switch string(n) {
		case "promptTokenCount":
			a.setCount(&a.usage.Prompt, v)
		case "cachedContentTokenCount":
			a.setCount(&a.usage.Cached, v)
		case "candidatesTokenCount":
			a.setCount(&a.candidate, v)
		case "thoughtsTokenCount":
			a.setCount(&a.reasoning, v)
		case "serviceTier", "trafficType":
			a.addApplied(string(n), v)
		}
	})
	a.usage.Reasoning = a.reasoning
	setSum(&a.usage.Completion, a.candidate, a.reasoning)
}

func (a *geminiReader) complete(*Endpoint) error {
	switch {
	case a.finish == "":
		return cutError{"the reply ended without a finish reason"}
	case a.endsInEvent:
		return cutError{"the stream ended within an event"}
	}
	return nil
}

// geminiRequest writes the request for content. The model is in the path.
func geminiRequest(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error) {
	model, err := GeminiModelPath(e.Model)
	if err != nil {
		return request{}, err
	}
	system, contents, err := geminiPrompt(prompt)
	if err != nil {
		return request{}, err
	}
	config, extra, err := geminiConfig(maxTokens, params)
	if err != nil {
		return request{}, err
	}
	o := newBody()
	if len(config) > len("{}") && !isSchema(params) {
		o.Raw("generationConfig", config)
	}
	tools := geminiTools(params)
	// The API accepts names in two spellings.
	o.Extra(extra, append(tools.Names(), "contents", "systemInstruction", "system_instruction", "generation_config")...)
	full, sent, err := o.With("contents", contents)
	if err != nil {
		return request{}, err
	}
	if system != nil {
		full = rawjson.AppendMember(full, "systemInstruction", system)
	}
	full = tools.appendTo(full)
	if isSchema(params) { // which is of one request alone
		config = rawjson.AppendMember(config, "responseMimeType", []byte(`"application/json"`))
		full = rawjson.AppendMember(full, "generationConfig", rawjson.AppendMember(config, "responseJsonSchema", params.Structure.Schema))
	}
	r := request{path: "/" + model + ":generateContent", sent: sent, body: full}
	if e.Stream {
		r.path, r.query = "/"+model+":streamGenerateContent", "alt=sse"
	}
	return r, nil
}

// GeminiModelPath returns the path of a model: "models/…", or that of a tuned one.
func GeminiModelPath(model string) (string, error) {
	kind, name, ok := strings.Cut(model, "/")
	if !ok || kind != "models" && kind != "tunedModels" {
		kind, name = "models", model
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." {
			return "", fmt.Errorf("this protocol names the model in the URL, where %q is not allowed", CleanLine(model, 80))
		}
	}
	return kind + "/" + name, nil
}

// geminiConfig returns the object "generationConfig", in which the extra parameter of that name
// is joined with the members of this program, and the other extra parameters.
func geminiConfig(maxTokens int, params verbatim.Params) (config []byte, extra map[string]json.RawMessage, err error) {
	o := newBody()
	if maxTokens > 0 {
		o.Value("maxOutputTokens", maxTokens)
	}
	optionalField(o, "temperature", params.Temperature)
	optionalField(o, "topP", params.TopP)
	if params.Seed != nil {
		if *params.Seed < math.MinInt32 || *params.Seed > math.MaxInt32 {
			return nil, nil, fmt.Errorf("this protocol has seeds of 32 bits: %d is beyond them", *params.Seed)
		}
		o.Value("seed", *params.Seed)
	}
	if params.Logprobs > 0 {
		o.Raw("responseLogprobs", []byte("true"))
		o.Value("logprobs", params.Logprobs)
	}
	if params.Effort != "" || params.ReasoningBudget != nil {
		reasoning, err := geminiEffort(params)
		if err != nil {
			return nil, nil, err
		}
		o.Raw("thinkingConfig", reasoning)
	}
	reserved := otherSpellings(o)
	if isSchema(params) { // geminiRequest adds these to it
		reserved = append(reserved, "responseMimeType", "response_mime_type", "responseJsonSchema", "response_json_schema",
			"responseSchema", "response_schema")
	}
	extra = o.Join("generationConfig", params.Extra, reserved...)
	config, err = o.End()
	return config, extra, err
}

// otherSpellings returns the names of the members that are set, in the API's other
// spelling.
func otherSpellings(o *bodyWriter) []string {
	var names []string
	for camel, snake := range map[string]string{"maxOutputTokens": "max_output_tokens", "topP": "top_p", "thinkingConfig": "thinking_config", "responseLogprobs": "response_logprobs"} {
		if o.has(camel) {
			names = append(names, snake)
		}
	}
	return names
}

// geminiEffort returns the object "thinkingConfig". It requests the text of the reasoning
// only if there is reasoning: otherwise the API returns an error.
func geminiEffort(params verbatim.Params) ([]byte, error) {
	o := newBody()
	if params.ReasoningBudget == nil || *params.ReasoningBudget != 0 {
		o.Raw("includeThoughts", []byte("true"))
	}
	if params.ReasoningBudget != nil {
		o.Value("thinkingBudget", *params.ReasoningBudget)
	}
	if params.Effort != "" {
		o.Text("thinkingLevel", params.Effort)
	}
	return o.End()
}

// geminiPrompt returns the fields "contents" and "systemInstruction", the latter nil
// without system messages.
func geminiPrompt(prompt verbatim.Prompt) (system, contents []byte, err error) {
	parts, n, err := systemParts(prompt)
	if err != nil {
		return nil, nil, err
	}
	if n > 0 {
		system = append(geminiParts([]byte{'{'}, parts), '}')
	}
	contents, err = bodyMessages(prompt, n, func(b []byte, m verbatim.Message) ([]byte, error) {
		role := m.Role
		switch role {
		case "assistant":
			role = "model"
		case "user":
		default:
			return nil, unknownRole(role)
		}
		b = rawjson.AppendString(append(b, `{"role":`...), role)
		return append(geminiParts(append(b, ','), m.Content), '}'), nil
	})
	return system, contents, err
}

// geminiParts appends the member "parts". It is never empty: the API refuses that.
func geminiParts(b []byte, parts []verbatim.Part) []byte {
	if len(parts) == 0 {
		parts = []verbatim.Part{{}}
	}
	return appendParts(append(b, `"parts":`...), parts, geminiPart)
}

// geminiPart appends a part of the content.
func geminiPart(b []byte, p verbatim.Part) []byte {
	if p.Image == nil {
		return append(rawjson.AppendString(append(b, `{"text":`...), p.Text), '}')
	}
	b = rawjson.AppendString(append(b, `{"inlineData":{"mimeType":`...), p.Image.Media)
	return append(appendBase64(append(b, `,"data":`...), p.Image), `}}`...)
}
