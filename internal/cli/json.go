package cli

import (
	"bytes"
	"fmt"
	"io"

	"verbatim/internal/terminal"
)

// writeDocument writes one JSON object: the member "format", with the command and the version of its
// format, 1, and the members of the object v. Control characters are escaped.
func writeDocument(w io.Writer, command string, v any) error {
	var object bytes.Buffer
	if err := terminal.WriteJSON(&object, v); err != nil {
		return err
	}
	members := bytes.TrimPrefix(bytes.TrimSpace(object.Bytes()), []byte("{")) // with the closing brace
	separator := ","
	if string(members) == "}" {
		separator = "\n"
	}
	_, err := fmt.Fprintf(w, "{\n  \"format\": \"verbatim/%s/1\"%s%s\n", command, separator, members)
	return err
}
