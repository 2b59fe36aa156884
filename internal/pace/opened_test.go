package pace

import (
	"net"
	"testing"

	"verbatim"
	"verbatim/internal/wire"
)

// A connection that never opened costs nothing, as the wires tell it.
func TestNeverOpened(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	prompt := verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}}}}
	_, err = wire.Chat().Send(t.Context(), wire.Endpoint{BaseURL: "http://" + address, Model: "m"}, prompt, 9, verbatim.Params{})
	if err == nil || mayBeBilled(err) {
		t.Errorf("%v may be billed", err)
	}
}
