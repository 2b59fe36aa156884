package report

import (
	"testing"

	"verbatim"
)

// TestResent: a request that is sent again because a reused connection was closed is no
// retry.
func TestResent(t *testing.T) {
	for _, c := range []struct {
		numbers []int
		retried int64
		resent  int64
	}{{[]int{1}, 0, 0}, {[]int{1, 1}, 0, 1}, {[]int{1, 2}, 1, 0}, {[]int{1, 2, 2}, 1, 1}, {[]int{0}, 0, 0}, {[]int{0, 0}, 1, 0}} {
		var s retries
		rec := verbatim.Record{Outcome: verbatim.Pass, Grade: &verbatim.Grade{}, Reply: &verbatim.Reply{}}
		for _, n := range c.numbers {
			rec.Reply.Attempts = append(rec.Reply.Attempts, verbatim.Attempt{N: n})
		}
		if s.add(&rec, &entry{}); s.n != c.retried || s.resent != c.resent {
			t.Errorf("%v: %d retried, %d resent; want %d, %d", c.numbers, s.n, s.resent, c.retried, c.resent)
		}
	}
}
