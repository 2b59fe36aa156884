package earlier

import (
	"encoding/json"

	"verbatim"
)

// A Rewrite returns a JSON value in the words of version 5.
type Rewrite func(body []byte) ([]byte, error)

// Object renames keys of a JSON object, and rewrites values. names has new names by old ones, and
// rewrites has functions by new names. Missing members and null stay.
func Object(body []byte, names map[string]string, rewrites map[string]Rewrite) ([]byte, error) {
	var members map[string]json.RawMessage
	err := json.Unmarshal(body, &members)
	for old, name := range names {
		if value, ok := members[old]; ok {
			delete(members, old)
			members[name] = value
		}
	}
	for name, rewrite := range rewrites {
		if value, ok := members[name]; ok && string(value) != "null" && err == nil {
			members[name], err = rewrite(value)
		}
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(members)
}

// decode renames keys of a JSON object, and decodes it.
func decode[T any](body []byte, names map[string]string) (v T, err error) {
	if body, err = Object(body, names, nil); err == nil {
		err = json.Unmarshal(body, &v)
	}
	return v, err
}

// Params returns the JSON of a verbatim.Params in the words of version 5.
func Params(body []byte) ([]byte, error) {
	p, err := decode[verbatim.Params](body, map[string]string{"thinking": "reasoning_tokens"})
	if err != nil {
		return nil, err
	}
	return json.Marshal(p)
}

// Test returns the JSON of a verbatim.Test in the words of version 5.
func Test(body []byte) ([]byte, error) {
	t, err := decode[verbatim.Test](body, map[string]string{"against": "baseline"})
	if err != nil {
		return nil, err
	}
	if t.Kind == "limit" {
		t.Kind = "horizon"
	}
	if metric, ok := t.Settings["on"]; ok {
		delete(t.Settings, "on")
		t.Settings["metric"] = Metric(metric)
	}
	return json.Marshal(t)
}

// OutcomeJSON returns the JSON of an outcome in the words of version 5.
func OutcomeJSON(body []byte) ([]byte, error) {
	var outcome verbatim.Outcome
	if err := json.Unmarshal(body, &outcome); err != nil {
		return nil, err
	}
	return json.Marshal(Outcome(outcome))
}

// GradeJSON returns the JSON of a grade in the words of version 5. Members that a verbatim.Grade
// lacks stay.
func GradeJSON(body []byte) ([]byte, error) {
	names := map[string]string{"strict": "exact", "payload": "extracted"}
	g, err := decode[verbatim.Grade](body, names)
	if err != nil {
		return nil, err
	}
	g.Label, g.Detail, g.Flags = Grade(g.Label, g.Detail, g.Flags)
	set := func(v any) Rewrite { return func([]byte) ([]byte, error) { return json.Marshal(v) } }
	return Object(body, names, map[string]Rewrite{"outcome": OutcomeJSON, "label": set(g.Label), "detail": set(g.Detail), "flags": set(g.Flags)})
}

// RunJSON returns an object with its members params and test, which may be missing, in the words of
// version 5. The run of an export is such an object.
func RunJSON(body []byte) ([]byte, error) {
	return Object(body, nil, map[string]Rewrite{"params": Params, "test": Test})
}
