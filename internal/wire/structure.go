package wire

import (
	"fmt"

	"verbatim"
	"verbatim/internal/rawjson"
)

// The one tool that is offered, and the name of the schema.
const (
	toolName        = "record"
	toolDescription = "Record an object."
)

// isTool reports whether a reply is to be the arguments of a tool.
func isTool(p verbatim.Params) bool { return p.Structure != nil && p.Structure.As == verbatim.AsTool }

// isSchema reports whether a reply is to follow a schema.
func isSchema(p verbatim.Params) bool {
	return p.Structure != nil && p.Structure.As == verbatim.AsSchema
}

// structureFields are members of a body: pairs of a name and a JSON value.
type structureFields [][2]string

// Names lists the names of the members. Extra parameters must not have them.
func (f structureFields) Names() (names []string) {
	for _, m := range f {
		names = append(names, m[0])
	}
	return names
}

// AppendTo appends the members to an object. They belong to one request alone, so they are no
// part of what is recorded as sent.
func (f structureFields) appendTo(body []byte) []byte {
	for _, m := range f {
		body = rawjson.AppendMember(body, m[0], []byte(m[1]))
	}
	return body
}

// function is the tool as OpenAI's API describes it.
func function(schema []byte) string {
	return fmt.Sprintf(`{"name":"%s","description":"%s","parameters":%s}`, toolName, toolDescription, schema)
}

// chatStructure returns the members of a chat completion.
func chatStructure(p verbatim.Params) structureFields {
	switch {
	case isTool(p):
		return structureFields{
			{"tools", `[{"type":"function","function":` + function(p.Structure.Schema) + `}]`},
			{"tool_choice", `"required"`}, // which more servers know than the name of a tool
		}
	case isSchema(p):
		return structureFields{{"response_format", `{"type":"json_schema","json_schema":{"name":"` + toolName + `","strict":true,"schema":` + string(p.Structure.Schema) + `}}`}}
	}
	return nil
}

// responsesStructure returns the members of a request of the responsesStructure API.
func responsesStructure(p verbatim.Params) structureFields {
	switch {
	case isTool(p):
		return structureFields{
			{"tools", `[{"type":"function","strict":true,` + function(p.Structure.Schema)[1:] + `]`},
			{"tool_choice", `"required"`},
		}
	case isSchema(p):
		return structureFields{{"text", `{"format":{"type":"json_schema","name":"` + toolName + `","strict":true,"schema":` + string(p.Structure.Schema) + `}}`}}
	}
	return nil
}

// anthropicStructure returns the members of a request of anthropicStructure's API. One object has both the schema
// and the effort.
func anthropicStructure(p verbatim.Params) structureFields {
	switch {
	case isTool(p):
		return structureFields{
			{"tools", fmt.Sprintf(`[{"name":"%s","description":"%s","input_schema":%s}]`, toolName, toolDescription, p.Structure.Schema)},
			{"tool_choice", `{"type":"tool","name":"` + toolName + `","disable_parallel_tool_use":true}`},
		}
	case isSchema(p):
		config := `{`
		if p.Effort != "" {
			config += `"effort":` + string(rawjson.AppendString(nil, p.Effort)) + `,`
		}
		return structureFields{{"output_config", config + `"format":{"type":"json_schema","schema":` + string(p.Structure.Schema) + `}}`}}
	}
	return nil
}

// geminiTools returns the members of a request of Gemini's API for a tool. The schema is a part
// of its generationConfig.
func geminiTools(p verbatim.Params) structureFields {
	if !isTool(p) {
		return nil
	}
	return structureFields{
		{"tools", fmt.Sprintf(`[{"functionDeclarations":[{"name":"%s","description":"%s","parametersJsonSchema":%s}]}]`, toolName, toolDescription, p.Structure.Schema)},
		{"toolConfig", `{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["` + toolName + `"]}}`},
	}
}

// ollamaStructure returns the members of a request of ollamaStructure's API, which cannot require a call.
func ollamaStructure(p verbatim.Params) structureFields {
	switch {
	case isTool(p):
		return structureFields{{"tools", `[{"type":"function","function":` + function(p.Structure.Schema) + `}]`}}
	case isSchema(p):
		return structureFields{{"format", string(p.Structure.Schema)}}
	}
	return nil
}
