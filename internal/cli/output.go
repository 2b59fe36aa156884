package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
	"verbatim/internal/rawjson"
	"verbatim/internal/terminal"
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

// writeTable prints rows in columns, the first row as the head. Columns that
// hold only numbers are set to the right. A cell is one line, whatever is in it.
func writeTable(w io.Writer, rows [][]string) error {
	for _, row := range rows {
		for i := range row {
			row[i] = terminal.SafeLine(row[i])
		}
	}
	widths := make([]int, len(rows[0]))
	numeric := make([]bool, len(rows[0]))
	for i := range numeric {
		numeric[i] = len(rows) > 1
	}
	for n, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], terminal.Width(cell))
			if n > 0 && strings.Trim(cell, "0123456789.,%–-") != "" {
				numeric[i] = false
			}
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-terminal.Width(cell))
			if numeric[i] {
				line += pad + cell + "  "
			} else {
				line += cell + pad + "  "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wantText returns a wanted answer as a model should write it.
func wantText(a verbatim.Answer) string {
	if a.IsList() {
		return pylit.Format(a.List)
	}
	return a.Text
}

// formatVersion returns the version of a command's JSON output.
func formatVersion(command string) int {
	switch command {
	case "aa", "plan", "regrade", "runs":
		return 2
	}
	return 1
}
