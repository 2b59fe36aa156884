package terminal

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"

	"verbatim/internal/rawjson"
)

// WriteJSON writes v as indented JSON that is safe to look at: see rawjson.Printable.
func WriteJSON(w io.Writer, v any) error { return writeJSON(w, v, "  ") }

// WriteJSONLine is WriteJSON on one line.
func WriteJSONLine(w io.Writer, v any) error { return writeJSON(w, v, "") }

func writeJSON(w io.Writer, v any, indent string) error {
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(rawjson.Printable(plain.Bytes()))
	return err
}

// jsonEscape returns a result of DecodeRune escaped for a JSON string. A byte that is not UTF-8 becomes
// the replacement character, because JSON cannot hold it.
func jsonEscape(r rune) string {
	if r < 0 {
		r = utf8.RuneError
	}
	return string(rawjson.AppendEscape(nil, r))
}
