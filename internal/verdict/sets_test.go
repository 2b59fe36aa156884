package verdict

import (
	"fmt"
	"testing"
)

// TestLevelled: sets of neighbours that are indistinguishable, and such pairs that are
// no neighbours, from the top.
func TestLevelled(t *testing.T) {
	for _, c := range []struct {
		tied [][]int // by rank
		want string
	}{
		{[][]int{nil, nil, nil}, "[]"},
		{[][]int{{1}, {0}, nil}, "[[0 1]]"},
		{[][]int{{1, 2}, {0, 2}, {0, 1}}, "[[0 1 2]]"},
		{[][]int{{1}, {0, 2}, {1}}, "[[0 1] [1 2]]"},
		{[][]int{{1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2}}, "[[0 1 2] [1 2 3]]"},
		{[][]int{{2}, nil, {0, 3}, {2}}, "[[0 2] [2 3]]"},
		{[][]int{nil, {2}, {1}, {4}, {3}}, "[[1 2] [3 4]]"},
	} {
		places := make([]RankPlace, len(c.tied))
		for i := range places {
			places[i].Indistinguishable = c.tied[i]
		}
		if got := fmt.Sprint(indistinguishableSets(places)); got != c.want {
			t.Errorf("%v: %s, want %s", c.tied, got, c.want)
		}
	}
}
