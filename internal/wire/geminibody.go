package wire

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

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
