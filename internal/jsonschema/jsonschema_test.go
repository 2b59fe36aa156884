package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/jsonschema"
)

func ExampleOf() {
	schema, _ := jsonschema.Of(`{"name": "a", "n": 1.50, "tags": ["x", 1, "y"], "more": {"ok": true, "none": null}, "empty": []}`)
	fmt.Println(string(schema))
	// Output:
	// {"type":"object","properties":{"name":{"type":"string"},"n":{"type":"number"},"tags":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"}]}},"more":{"type":"object","properties":{"ok":{"type":"boolean"},"none":{"type":"null"}},"required":["ok","none"],"additionalProperties":false},"empty":{"type":"array","items":{"type":"string"}}},"required":["name","n","tags","more","empty"],"additionalProperties":false}
}

func TestOf(t *testing.T) {
	for _, text := range []string{"", "[]", "1", `{"a":`, "null", "{}{}", strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200)} {
		if schema, ok := jsonschema.Of(text); ok {
			t.Errorf("%.40q has the schema %.80s", text, schema)
		}
	}
	if schema, ok := jsonschema.Of(`{"a":1,"b":2,"a":"x"}`); !ok || strings.Count(string(schema), `"a"`) != 2 {
		t.Errorf("a key that occurs twice: %s, %v", schema, ok)
	}
	if schema, ok := jsonschema.Of(" {} "); !ok || string(schema) != `{"type":"object","properties":{},"required":[],"additionalProperties":false}` {
		t.Errorf("%s, %v", schema, ok)
	}
}

// FuzzOf: a schema is JSON, and says of every key that it is required.
func FuzzOf(f *testing.F) {
	f.Add(`{"a":[{"b":1},{"b":"x"}],"é\n\u2028":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		schema, ok := jsonschema.Of(text)
		if !ok {
			return
		}
		var s struct {
			Properties map[string]any
			Required   []string
		}
		var keys map[string]any
		if err := json.Unmarshal(schema, &s); err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		if json.Unmarshal([]byte(text), &keys) != nil {
			return // what Go does not take
		}
		for key := range keys {
			if _, ok := s.Properties[key]; !ok {
				t.Errorf("%q is not in %s", key, schema)
			}
		}
		if len(s.Required) < len(keys) {
			t.Errorf("%d keys, %d required", len(keys), len(s.Required))
		}
	})
}
