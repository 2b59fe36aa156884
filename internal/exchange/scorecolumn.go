package exchange

import (
	"fmt"
	"math"
	"strconv"

	"verbatim"
)

// A scoreColumn is a column of a file of scores, in the spelling of this program and in that of
// the published repository.
type scoreColumn struct {
	name, repository string
	measure          bool // it is a number or a truth value
	needed           bool
}

// scoreColumns returns the columns that ReadSortBenchScores reads.
func scoreColumns() []scoreColumn {
	return []scoreColumn{
		{"mode", "Mode", false, true},
		{"version", "Version", false, false},
		{"model", "Model", false, true},
		{"task", "Type", false, true},
		{"length", "Size", false, true},
		{"list", "List Name", false, true},
		{"error_type", "ErrorType", false, false},
		{"parsed", "Parsed", true, false},
		{"is_list", "IsList", true, false},
		{"has_ellipsis", "HasEllipsis", true, false},
		{"required_cast", "RequiredTypeParsing", true, false},
		{"unordered_pairs", "Unordered Pairs After", true, false},
		{"unordered_neighbors", "Unordered Neighbors After", true, false},
		{"missing", "Missing Items", true, false},
		{"additional", "Additional Items", true, false},
		{"validity", "Validity Score", true, false},
		{"sorting_published", "Sorting Score", true, false},
		{"faithfulness", "Faithfulness Score", true, false},
		{"sortbench_published", "SortBench Score", true, true},
	}
}

// findColumns returns the indexes of columns by name. It is an error if one occurs twice, or if a
// needed one is missing.
func findColumns(head []string) (map[string]int, error) {
	at := make(map[string]int)
	for i, h := range head {
		for _, c := range scoreColumns() {
			if h == c.name || h == c.repository {
				if _, twice := at[c.name]; twice {
					return nil, fmt.Errorf("there are two columns %s", h)
				}
				at[c.name] = i
			}
		}
	}
	for _, c := range scoreColumns() {
		if _, ok := at[c.name]; c.needed && !ok {
			return nil, fmt.Errorf("there is no column %s (or %s): this is no file of SortBench scores", c.name, c.repository)
		}
	}
	return at, nil
}

// publishedGrade returns the grade of a row, whose cells it gets by the names of columns.
func publishedGrade(cell func(string) string) (*verbatim.Grade, error) {
	g := &verbatim.Grade{Outcome: verbatim.Wrong, Label: ScoreOnly, Grader: Published, Repair: cell("error_type"), Measures: make(map[string]float64)}
	for _, c := range scoreColumns() {
		if !c.measure {
			continue
		}
		v, ok, err := figure(cell(c.name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		if ok {
			g.Measures[c.name] = v
		}
	}
	if v, ok := g.Measures["sortbench_published"]; ok {
		g.Score = &v // may be below 0: see ReadSortBenchScores
		if v == 1 {
			g.Outcome, g.Label, g.Exact, g.Extracted = verbatim.Pass, "pass", true, true
		}
	}
	return g, nil
}

// figure reads a number or a truth value; ok is false for an empty cell and NaN.
func figure(s string) (v float64, ok bool, err error) {
	switch s {
	case "", "nan", "NaN":
		return 0, false, nil
	case "True":
		return 1, true, nil
	case "False":
		return 0, true, nil
	}
	v, err = strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false, fmt.Errorf("want a number, found %q", s)
	}
	return v, true, nil
}
