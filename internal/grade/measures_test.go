package grade

import (
	"maps"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/grade/runes"
)

func TestMeasures(t *testing.T) {
	copied := textItem("abcdefgh")
	third, ninths := 1.0/3, 2.0/9 // rounded as in the grader, not exact as constants are
	for _, c := range []struct {
		name  string
		it    *verbatim.Item
		reply string
		want  map[string]float64
	}{
		{"right", copied, " abcdefgh\n", map[string]float64{
			"length": 8, "want_length": 8, "lcp": 8, "lcp_share": 1, "distance": 0, "ned": 0, "similarity": 1,
			"insertions": 0, "deletions": 0, "substitutions": 0, "swaps": 0, "hamming": 0, "recall": 1,
		}},
		{"right, not ASCII", textItem("e\u0301👨\u200d👩"), "e\u0301👨\u200d👩", map[string]float64{
			"length": 5, "want_length": 5, "lcp": 5, "lcp_share": 1, "distance": 0, "ned": 0, "similarity": 1,
			"insertions": 0, "deletions": 0, "substitutions": 0, "swaps": 0, "hamming": 0, "recall": 1,
			"graphemes": 2, "want_graphemes": 2,
		}},
		{"wrong", copied, "abdcefXh", map[string]float64{
			"length": 8, "want_length": 8, "lcp": 2, "lcp_share": 0.25, "first_error": 2, "distance": 3, "ned": 0.375, "similarity": 0.625,
			"insertions": 0, "deletions": 0, "substitutions": 1, "swaps": 1, "hamming": 3, "recall": 0.875,
		}},
		{"short, not ASCII", copied, "abcdéf", map[string]float64{
			"length": 6, "want_length": 8, "lcp": 4, "lcp_share": 0.5, "first_error": 4, "distance": 3, "ned": 0.375, "similarity": 0.625,
			"insertions": 0, "deletions": 2, "substitutions": 1, "swaps": 0, "recall": 0.625, "graphemes": 6, "want_graphemes": 8,
		}},
		{"clusters", copied, "abcdefge\u0301", map[string]float64{
			"length": 9, "want_length": 8, "lcp": 7, "lcp_share": 0.875, "first_error": 7, "distance": 2, "ned": ninths, "similarity": 1 - ninths,
			"insertions": 1, "deletions": 0, "substitutions": 1, "swaps": 0, "recall": 0.875, "graphemes": 8, "want_graphemes": 8,
		}},
		{"reversal", reversal("hgfedcba"), "abcde", map[string]float64{
			"length": 5, "want_length": 8, "lcp": 5, "lcp_share": 0.625, "first_error": 5, "source_index": 2, "distance": 3, "ned": 0.375, "similarity": 0.625,
			"insertions": 0, "deletions": 3, "substitutions": 0, "swaps": 0, "recall": 0.625,
		}},
		{"too long", reversal("ba"), "abc", map[string]float64{
			"length": 3, "want_length": 2, "lcp": 2, "lcp_share": 1, "first_error": 2, "distance": 1, "ned": 1.0 / 3, "similarity": 1 - third,
			"insertions": 1, "deletions": 0, "substitutions": 0, "swaps": 0, "recall": 1,
		}},
		{"empty", copied, "", map[string]float64{
			"length": 0, "want_length": 8, "lcp": 0, "lcp_share": 0, "first_error": 0, "distance": 8, "ned": 1, "similarity": 0,
			"insertions": 0, "deletions": 8, "substitutions": 0, "swaps": 0, "recall": 0,
		}},
		{"nothing wanted", textItem(""), "", map[string]float64{
			"length": 0, "want_length": 0, "lcp": 0, "distance": 0, "ned": 0, "similarity": 1,
			"insertions": 0, "deletions": 0, "substitutions": 0, "swaps": 0, "hamming": 0,
		}},
		{"nothing wanted, something came", textItem(""), "ab", map[string]float64{
			"length": 2, "want_length": 0, "lcp": 0, "first_error": 0, "distance": 2, "ned": 1, "similarity": 0,
			"insertions": 2, "deletions": 0, "substitutions": 0, "swaps": 0,
		}},
		{"after reasoning", copied, "<think>hm</think>\nabcdefgX", map[string]float64{
			"length": 8, "want_length": 8, "lcp": 7, "lcp_share": 0.875, "first_error": 7, "distance": 1, "ned": 0.125, "similarity": 0.875,
			"insertions": 0, "deletions": 0, "substitutions": 1, "swaps": 0, "hamming": 1, "recall": 0.875,
		}},
	} {
		if got := Of(c.it, c.reply, "").Measures; !maps.Equal(got, c.want) {
			t.Errorf("%s:\n got %v\nwant %v", c.name, got, c.want)
		}
	}
	huge := strings.Repeat("é", maxClusters)
	if m := Of(textItem(huge), huge, "").Measures; m["length"] != maxClusters || m["graphemes"] != 0 {
		t.Error("clusters of long texts are not counted")
	}
}

func TestCommon(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "cab", 3}, {"aab", "abb", 2}, {"я", "く", 0}, {"яくя", "くяく", 2},
		{"éÿĀ", "Āéé", 2}, {"😀a", "a😀😀", 2}, {"\u0141\u01c1", "\u01c1", 1}, {"\u0141", "\u01c1", 0},
	} {
		if got := runes.Common([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
