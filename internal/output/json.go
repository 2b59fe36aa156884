package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"verbatim/internal/rawjson"
)

// Document prints one JSON document: v's fields after a "format" that names the
// command and its version. Nothing in it is obeyed by a terminal.
func Document(w io.Writer, command string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	body := bytes.TrimSpace(rawjson.Printable(b.Bytes()))
	if bytes.Equal(body, []byte("{}")) {
		body = []byte("{\n}")
	} else {
		body = append([]byte("{,"), body[1:]...)
	}
	_, err := fmt.Fprintf(w, "{\n  \"format\": \"verbatim/%s/%d\"%s\n", command, formatVersion(command), body[1:])
	return err
}

// formatVersion returns the version of a command's JSON output.
func formatVersion(command string) int {
	switch command {
	case "aa", "plan", "regrade", "runs":
		return 2
	}
	return 1
}

// Line prints one line of JSON.
func Line(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(rawjson.Printable(b.Bytes()))
	return err
}
