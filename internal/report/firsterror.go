package report

import (
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/stats"
)

// LongText is the length, in characters, from which reports say in which tenth of an expected
// text the first error is.
const LongText = 500

// firstErrors counts the answers to long texts by the tenth of the expected text in which
// their first error is.
type firstErrors struct {
	tenths  [10]int64
	none    int64           // answers without an error
	items   [10]stats.Items // answers that are right up to a tenth; Exact: their first error is in it
	unknown bool            // the first error of an answer is unknown: its measures were not read
}

// add counts an answer to an item of a length, if it is long.
func (f *firstErrors) add(rec *verbatim.Record, m *entry, length string) {
	if len(length) < len("500") || !m.answered || rec.Outcome == verbatim.Refused { // most lengths are short
		return
	}
	if n, err := strconv.Atoi(length); err != nil || n < LongText || !strings.HasPrefix(rec.Grade.Grader, "text") {
		return
	}
	if m.exact || m.extracted {
		f.none++
		f.count(m, 10)
		return
	}
	right, ok := rec.Grade.Measures["lcp_share"]
	if !ok {
		f.unknown = true
		return
	}
	tenth := min(max(int(right*10), 0), 9)
	f.tenths[tenth]++
	f.count(m, tenth)
}

// count adds an answer by item, if its item has several trials. tenth is that of its first error;
// 10 means no error.
func (f *firstErrors) count(m *entry, tenth int) {
	for i := range min(tenth+1, 10) {
		addRepeated(&f.items[i], &entry{item: m.item, exact: i == tenth})
	}
}

func (f *firstErrors) merge(o *firstErrors) {
	for i, n := range o.tenths {
		f.tenths[i] += n
	}
	for i := range o.items {
		f.items[i].Merge(&o.items[i])
	}
	f.none += o.none
	f.unknown = f.unknown || o.unknown
}

// finish returns a rate for each tenth: of the answers that are right up to it, those with their
// first error in it. It is nil without answers, and if a first error is unknown.
func (f *firstErrors) finish() []Rate {
	left := f.none
	for _, n := range f.tenths {
		left += n
	}
	if left == 0 || f.unknown {
		return nil
	}
	list := make([]Rate, len(f.tenths))
	for i, n := range f.tenths {
		list[i] = countedItems(f.items[i].All()).exactRate(n, left, nil)
		left -= n
	}
	return list
}
