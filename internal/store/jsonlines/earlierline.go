package jsonlines

import (
	"encoding/json"

	"verbatim/internal/earlier"
)

// renamedLine returns a line of an earlier version in the words of version 5.
func renamedLine(text []byte) ([]byte, error) {
	return earlier.Object(text, map[string]string{"tried": "attempts"}, map[string]earlier.Rewrite{
		"run": earlier.RunJSON,
		"record": func(body []byte) ([]byte, error) {
			return earlier.Object(body, nil, map[string]earlier.Rewrite{"outcome": earlier.OutcomeJSON, "grades": renamedGrades})
		},
		"batch": func(body []byte) ([]byte, error) {
			return earlier.Object(body, map[string]string{"places": "positions"}, nil)
		},
	})
}

func renamedGrades(body []byte) ([]byte, error) {
	var grades []json.RawMessage
	err := json.Unmarshal(body, &grades)
	for i := range grades {
		if err == nil {
			grades[i], err = earlier.GradeJSON(grades[i])
		}
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(grades)
}
