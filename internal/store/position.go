package store

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxSeq is the last position that a run can have. The number of a run and a position fit into
// one int64.
const MaxSeq = 1<<32 - 1

// positionKey returns the key of a position of a run, in the column place of several tables.
func positionKey(run, seq int64) int64 { return run<<32 | seq }

// sequenceOf returns the position in the run of a key.
func sequenceOf(position int64) int64 { return position & MaxSeq }

// span returns the first and the last key of a run.
func span(run int64) (first, last int64) { return positionKey(run, 0), positionKey(run, MaxSeq) }

// maxBatch is the most requests of a batch. No provider takes as many.
const maxBatch = 1 << 20

// A positionRange is the positions from First to Last, both included.
type positionRange struct{ First, Last int64 }

// rangesOf returns the ranges of rising positions.
func rangesOf(positions []int64) []positionRange {
	var list []positionRange
	for _, seq := range positions {
		if n := len(list); n > 0 && list[n-1].Last == seq-1 {
			list[n-1].Last = seq
		} else {
			list = append(list, positionRange{seq, seq})
		}
	}
	return list
}

// formatRanges writes rising positions as "0-99,105".
func formatRanges(positions []int64) string {
	var b []byte
	for i, r := range rangesOf(positions) {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, r.First, 10)
		if r.Last > r.First {
			b = append(b, '-')
			b = strconv.AppendInt(b, r.Last, 10)
		}
	}
	return string(b)
}

// parseRanges is the reverse of formatRanges. More than maxBatch positions, and a text that
// formatRanges would not write, are errors.
func parseRanges(s string) ([]int64, error) {
	var positions []int64
	before := int64(-1)
	for part := range strings.SplitSeq(s, ",") {
		from, to, found := strings.Cut(part, "-")
		if !found {
			to = from
		}
		first, err1 := strconv.ParseInt(from, 10, 64)
		last, err2 := strconv.ParseInt(to, 10, 64)
		if err1 != nil || err2 != nil || first <= before || last < first || last > MaxSeq || last-first >= int64(maxBatch-len(positions)) {
			return nil, fmt.Errorf("%.40q is not a range of positions after those before it, or there are more than %d positions", part, maxBatch)
		}
		for seq := first; seq <= last; seq++ {
			positions = append(positions, seq)
		}
		before = last
	}
	if formatRanges(positions) != s {
		return nil, fmt.Errorf("want positions such as 0-99,105, found %.40q", s)
	}
	return positions, nil
}
