package store

import (
	"fmt"
	"strconv"
	"strings"
)

// A placeRange is the positions from first to last, both included.
type positionRange struct{ first, last int64 }

// rangesOf joins rising positions to ranges.
func rangesOf(places []int64) []positionRange {
	var list []positionRange
	for _, seq := range places {
		if n := len(list); n > 0 && list[n-1].last == seq-1 {
			list[n-1].last = seq
		} else {
			list = append(list, positionRange{seq, seq})
		}
	}
	return list
}

// formatRanges writes rising positions as "0-99,105".
func formatRanges(places []int64) string {
	var b []byte
	for i, r := range rangesOf(places) {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, r.first, 10)
		if r.last > r.first {
			b = append(b, '-')
			b = strconv.AppendInt(b, r.last, 10)
		}
	}
	return string(b)
}

// parseRanges is the reverse of formatRanges; it takes at most maxBatch positions
// and exactly the text that formatRanges writes.
func parseRanges(s string) ([]int64, error) {
	var places []int64
	before := int64(-1)
	for part := range strings.SplitSeq(s, ",") {
		from, to, found := strings.Cut(part, "-")
		if !found {
			to = from
		}
		first, err1 := strconv.ParseInt(from, 10, 64)
		last, err2 := strconv.ParseInt(to, 10, 64)
		if err1 != nil || err2 != nil || first <= before || last < first || last > MaxSeq || last-first >= int64(maxBatch-len(places)) {
			return nil, fmt.Errorf("%.40q is not a range of places after those before it, or one of too many", part)
		}
		for seq := first; seq <= last; seq++ {
			places = append(places, seq)
		}
		before = last
	}
	if formatRanges(places) != s {
		return nil, fmt.Errorf("%.40q is not how places are written", s)
	}
	return places, nil
}
