package task

import (
	"strings"
	"testing"

	"verbatim"
)

// A drawCounter is a writer that notes how many items were drawn when it was written to first, and
// most of what is waiting in memory between two of its writes.
type drawCounter struct {
	drawn, first, waiting, most int
}

func (c *drawCounter) Write(p []byte) (int, error) {
	if c.first == 0 {
		c.first = c.drawn
	}
	c.most = max(c.most, c.waiting)
	c.waiting = 0
	return len(p), nil
}

// draw draws items of a family and counts them.
func (c *drawCounter) draw(t *testing.T, name string) func(i int) (verbatim.Item, error) {
	f, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return func(i int) (verbatim.Item, error) {
		c.drawn++
		c.waiting++
		return drawItem(f, verbatim.Parameters{Length: verbatim.Lengths{Min: 16, Max: 16}}, 1, i)
	}
}

// TestReleaseIsStreamed: each list and each rule is written before the next one is drawn, so that
// memory does not grow with their number.
func TestReleaseIsStreamed(t *testing.T) {
	const n = 30
	var lists, rules drawCounter
	if err := writeLists(&lists, n, lists.draw(t, "sort-int"), verbatim.Standard); err != nil {
		t.Fatal(err)
	}
	if err := writeRules(&rules, n, rules.draw(t, "hard-columns")); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]drawCounter{"lists": lists, "rules": rules} {
		if c.drawn != n || c.first != 1 || c.most != 1 {
			t.Errorf("%s: %d items drawn, want %d; %d before the first write and %d between two, want 1", name, c.drawn, n, c.first, c.most)
		}
	}
}

// TestRulesAreSorted: the keys of the rules are in the order of their texts.
func TestRulesAreSorted(t *testing.T) {
	var b strings.Builder
	if err := writeRules(&b, 12, new(drawCounter).draw(t, "hard-columns")); err != nil {
		t.Fatal(err)
	}
	last := -1
	for _, key := range []string{"list_1", "list_10", "list_11", "list_12", "list_2", "list_9"} {
		at := strings.Index(b.String(), `"`+key+`":`)
		if at <= last {
			t.Errorf("%s is at byte %d, behind byte %d", key, at, last)
		}
		last = at
	}
}
