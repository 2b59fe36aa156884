package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"verbatim/internal/rawjson"
)

// Document writes one JSON object: the member "format", with the command and the version of its
// format, 1, and the members of the object v. Control characters are escaped.
func Document(w io.Writer, command string, v any) error {
	object, err := encode(v, "  ")
	if err != nil {
		return err
	}
	members := bytes.TrimPrefix(bytes.TrimSpace(object), []byte("{")) // with the closing brace
	separator := ","
	if string(members) == "}" {
		separator = "\n"
	}
	_, err = fmt.Fprintf(w, "{\n  \"format\": \"verbatim/%s/1\"%s%s\n", command, separator, members)
	return err
}

// encode returns the JSON of v and a line feed, with control characters escaped.
func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return rawjson.Printable(b.Bytes()), err
}

// Line writes v as one line of JSON. Control characters are escaped.
func Line(w io.Writer, v any) error {
	line, err := encode(v, "")
	if err == nil {
		_, err = w.Write(line)
	}
	return err
}
