package rawjson

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

func Example() {
	event := []byte(`{"model":"m","choices":[{"delta":{"content":"caf\u00e9"}}],"usage":null}`)
	if err := Check(event, MaxDepth); err != nil {
		fmt.Println(err)
	}
	Elements(Member(event, "choices"), func(choice []byte) {
		text, _ := Text(Member(choice, "delta", "content"))
		fmt.Println(text)
	})
	fmt.Println(Kind(Member(event, "usage")))
	// Output:
	// café
	// null
}

func TestAppendWithout(t *testing.T) {
	for object, want := range map[string]string{
		`{"grade":1}`: `{}`,
		` { "a" : 1 , "grade":{"x":[1]}, "b":2 } `: `{"a" : 1,"b":2}`,
		`{"a":1,"\u0067rade":2}`:                   `{"a":1}`,
		`{}`:                                       `{}`,
	} {
		if got := AppendWithout(nil, []byte(object), "grade"); string(got) != want {
			t.Errorf("%s: %s, want %s", object, got, want)
		}
	}
}

// FuzzMembers: Members and Elements find what encoding/json finds, and do not panic on
// what is not JSON.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{"a":1,"b":{"c":[1,"}",{}]},"a":"x\"y"}`, `[1, "a,b", [], {}, null]`, ` { } `, `{"a"`, `["`, `{"a":`, `{"\u0061":-1e5}`, `[[[`, `{"a\`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := map[string]string{}
		isObject := Members(text, func(name, value []byte) { got[string(name)] = string(value) })
		var elements []string
		isArray := Elements(text, func(value []byte) { elements = append(elements, string(value)) })
		Member(text, "a")
		AppendWithout(nil, text, "a")
		if !Valid(text) {
			return
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(text, &object) == nil && object != nil {
			for name, value := range object {
				if v, ok := got[name]; ok && v != string(value) {
					t.Errorf("%s: %s, want %s", name, v, value)
				}
			}
			if !isObject || len(got) < len(object) { // names that are not UTF-8 may fall together there
				t.Errorf("%d members, want %d", len(got), len(object))
			}
			if rest := AppendWithout(nil, text, "a"); !Valid(rest) || Member(rest, "a") != nil {
				t.Errorf("without a: %s", rest)
			}
		}
		var array []json.RawMessage
		if json.Unmarshal(text, &array) == nil && array != nil {
			if !isArray || !slices.EqualFunc(array, elements, func(a json.RawMessage, b string) bool { return string(a) == b }) {
				t.Errorf("%q, want %q", elements, array)
			}
		}
	})
}
