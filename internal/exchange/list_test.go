package exchange

import (
	"cmp"
	"math/big"
	"testing"

	"verbatim/internal/pylit"
)

func TestSortedAsPython(t *testing.T) {
	huge, _ := new(big.Int).SetString("9007199254740993000000", 10)
	for _, c := range []struct {
		list []any
		want string
	}{
		{nil, "[]"},
		{[]any{"b", "B", "a", "_", "é", "z", "🦀", "\uffee"}, "['B', '_', 'a', 'b', 'z', 'é', '\uffee', '🦀']"},
		{[]any{int64(10), int64(9), int64(-1)}, "[-1, 9, 10]"},
		{[]any{1.0, int64(1), 0.5, int64(1), 1.0}, "[0.5, 1.0, 1, 1, 1.0]"}, // equal ones keep their order
		{[]any{int64(9007199254740993), 9007199254740992.0}, "[9007199254740992.0, 9007199254740993]"},
		{[]any{huge, 9.007199254740993e21, int64(1)}, "[1, 9007199254740993000000, 9.007199254740993e+21]"},
	} {
		got, err := sortedAsPython(c.list)
		if err != nil {
			t.Errorf("%v: %v", c.list, err)
			continue
		}
		if s := pylit.Format(append([]any{}, got...)); s != c.want {
			t.Errorf("%v: %s, want %s", c.list, s, c.want)
		}
	}
	for _, list := range [][]any{{true}, {nil}, {"a", int64(1)}, {1.5, "a"}, {[]any{}}} {
		if _, err := sortedAsPython(list); err == nil {
			t.Errorf("%v has an order", list)
		}
	}
}

// Lists are in the order of their numbers, and those without one after them.
func TestCompareLists(t *testing.T) {
	want := []string{"list_1", "list_2", "list_10", "first", "second"}
	for i, a := range want {
		for j, b := range want {
			if got := compareLists(a, b); got != cmp.Compare(i, j) {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
}
