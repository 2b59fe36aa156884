package verbatim

import (
	"hash/fnv"
	"io"
	"strconv"
	"strings"
)

// spreadMark begins a Variant.Paraphrase that spreads the items over several wordings; the
// number of wordings follows.
const spreadMark = "all:"

// SpreadOver returns the Variant.Paraphrase that spreads the items over n wordings: the
// official one and the first n-1 paraphrases.
func SpreadOver(n int) string { return spreadMark + strconv.Itoa(n) }

// Wordings returns the number of wordings over which the items are spread; 1 if all items
// have the same wording. The variant may be nil.
func (v *Variant) Wordings() int {
	if v == nil {
		return 1
	}
	text, spread := strings.CutPrefix(v.Paraphrase, spreadMark)
	if n, err := strconv.Atoi(text); spread && err == nil && n > 1 {
		return n
	}
	return 1
}

// WordingOf returns the index of the wording of an item if items are spread over n
// wordings. It depends on the item's id only. Items with successive numbers at the end of
// their ids, as in "reverse@1/len=16/seed=1/7", get the wordings in turn.
func WordingOf(id string, n int) int {
	series := strings.TrimRight(id, "0123456789")
	number, _ := strconv.Atoi(id[len(series):]) // 0 without a number, or if it is too large
	h := fnv.New32a()
	io.WriteString(h, series)
	return int((uint64(h.Sum32()) + uint64(max(number, 0))) % uint64(n))
}
