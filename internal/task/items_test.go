package task

import (
	"bytes"
	"math/big"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim"
)

// TestItemsAreReadBack writes items of every family and reads them back.
func TestItemsAreReadBack(t *testing.T) {
	var b bytes.Buffer
	var want []verbatim.Item
	everyLength(func(f verbatim.Family, k verbatim.Parameters) {
		it := mustDraw(t, f, k, 2, 1)
		want = append(want, it)
		if err := WriteItem(&b, &it); err != nil {
			t.Fatal(err)
		}
	})
	file, got, err := ReadItems("x", b.Bytes(), ".", func(*verbatim.Item) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if file.N != len(want) || len(got) != len(want) {
		t.Fatalf("%d of %d items were read, and %d are counted", len(got), len(want), file.N)
	}
	bigs := cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
	for i := range want {
		want[i].Inputs = nil // of families only
		if reflect.DeepEqual(want[i], got[i]) {
			continue // cmp takes seconds for long lists
		}
		if diff := cmp.Diff(want[i], got[i], bigs); diff != "" {
			t.Errorf("%s changed on the way (- written, + read):\n%s", want[i].ID, diff)
		}
	}
}

// written returns the items of a plan as a file.
func written(t testing.TB, p verbatim.Plan) []byte {
	t.Helper()
	var b bytes.Buffer
	d := must(Open(p, nil))
	for position, ok := d.Next(); ok; position, ok = d.Next() {
		if err := WriteItem(&b, must(d.Item(position))); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}
