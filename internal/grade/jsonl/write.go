package jsonl

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/rawjson"
)

// appendGrade appends g as JSON, with the keys of verbatim.Grade in their order.
// It writes what json.Marshal writes in a tenth of the time. Otherwise writing a
// grade would take longer than finding it.
func appendGrade(dst []byte, g *verbatim.Grade) []byte {
	dst = appendString(append(dst, `{"outcome":`...), string(g.Outcome))
	dst = appendString(append(dst, `,"label":`...), g.Label)
	if g.Detail != "" {
		dst = appendString(append(dst, `,"detail":`...), g.Detail)
	}
	dst = strconv.AppendBool(append(dst, `,"exact":`...), g.Exact)
	dst = strconv.AppendBool(append(dst, `,"extracted":`...), g.Extracted)
	if g.Span != nil {
		dst = strconv.AppendInt(append(dst, `,"span":{"start":`...), int64(g.Span.Start), 10)
		dst = append(strconv.AppendInt(append(dst, `,"end":`...), int64(g.Span.End), 10), '}')
	}
	if g.Rule != "" {
		dst = appendString(append(dst, `,"rule":`...), g.Rule)
	}
	dst = append(dst, `,"score":`...)
	if g.Score == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendNumber(dst, *g.Score)
	}
	if g.Repair != "" {
		dst = appendString(append(dst, `,"repair":`...), g.Repair)
	}
	for i, flag := range g.Flags {
		if i == 0 {
			dst = append(dst, `,"flags":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = appendString(dst, flag)
	}
	if len(g.Flags) > 0 {
		dst = append(dst, ']')
	}
	if len(g.Measures) > 0 {
		dst = appendMeasures(append(dst, `,"measures":`...), g.Measures)
	}
	return append(appendString(append(dst, `,"grader":`...), g.Grader), '}')
}

// appendMeasures appends m as an object, sorted by name.
func appendMeasures(dst []byte, m map[string]float64) []byte {
	start := len(dst)
	dst = append(dst, '{')
	written, usual := 0, listMeasures
	if _, ok := m["want_length"]; ok {
		usual = textMeasures
	}
	for _, name := range usual {
		if value, ok := m[name]; ok {
			dst = appendNumber(append(append(append(dst, '"'), name...), `":`...), value)
			dst = append(dst, ',')
			written++
		}
	}
	if written == len(m) {
		dst[len(dst)-1] = '}'
		return dst
	}
	return appendSorted(dst[:start], m)
}

// The measures of the graders, sorted. Others can be written too, but slower.
var (
	textMeasures = []string{"deletions", "distance", "distance_lower_bound", "first_error", "graphemes", "hamming", "insertions", "lcp", "lcp_share", "length",
		"ned", "recall", "similarity", "source_index", "substitutions", "swaps", "value", "want_graphemes", "want_length"}
	listMeasures = []string{"additional", "faithfulness", "has_ellipsis", "is_list", "missing", "output_items", "parsed", "required_cast", "sortbench",
		"sortbench_published", "sortbench_standard", "sorting", "sorting_published", "sorting_standard", "unordered_neighbors", "unordered_pairs", "validity"}
)

// appendSorted is appendMeasures for measures of any names.
func appendSorted(dst []byte, m map[string]float64) []byte {
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendNumber(append(appendString(dst, name), ':'), m[name])
	}
	return append(dst, '}')
}

// appendNumber appends f, which is finite.
func appendNumber(dst []byte, f float64) []byte {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}

// appendString appends s as a JSON string, with escapes for characters that are not printable.
func appendString(dst []byte, s string) []byte {
	start := len(dst)
	dst = rawjson.AppendString(dst, s)
	for i := range len(s) {
		if s[i] >= 0x7f {
			return append(dst[:start], rawjson.Printable(dst[start:])...)
		}
	}
	return dst
}
