package cli

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"verbatim/internal/errkind"
)

// The error of a command says why it ended. Only one that could not be started gets the hint
// about its name.
func TestCommandErrors(t *testing.T) {
	h := &fakeHost{}
	if err := h.Listen(http.NotFoundHandler(), 0); err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, c := range []struct {
		words      []string
		says, hint string
	}{
		{[]string{"sh", "-c", "kill -9 $$"}, "sh: signal: killed", ""},
		{[]string{"no-such-program"}, "no-such-program", "without a shell"},
	} {
		err := h.Run(context.Background(), hostedCommand{Words: c.words})
		var kind *errkind.Error
		if !errors.As(err, &kind) || !strings.Contains(err.Error(), c.says) || !strings.Contains(kind.Hint, c.hint) || c.hint == "" && kind.Hint != "" {
			t.Errorf("%q: %v, hint %+v", c.words, err, kind)
		}
	}
	var code hostedExitCode
	if err := h.Run(context.Background(), hostedCommand{Words: []string{"sh", "-c", "exit 3"}}); !errors.As(err, &code) || code != 3 {
		t.Errorf("%v", err)
	}
}
