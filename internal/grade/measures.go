package grade

import (
	"github.com/rivo/uniseg"

	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
)

// measures returns numbers that compare the graded text with the expected one. All count
// code points. A measure is absent if it is not defined or too expensive:
//
//	length, want_length     sizes of the two
//	graphemes, want_graphemes  the same in grapheme clusters, where not all is ASCII
//	lcp, lcp_share          common beginning, and its share of the expected text
//	first_error             index of the first difference; absent on a pass
//	source_index            position of that character in the text to reverse
//	distance                Levenshtein's; distance_lower_bound where only that is known
//	ned, similarity         distance divided by the longer length, and 1 minus that
//	insertions, deletions, substitutions, swaps
//	                        the edits; distance = the first three + 2 swaps
//	hamming                 positions that differ, where the lengths are equal
//	recall                  share of the expected characters that are there, in any order
func (v verdict) measures(want string) map[string]float64 {
	if v.gradedText == want {
		return measuresOfRight(want)
	}
	p := v.pair
	if p == nil {
		p = newPair(want, v.gradedText)
	}
	room := 13 // for the measures of most texts
	if p.differ >= 0 {
		room++
	}
	m := make(map[string]float64, room)
	m["length"], m["want_length"] = float64(len(p.g)), float64(len(p.e))
	m["lcp"], m["first_error"] = float64(p.head), float64(p.head)
	if n := float64(len(p.e)); n > 0 {
		m["lcp_share"] = float64(p.head) / n
		m["recall"] = float64(p.shared) / n
	}
	if p.differ >= 0 {
		m["hamming"] = float64(p.differ)
	}
	if p.head < len(p.e) && mirrored(p.e, p.source) {
		m["source_index"] = float64(len(p.e) - 1 - p.head)
	}
	p.distance.measure(m, max(len(p.e), len(p.g)))
	clusters(m, want, v.gradedText)
	return m
}

// measuresOfRight returns the measures of a graded text that is the expected one.
func measuresOfRight(want string) map[string]float64 {
	n := float64(traits.Count(want))
	m := make(map[string]float64, 13)
	m["length"], m["want_length"], m["lcp"] = n, n, n
	m["distance"], m["ned"], m["similarity"], m["hamming"] = 0, 0, 1, 0
	m["insertions"], m["deletions"], m["substitutions"], m["swaps"] = 0, 0, 0, 0
	if n > 0 {
		m["lcp_share"], m["recall"] = 1, 1
	}
	if n < float64(len(want)) { // not all ASCII
		clusters(m, want, want)
	}
	return m
}

// measure adds the distance between two texts to m. longer is the length of the longer one.
func (d edits) measure(m map[string]float64, longer int) {
	if d.bound {
		m["distance_lower_bound"] = float64(d.distance)
		return
	}
	ned := float64(d.distance) / float64(max(longer, 1))
	m["distance"], m["ned"], m["similarity"] = float64(d.distance), ned, 1-ned
	if d.counted {
		m["insertions"], m["deletions"] = float64(d.inserted), float64(d.deleted)
		m["substitutions"], m["swaps"] = float64(d.substituted), float64(d.swapped)
	}
}

// clusters adds the numbers of grapheme clusters to m if they can differ from those of code points.
func clusters(m map[string]float64, want, got string) {
	if runes.IsASCII(want) && runes.IsASCII(got) || len(want) > maxClusters || len(got) > maxClusters {
		return
	}
	m["want_graphemes"] = float64(uniseg.GraphemeClusterCount(want))
	m["graphemes"] = float64(uniseg.GraphemeClusterCount(got))
}
