package cli

import (
	"strings"
	"testing"

	"verbatim/internal/terminal"
)

// A line about a locked database takes the place of a meter's line: the sequence that
// clears it is obeyed, and not shown.
func TestLockNoteClearsMeter(t *testing.T) {
	var b strings.Builder
	seal := terminal.NewSeal()
	filter := terminal.NewFilter(&b, seal)
	env := &Env{Err: filter, ErrWidth: 80, Seal: seal}
	env.replaceLine("x.db is locked by another process (2s)")
	if err := filter.Flush(); err != nil || b.String() != "\r\x1b[Kx.db is locked by another process (2s)\n" {
		t.Errorf("%q %v", b.String(), err)
	}
}
