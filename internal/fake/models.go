package fake

import "verbatim/internal/rawjson"

// appendModels appends a list of models between head and tail; one returns a model for
// its name as a JSON string.
func appendModels(b []byte, names []string, head string, one func(name string) string, tail string) []byte {
	b = append(b, head...)
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, one(string(rawjson.AppendString(nil, name)))...)
	}
	return append(b, tail...)
}
