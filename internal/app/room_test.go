package app

import (
	"testing"

	"verbatim"
)

// TestRoomWithinOutput: requests ask for no more tokens than the model writes, so that no
// server has to refuse them first. A limit that the user sets is sent as it is.
func TestRoomWithinOutput(t *testing.T) {
	most, wide, huge := int64(4096), int64(100_000), int64(1)<<62
	for name, c := range map[string]struct {
		output         *int64
		tokens, answer int
		want           int
	}{
		"unknown":                         {nil, 16_884, 500, 16_884},
		"a small output":                  {&most, 16_884, 500, 4096},
		"a large output":                  {&wide, 16_884, 500, 16_884},
		"an endless output":               {&huge, 16_884, 500, 16_884},
		"an answer longer than the table": {&most, 21_384, 5000, 5000},
		"a limit of the user's":           {&most, 9000, 0, 9000},
	} {
		q := verbatim.Request{MaxTokens: c.tokens, ContentTokens: c.answer}
		(&room{maxOutput: c.output}).limit(&q)
		if q.MaxTokens != c.want {
			t.Errorf("%s: %d tokens, want %d", name, q.MaxTokens, c.want)
		}
	}
}
