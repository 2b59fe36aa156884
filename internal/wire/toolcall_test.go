package wire_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/jsonschema"
	"verbatim/internal/wire"
)

// TestStructuredAnswers asks for an object as a tool's arguments and under a schema, in every
// protocol. The replies are written as the protocols' documentation has them; the first call
// counts, and its arguments are the text, byte for byte.
func TestStructuredAnswers(t *testing.T) {
	const want = `{"b": 1.0, "a": "x\/y"}`
	inJSON := strings.ReplaceAll(strings.ReplaceAll(want, `\`, `\\`), `"`, `\"`)
	halves := func(s string) (string, string) { return s[:7], s[7:] } // not inside an escape
	one, two := halves(inJSON)
	event := func(lines ...string) string { return strings.Join(lines, "\n\n") + "\n\n" }
	schema, _ := jsonschema.Of(want)
	for _, c := range []struct {
		protocol      string
		tool, schema  []string // members of the request's body
		whole, stream string
		text          string // a reply without a call
	}{
		{"chat",
			[]string{`"tools":[{"type":"function","function":{"name":"record","description":"Record an object.","parameters":` + string(schema) + `}}]`, `"tool_choice":"required"`},
			[]string{`"response_format":{"type":"json_schema","json_schema":{"name":"record","strict":true,"schema":` + string(schema) + `}}`},
			`{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"record","arguments":"` + inJSON + `"}},{"id":"call_2","type":"function","function":{"name":"record","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			event(`data: {"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"record","arguments":""}}]}}]}`,
				`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"`+one+`"}}]}}]}`,
				`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_2","function":{"name":"record","arguments":"{}"}}]}}]}`,
				`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"`+two+`"}}]}}]}`,
				`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, `data: [DONE]`),
			`{"choices":[{"index":0,"message":{"role":"assistant","content":"no"},"finish_reason":"stop"}]}`},
		{"responses",
			[]string{`"tools":[{"type":"function","strict":true,"name":"record","description":"Record an object.","parameters":` + string(schema) + `}]`, `"tool_choice":"required"`},
			[]string{`"text":{"format":{"type":"json_schema","name":"record","strict":true,"schema":` + string(schema) + `}}`},
			`{"status":"completed","output":[{"type":"function_call","id":"fc_1","call_id":"call_1","name":"record","arguments":"` + inJSON + `","status":"completed"}]}`,
			event(`data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","name":"record","arguments":""}}`,
				`data: {"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":0,"delta":"`+one+`"}`,
				`data: {"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":0,"delta":"`+two+`"}`,
				`data: {"type":"response.function_call_arguments.done","item_id":"fc_1","arguments":"`+inJSON+`"}`,
				`data: {"type":"response.completed","response":{"status":"completed","output":[{"type":"function_call","name":"record","arguments":"`+inJSON+`"}]}}`),
			`{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"no"}]}]}`},
		{"anthropic",
			[]string{`"tools":[{"name":"record","description":"Record an object.","input_schema":` + string(schema) + `}]`, `"tool_choice":{"type":"tool","name":"record","disable_parallel_tool_use":true}`},
			[]string{`"output_config":{"effort":"low","format":{"type":"json_schema","schema":` + string(schema) + `}}`},
			`{"type":"message","role":"assistant","content":[{"type":"text","text":"I record it."},{"type":"tool_use","id":"toolu_1","name":"record","input":` + want + `}],"stop_reason":"tool_use"}`,
			event(`data: {"type":"message_start","message":{"role":"assistant","content":[]}}`,
				`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
				`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I record it."}}`,
				`data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"record","input":{}}}`,
				`data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}`,
				`data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"`+one+`"}}`,
				`data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"`+two+`"}}`,
				`data: {"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `data: {"type":"message_stop"}`),
			`{"type":"message","role":"assistant","content":[{"type":"text","text":"no"}],"stop_reason":"end_turn"}`},
		{"gemini",
			[]string{`"tools":[{"functionDeclarations":[{"name":"record","description":"Record an object.","parametersJsonSchema":` + string(schema) + `}]}]`, `"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["record"]}}`},
			[]string{`"generationConfig":{"maxOutputTokens":1100,"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"low"},"responseMimeType":"application/json","responseJsonSchema":` + string(schema) + `}`},
			`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"record","args":` + want + `}}]},"finishReason":"STOP"}]}`,
			event(`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true}]}}]}`,
				`data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"record","args":`+want+`}},{"functionCall":{"name":"record","args":{}}}]},"finishReason":"STOP"}]}`),
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"no"}]},"finishReason":"STOP"}]}`},
		{"ollama",
			[]string{`"tools":[{"type":"function","function":{"name":"record","description":"Record an object.","parameters":` + string(schema) + `}}]`},
			[]string{`"format":` + string(schema)},
			`{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"record","arguments":` + want + `}}]},"done":true,"done_reason":"stop"}`,
			`{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"record","arguments":` + want + `}}]},"done":false}` + "\n" +
				`{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}` + "\n",
			`{"message":{"role":"assistant","content":"no"},"done":true,"done_reason":"stop"}`},
	} {
		t.Run(c.protocol, func(t *testing.T) {
			p, _ := wire.Find(c.protocol)
			ask := func(as verbatim.StructureKind, streamed bool, reply string) (verbatim.Reply, string) {
				var body []byte
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, _ = io.ReadAll(r.Body)
					w.Write([]byte(reply))
				}))
				defer server.Close()
				params := verbatim.Params{Structure: &verbatim.Structure{As: as, Schema: schema}}
				if as == verbatim.AsSchema && c.protocol != "ollama" {
					params.Effort = "low"
				}
				e := wire.Endpoint{BaseURL: server.URL + "/v1", Model: "m", Stream: streamed, Total: time.Minute, Idle: time.Minute}
				got, err := p.SendPrompt(context.Background(), e, verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}}}}, 1100, params)
				if err != nil {
					t.Fatal(err)
				}
				if !json.Valid(body) || strings.Contains(got.Sent, "properties") {
					t.Errorf("sent %s, recorded %s", body, got.Sent)
				}
				return got, string(body)
			}
			for _, streamed := range []bool{false, true} {
				reply := c.whole
				if streamed {
					reply = c.stream
				}
				got, body := ask(verbatim.AsTool, streamed, reply)
				if got.Text != want || got.Finish != verbatim.FinishCall {
					t.Errorf("streamed %v: got %q, %q", streamed, got.Text, got.Finish)
				}
				for _, member := range c.tool {
					if !strings.Contains(body, member) {
						t.Errorf("%s\nis not in %s", member, body)
					}
				}
			}
			if got, _ := ask(verbatim.AsTool, false, c.text); got.Text != "no" || got.Finish != verbatim.FinishNoCall {
				t.Errorf("without a call: %q, %q", got.Text, got.Finish)
			}
			got, body := ask(verbatim.AsSchema, false, c.text)
			if got.Text != "no" || got.Finish != verbatim.FinishStop {
				t.Errorf("under a schema: %q, %q", got.Text, got.Finish)
			}
			for _, member := range c.schema {
				if !strings.Contains(body, member) {
					t.Errorf("%s\nis not in %s", member, body)
				}
			}
		})
	}
}
