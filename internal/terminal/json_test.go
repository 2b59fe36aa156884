package terminal

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/rawjson"
	"verbatim/internal/terminal/terminaltest"
)

// What is escaped means the same, and nothing of it is obeyed.
func TestPrintableJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.String()).Draw(t, "texts")
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		safe := rawjson.Printable(text)
		if bad := terminaltest.Unsafe(string(safe)); bad != "" {
			t.Fatalf("%s is let through: %q", bad, safe)
		}
		var got []string
		if err := json.Unmarshal(safe, &got); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(got)
		if err != nil || !bytes.Equal(again, text) {
			t.Fatalf("%q became %q (%v)", text, again, err)
		}
	})
}
