package earlier

import (
	"encoding/json"

	"verbatim"
)

// Params returns the JSON of a verbatim.Params in the words of version 5.
func Params(body []byte) ([]byte, error) {
	return rewrite[verbatim.Params](body, map[string]string{"thinking": "reasoning_tokens"})
}

// Test returns the JSON of a verbatim.Test in the words of version 5.
func Test(body []byte) ([]byte, error) {
	body, err := rewrite[verbatim.Test](body, map[string]string{"against": "baseline"})
	if err != nil {
		return nil, err
	}
	var t verbatim.Test
	if err := json.Unmarshal(body, &t); err != nil {
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

// rewrite renames keys of an object, and returns it in the form of a T.
func rewrite[T any](body []byte, names map[string]string) ([]byte, error) {
	fields, err := Keys(body, names)
	if err != nil {
		return nil, err
	}
	if body, err = json.Marshal(fields); err != nil {
		return nil, err
	}
	var v T
	if err := json.Unmarshal(body, &v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// Keys returns the members of a JSON object; names has new names by old ones.
func Keys(body []byte, names map[string]string) (fields map[string]json.RawMessage, err error) {
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	for old, name := range names {
		if value, ok := fields[old]; ok {
			delete(fields, old)
			fields[name] = value
		}
	}
	return fields, nil
}

// OutcomeJSON returns the JSON of an outcome in the words of version 5; nil for nil.
func OutcomeJSON(body []byte) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	var outcome verbatim.Outcome
	if err := json.Unmarshal(body, &outcome); err != nil {
		return nil, err
	}
	return json.Marshal(Outcome(outcome))
}

// GradeJSON returns the JSON of a grade in the words of version 5. Members that a verbatim.Grade
// lacks stay.
func GradeJSON(body []byte) ([]byte, error) {
	fields, err := Keys(body, map[string]string{"strict": "exact", "payload": "extracted"})
	if err != nil {
		return nil, err
	}
	var g verbatim.Grade
	if body, err = json.Marshal(fields); err != nil {
		return nil, err
	}
	if err = json.Unmarshal(body, &g); err != nil {
		return nil, err
	}
	g.Outcome = Outcome(g.Outcome)
	g.Label, g.Detail, g.Flags = Grade(g.Label, g.Detail, g.Flags)
	for key, value := range map[string]any{"outcome": g.Outcome, "label": g.Label, "detail": g.Detail, "flags": g.Flags} {
		if _, ok := fields[key]; ok {
			if fields[key], err = json.Marshal(value); err != nil {
				return nil, err
			}
		}
	}
	return json.Marshal(fields)
}

// RunJSON returns an object with its members params and test, which may be missing, in the words of
// version 5. The run of an export is such an object.
func RunJSON(body []byte) ([]byte, error) {
	fields, err := Keys(body, nil)
	if err != nil {
		return nil, err
	}
	for key, rename := range map[string]func([]byte) ([]byte, error){"params": Params, "test": Test} {
		if body, ok := fields[key]; ok && string(body) != "null" {
			if fields[key], err = rename(body); err != nil {
				return nil, err
			}
		}
	}
	return json.Marshal(fields)
}
