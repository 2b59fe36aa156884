package task

import (
	"math/rand/v2"
	"testing"
)

// TestVisible: no question is about a space, and every other character may be asked for.
func TestVisible(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[int]bool{}
	for range 100 {
		seen[visible(r, "a  b c")] = true
	}
	if len(seen) != 3 || !seen[0] || !seen[3] || !seen[5] {
		t.Errorf("indexes %v", seen)
	}
}
