package report

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"

	"verbatim/internal/rawjson"
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

// document writes v as indented JSON that is safe to look at: see rawjson.Printable.
func document(w io.Writer, v any) error {
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(rawjson.Printable(plain.Bytes()))
	return err
}

// jsonEscape returns a code point as JSON strings may hold it; what is not UTF-8, which
// JSON cannot hold, as the replacement character.
func jsonEscape(r rune) string {
	if r < 0 {
		r = utf8.RuneError
	}
	return string(rawjson.AppendEscape(nil, r))
}
