package jsonlines

import (
	"encoding/json"

	"verbatim/internal/earlier"
)

// renamedLine returns a line of an earlier version in the words of version 5.
func renamedLine(text []byte) ([]byte, error) {
	line, err := earlier.Keys(text, map[string]string{"tried": "attempts"})
	if err != nil {
		return nil, err
	}
	for key, rename := range map[string]func([]byte) ([]byte, error){"run": earlier.RunJSON, "record": renamedRecordLine, "batch": renamedBatchLine} {
		if body, ok := line[key]; ok && string(body) != "null" {
			if line[key], err = rename(body); err != nil {
				return nil, err
			}
		}
	}
	return json.Marshal(line)
}

func renamedBatchLine(body []byte) ([]byte, error) {
	fields, err := earlier.Keys(body, map[string]string{"places": "positions"})
	if err != nil {
		return nil, err
	}
	return json.Marshal(fields)
}

func renamedRecordLine(body []byte) ([]byte, error) {
	fields, err := earlier.Keys(body, nil)
	if err != nil {
		return nil, err
	}
	if fields["outcome"], err = earlier.OutcomeJSON(fields["outcome"]); err != nil {
		return nil, err
	}
	var grades []json.RawMessage
	if body, ok := fields["grades"]; ok {
		if err := json.Unmarshal(body, &grades); err != nil {
			return nil, err
		}
		for i := range grades {
			if grades[i], err = earlier.GradeJSON(grades[i]); err != nil {
				return nil, err
			}
		}
		if fields["grades"], err = json.Marshal(grades); err != nil {
			return nil, err
		}
	}
	return json.Marshal(fields)
}
