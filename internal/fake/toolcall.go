package fake

import (
	"bytes"
	"encoding/json"

	"verbatim/internal/rawjson"
)

// A Call is the call of the one tool that a request offers.
type toolCall struct {
	ID   string
	Tool string
	JSON string // the arguments, an object
}

// offeredTool returns the name of the first tool of a request, in any of the protocols; "" for none.
func offeredTool(tools json.RawMessage) string {
	type named struct{ Name string }
	var list []struct {
		named
		Function     named
		Declarations []named `json:"functionDeclarations"`
	}
	if json.Unmarshal(tools, &list) != nil || len(list) == 0 {
		return ""
	}
	switch t := list[0]; {
	case t.Name != "":
		return t.Name
	case len(t.Declarations) > 0:
		return t.Declarations[0].Name
	default:
		return t.Function.Name
	}
}

// function appends `"name":…,"arguments":…` with the arguments as a string.
func (c toolCall) function(b []byte, arguments string) []byte {
	b = rawjson.AppendString(append(b, `"name":`...), c.Tool)
	return rawjson.AppendString(append(b, `,"arguments":`...), arguments)
}

// AppendChat appends a call of chat completions: whole, or the first piece of a stream, which
// has no arguments yet.
func (c toolCall) appendChat(b []byte, arguments string) []byte {
	b = append(b, `{"index":0,"id":"call_`...)
	b = append(append(b, c.ID...), `","type":"function","function":{`...)
	return append(c.function(b, arguments), "}}"...)
}

// AppendOutput appends a call as an item of the output of the Responses API.
func (c toolCall) appendOutput(b []byte, arguments, status string) []byte {
	b = append(append(b, `{"type":"function_call","id":"fc_`...), c.ID...)
	b = append(append(b, `","call_id":"call_`...), c.ID...)
	b = c.function(append(b, `",`...), arguments)
	b = append(append(b, `,"status":"`...), status...)
	return append(b, `"}`...)
}

// AppendBlock appends a block of content of Anthropic's API. input is JSON.
func (c toolCall) appendBlock(b []byte, input string) []byte {
	b = append(append(b, `{"type":"tool_use","id":"toolu_`...), c.ID...)
	b = rawjson.AppendString(append(b, `","name":`...), c.Tool)
	return append(append(append(b, `,"input":`...), input...), '}')
}

// compact returns the arguments without white space, as a server writes an object that is no
// string.
func (c toolCall) compact() []byte {
	var b bytes.Buffer
	if json.Compact(&b, []byte(c.JSON)) != nil {
		return []byte(c.JSON)
	}
	return b.Bytes()
}

// Part returns a part of the content of Gemini's API.
func (c toolCall) Part() string {
	b := rawjson.AppendString([]byte(`{"functionCall":{"name":`), c.Tool)
	return string(append(append(append(b, `,"args":`...), c.compact()...), "}}"...))
}

// AppendOllama appends the member of a message of Ollama's API.
func (c toolCall) appendOllama(b []byte) []byte {
	b = rawjson.AppendString(append(b, `,"tool_calls":[{"function":{"name":`...), c.Tool)
	return append(append(append(b, `,"arguments":`...), c.compact()...), "}}]"...)
}
