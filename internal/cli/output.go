package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"verbatim/internal/rawjson"
	"verbatim/internal/table"
)

// writeJSON prints one document: v's fields after a "format" that names the
// command and its version. Nothing in it is obeyed by a terminal.
func writeJSON(w io.Writer, command string, v any) error {
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

// writeTable prints a table in the columns of the terminal behind the standard output.
func (env *Env) writeTable(w io.Writer, t *table.Table) error { return t.Print(w, env.style()) }

// formatVersion returns the version of a command's JSON output.
func formatVersion(command string) int {
	switch command {
	case "aa", "plan", "regrade", "runs":
		return 2
	}
	return 1
}
