package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// A Format is a way to write a T: a Report, or a Compared.
type Format[T any] struct {
	Name  string // as --format takes it
	Doc   string
	Write func(w io.Writer, t *T, s Style) error
}

// Formats lists the formats, the default first.
func Formats() []Format[Report] {
	return []Format[Report]{
		{"text", "tables and curves for a terminal", Text},
		{"md", "Markdown, for issues and notebooks", Markdown},
		{"csv", "one row for each line of the tables, unrounded", CSV},
		{"json", "everything, unrounded: verbatim/report/1", JSON},
		{"junit", "JUnit XML, a test for each line: it fails below --fail-under", JUnit},
	}
}

// JSON writes the Report as it is, one indented document.
func JSON(w io.Writer, r *Report, _ Style) error { return document(w, r) }

// document writes v as indented JSON that is safe to look at: see SafeJSON.
func document(w io.Writer, v any) error {
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(SafeJSON(plain.Bytes()))
	return err
}

// SafeJSON returns a JSON text in which every character that a terminal could obey,
// or a reader overlook, is escaped: it means the same. Line feeds between values
// stay. The text must be valid JSON in UTF-8, as encoding/json writes it.
func SafeJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r == '\n' || printable(r) {
			out = utf8.AppendRune(out, r)
		} else {
			out = append(out, jsonEscape(r)...)
		}
	}
	return out
}

// jsonEscape returns a code point as JSON strings may hold it; what is not UTF-8, which
// JSON cannot hold, as the replacement character.
func jsonEscape(r rune) string {
	switch {
	case r < 0:
		return `\ufffd`
	case r > 0xFFFF:
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
