package lazyregexp

import "testing"

// TestBadText says that a text that is no regular expression fails the tests of the package that has it.
func TestBadText(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("New accepts an open bracket")
		}
	}()
	New("[")
}
