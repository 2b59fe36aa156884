package grade

import (
	"github.com/rivo/uniseg"

	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
)

// measures returns the numbers next to the verdict. All count code points of the
// wanted text and of what was judged; a measure that is not defined, or was too
// dear to find out, is absent:
//
//	length, want_length     sizes of the two
//	graphemes, want_graphemes  the same in grapheme clusters, where not all is ASCII
//	lcp, lcp_share          common beginning, and its share of the wanted text
//	first_error             index of the first difference; absent on a pass
//	source_index            where that character stands in the text to be reversed
//	distance                Levenshtein's; distance_lower_bound where only that is known
//	ned, similarity         distance by the longer length, and 1 minus that
//	insertions, deletions, substitutions, swaps
//	                        the edits; distance = the first three + 2 swaps
//	hamming                 positions that differ, where the lengths are equal
//	recall                  share of the wanted characters that came, in any order
func (v verdict) measures(want string) map[string]float64 {
	if v.gradedText == want {
		return measuresOfRight(want)
	}
	p := v.pair
	if p == nil {
		p = newPair(want, v.gradedText)
	}
	n := 13 // of these below, so that the map has the room that it needs
	if p.differ >= 0 {
		n++
	}
	m := make(map[string]float64, n)
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

// measure writes the distance between two texts of which the longer has the
// given length.
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

// clusters counts what readers call characters, where that can differ from the
// number of code points.
func clusters(m map[string]float64, want, got string) {
	if runes.IsASCII(want) && runes.IsASCII(got) || len(want) > maxClusters || len(got) > maxClusters {
		return
	}
	m["want_graphemes"] = float64(uniseg.GraphemeClusterCount(want))
	m["graphemes"] = float64(uniseg.GraphemeClusterCount(got))
}
