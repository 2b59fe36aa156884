package pace

import (
	"testing"

	"verbatim"
	"verbatim/internal/wire"
)

// A connection that never opened costs nothing, as the wires report it.
func TestNeverOpened(t *testing.T) {
	const closed = "http://127.0.0.1:1" // never handed to another test's server
	prompt := verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}}}}
	err := wire.Chat().Send(t.Context(), &wire.Endpoint{BaseURL: closed, Model: "m"}, &verbatim.Request{Prompt: prompt}, new(verbatim.Reply))
	if err == nil || mayBeBilled(err) {
		t.Errorf("%v may be billed", err)
	}
}
