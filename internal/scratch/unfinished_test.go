package scratch

import (
	"slices"
	"testing"
)

func TestUnfinished(t *testing.T) {
	var u Unfinished
	var removed []int
	add := func(n int) func() { return u.Add(func() { removed = append(removed, n) }) }
	add(1)
	forget := add(2)
	add(3)
	forget()
	forget() // twice does no harm
	u.RemoveAll()
	u.RemoveAll()
	slices.Sort(removed)
	if !slices.Equal(removed, []int{1, 3}) {
		t.Errorf("removed %v, not what was added and not forgotten", removed)
	}
}
