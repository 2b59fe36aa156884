package conformance

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"verbatim"
)

// openAPI reads OpenAI's description of its API. It skips the test if the description
// is not next to the checkout.
func openAPI(t *testing.T) map[string]any {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "oracle", "openai", "openapi.yaml")
	data, err := os.ReadFile(path)
	if err != nil {
		if os.Getenv("VERBATIM_ORACLE") == "require" {
			t.Fatalf("OpenAI's description is required: %v", err)
		}
		t.Skipf("OpenAI's description is not there: %v", err)
	}
	var doc map[string]any
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	// The encoding as JSON makes YAML's numbers and dates those of JSON.
	raw, err := json.Marshal(withoutRecursion(doc))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

// withoutRecursion removes the two keywords of an older draft, 2019-09, which the
// description uses for a part that is in no request.
func withoutRecursion(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if name == "$recursiveAnchor" || name == "$recursiveRef" {
				delete(v, name)
				continue
			}
			v[name] = withoutRecursion(inner)
		}
	case []any:
		for i := range v {
			v[i] = withoutRecursion(v[i])
		}
	}
	return v
}

// unambiguous allows an item of the input to match more than one kind. A message with
// parts is an EasyInputMessage and an InputMessage, but the description allows only
// one: it refuses what OpenAI's own SDK sends.
func unambiguous(t *testing.T, doc map[string]any) {
	t.Helper()
	item := doc["components"].(map[string]any)["schemas"].(map[string]any)["InputItem"].(map[string]any)
	kinds, there := item["oneOf"]
	if !there {
		t.Fatal("the description's InputItem is no longer a oneOf: judge by it as it is")
	}
	delete(item, "oneOf")
	item["anyOf"] = kinds
}

// TestSchemaAmbiguity: without unambiguous, the description refuses such a message.
func TestSchemaAmbiguity(t *testing.T) {
	doc := openAPI(t)
	p := openAIResponses()
	q := plain(false)
	q.prompt[0].Content = append(q.prompt[0].Content, verbatim.Part{Text: "more"})
	body := p.theirsSends(t, q).body
	if judge(t, compile(t, doc, "CreateResponse"), body) == nil {
		t.Error("the description accepts messages in parts now: remove unambiguous")
	}
	unambiguous(t, doc)
	if err := judge(t, compile(t, doc, "CreateResponse"), body); err != nil {
		t.Error(err)
	}
}

// compile returns the schema with this name.
func compile(t *testing.T, doc map[string]any, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("openai.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("openai.json#/components/schemas/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// judge returns the error of a body under a schema.
func judge(t *testing.T, s *jsonschema.Schema, body []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return s.Validate(v)
}

// TestSchema validates all bodies that we send with OpenAI's own description, and
// checks that the description refuses wrong bodies.
func TestSchema(t *testing.T) {
	doc := openAPI(t)
	unambiguous(t, doc)
	for _, c := range []struct {
		pair   pair
		schema string
		wrong  []mistake
	}{
		{chat(), "CreateChatCompletionRequest", chatMistakes()},
		{openAIResponses(), "CreateResponse", responsesMistakes()},
	} {
		t.Run(c.pair.name, func(t *testing.T) {
			s := compile(t, doc, c.schema)
			valid, found := 0, make([]bool, len(c.wrong))
			for _, q := range questions() {
				sent, err := c.pair.oursSends(t, q)
				if err != nil {
					continue // TestBodies looks at what is refused
				}
				if err := judge(t, s, sent.body); err != nil {
					t.Fatalf("%v\n%s", err, sent.body)
				}
				valid++
				for i, w := range c.wrong {
					bad := strings.Replace(string(sent.body), w.old, w.new, 1)
					if bad == string(sent.body) {
						continue
					}
					found[i] = true
					if judge(t, s, []byte(bad)) == nil {
						t.Errorf("%s is not noticed: %s", w.name, bad)
					}
				}
			}
			for i, w := range c.wrong {
				if !found[i] {
					t.Errorf("no body has a place for %s", w.name)
				}
			}
			t.Logf("%d bodies are valid, %d kinds of mistake are noticed", valid, len(c.wrong))
			if valid < 50 {
				t.Errorf("only %d bodies were judged", valid)
			}
		})
	}
}

// A mistake is put into a body by replacing text.
type mistake struct{ name, old, new string }

func chatMistakes() []mistake {
	return []mistake{
		{"no messages", `"messages":`, `"message":`},
		{"no model", `"model":`, `"modell":`},
		{"an unknown role", `"role":"user"`, `"role":"human"`},
		{"no role", `"role":"user",`, ``},
		{"a bound that is a text", `"max_tokens":100`, `"max_tokens":"100"`},
		{"a temperature out of range", `"temperature":0.5`, `"temperature":2.5`},
		{"a probability out of range", `"top_p":0.9`, `"top_p":9`},
		{"a seed that is no whole number", `"seed":7`, `"seed":7.5`},
		{"an unknown effort", `"reasoning_effort":"low"`, `"reasoning_effort":"little"`},
		{"stream as a text", `"stream":true`, `"stream":"true"`},
		{"an unknown part", `"type":"text"`, `"type":"words"`},
		{"an image without its object", `"image_url":{"url":`, `"image_url":{"uri":`},
	}
}

func responsesMistakes() []mistake {
	return []mistake{
		{"an unknown role", `"role":"user"`, `"role":"human"`},
		{"a bound below the least", `"max_output_tokens":100`, `"max_output_tokens":15`},
		{"a temperature out of range", `"temperature":0.5`, `"temperature":2.5`},
		{"a probability out of range", `"top_p":0.9`, `"top_p":9`},
		{"an unknown effort", `"effort":"low"`, `"effort":"little"`},
		{"stream as a text", `"stream":true`, `"stream":"true"`},
		{"store as a text", `"store":false`, `"store":"no"`},
		{"a part of the other API", `"type":"input_text"`, `"type":"text"`},
		{"an image of the other API", `"image_url":"`, `"image_url":7,"x":"`},
	}
}

// questions returns all combinations of the parts of a question.
func questions() []question {
	half, most, seed := 0.5, 0.9, int64(7)
	text := func(role string, parts ...verbatim.Part) verbatim.Message {
		return verbatim.Message{Role: role, Content: parts}
	}
	image := &verbatim.Image{Media: "image/png", Bytes: []byte("\x89PNG\r\n\x1a\n\x00\xff")}
	var all []question
	for mask := range 1 << 9 {
		has := func(bit int) bool { return mask>>bit&1 == 1 }
		q := question{stream: has(0)}
		if has(1) {
			q.prompt = append(q.prompt, text("system", verbatim.Part{Text: "Be exact."}))
		}
		if has(2) {
			q.prompt = append(q.prompt, text("user", verbatim.Part{Text: "é \"1\"\n<&>\u2028\x00"}), text("assistant", verbatim.Part{Text: "2"}))
		}
		last := text("user", verbatim.Part{Text: "Copy: 🙂"})
		if has(3) {
			last = text("user", verbatim.Part{Text: "What is this?"}, verbatim.Part{Image: image}, verbatim.Part{Text: "One word."})
		}
		q.prompt = append(q.prompt, last)
		if has(4) {
			q.maxTokens = 100
		}
		if has(5) {
			q.params.Temperature = &half
		}
		if has(6) {
			q.params.TopP = &most
		}
		if has(7) {
			q.params.Seed = &seed
		}
		if has(8) {
			q.params.Effort = "low"
		}
		all = append(all, q)
	}
	return all
}
