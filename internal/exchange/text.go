package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"

	"verbatim/internal/rawjson"
)

// Text returns the text of a JSON string. Half of a surrogate pair, which Python's json module
// writes as an escape, and bytes that are not UTF-8 stay. raw must be valid JSON.
func Text(raw json.RawMessage) (string, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '"' {
		return "", fmt.Errorf("want text, found %s", rawjson.Kind(raw))
	}
	s, ok := rawjson.Text(raw)
	if !ok {
		return "", fmt.Errorf("a text holds a broken escape: %.20q", raw)
	}
	return s, nil
}
