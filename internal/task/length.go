package task

import (
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

// ParseLengths reads lengths as they are typed: "16"; "8..256", which is the ladder 8, 16, 32, …, 256
// and always has both ends; or several of these with commas. They are returned in this order, each
// once.
//
// The ".." of a command line is not that of an id: "len=2..30" in an id means that the item drew its
// length. Only suites have such ranges: a curve over length needs many items at few lengths, and
// simpE's documents demand few items at many lengths. Ranges are those of the suite (SuiteRanges): a
// text that is equal to one of them is that range.
func ParseLengths(s string, ranges ...verbatim.Lengths) ([]verbatim.Lengths, error) {
	var out []verbatim.Lengths
	addRange := func(l verbatim.Lengths) {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	add := func(n int) { addRange(single(n)) }
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		if i := slices.IndexFunc(ranges, func(l verbatim.Lengths) bool { return l.String() == part }); i >= 0 {
			addRange(ranges[i])
			continue
		}
		low, high, ladder := strings.Cut(part, "..")
		from, err := parseLength(low)
		if err != nil {
			return nil, err
		}
		if !ladder {
			add(from)
			continue
		}
		to, err := parseLength(high)
		if err != nil {
			return nil, err
		}
		if from > to || from == 0 {
			return nil, misuse("a ladder goes up from at least 1, as in 8..256", "%q is no ladder of lengths", part)
		}
		for n := from; n < to; n *= 2 {
			add(n)
		}
		add(to)
	}
	return out, nil
}

// parseLength reads one length.
func parseLength(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > 1_000_000_000 {
		return 0, misuse("write 16, or 8,12,16, or 8..256 for 8, 16, 32 … 256", "%q is not a length", s)
	}
	return n, nil
}

// SuiteRanges returns the ranges of lengths of a suite, without its single lengths; nil for an
// unknown suite.
func SuiteRanges(suite string, e verbatim.Edition) []verbatim.Lengths {
	s, err := findSuite(suite)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(lengthsOf(s.cells(e)), func(l verbatim.Lengths) bool { return l.Min == l.Max })
}
