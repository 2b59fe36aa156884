package wire_test

import (
	"strings"
	"testing"

	"verbatim/internal/wire"
)

// Of partial texts the head and the tail are saved, whole characters each, and how
// much is missing.
func TestHeadAndTail(t *testing.T) {
	for _, n := range []int{0, 1, 8192, 8292} {
		if s := strings.Repeat("a", n); wire.HeadAndTail(s) != s {
			t.Errorf("%d bytes are not saved whole", n)
		}
	}
	for shift := range 4 {
		s := strings.Repeat("a", shift) + strings.Repeat("😀", 5000)
		got := wire.HeadAndTail(s)
		if len(got) > 8300 || strings.ToValidUTF8(got, "?") != got || !strings.HasPrefix(got, s[:4000]) || !strings.HasSuffix(got, s[len(s)-4000:]) {
			t.Errorf("shift %d: %d bytes", shift, len(got))
		}
	}
}
