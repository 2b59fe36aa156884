package grade

import "verbatim/internal/grade/traits"

// A SortBench is what SortBench's scorer says about one reply: the verdict of its parser, and its counts.
// The scores depend on a Norm.
type SortBench struct {
	// Parsed: a list was found. Without one the counts mean nothing.
	Parsed bool
	// ErrorType names the repair that made the reply readable, as the published
	// results spell it; "" if none was needed or none helped. It may be set if
	// Parsed is false: then the repair found something other than a list.
	ErrorType    string
	IsList       bool // it was a list, not a tuple around one
	HasEllipsis  bool // the list had an ellipsis, which was dropped
	RequiredCast bool // an item was of another type than those of the input

	UnorderedPairs     int64
	UnorderedNeighbors int
	Missing            int // items of the input that are not in the reply
	Additional         int // items of the reply that are not in the input
	OutputItems        int
	InputItems         int
}

// A Norm says by which length unordered pairs and neighbours are divided.
type Norm int

// The norms.
const (
	// byOutput divides pairs by m(m-1)/2 and neighbours by m, the length of the
	// reply's list, as the published code does. Lists of up to one item have
	// no score.
	byOutput Norm = iota
	// byInput divides by the length of the input in the same way, as the
	// paper's tables for the basic and debug tasks do.
	byInput
	// byNeighbors divides neighbours by m-1, which is their greatest number. Sorting of
	// lists of up to one item is 0 if they are too short, otherwise 1.
	byNeighbors
)

// Validity returns how readable the list was: 1 as asked; 0.75 or 0.5 after a repair, and 0.75 for a tuple,
// an ellipsis or a cast; 0 if nothing was parsed.
func (s SortBench) validity() float64 {
	switch {
	case !s.Parsed:
		return 0
	case s.ErrorType == "Missing closing bracket":
		return 0.75
	case s.ErrorType != "":
		return 0.5
	case !s.IsList || s.HasEllipsis || s.RequiredCast:
		return 0.75
	}
	return 1
}

// Faithfulness returns 1 minus the mean of the shares of missing and of additional items, each at most 1; false
// if nothing was parsed or the input is empty.
func (s SortBench) faithfulness() (float64, bool) {
	if !s.Parsed || s.InputItems == 0 {
		return 0, false
	}
	n := float64(s.InputItems)
	return 1 - (min(1, float64(s.Missing)/n)+min(1, float64(s.Additional)/n))/2, true
}

// Sorting returns how well the list is in order, from 0 to 1; false if the norm
// does not define it or nothing was parsed.
func (s SortBench) sorting(norm Norm) (float64, bool) {
	n := float64(s.OutputItems)
	neighbors := n
	switch norm {
	case byInput:
		n = float64(s.InputItems)
		neighbors = n
	case byNeighbors:
		if s.OutputItems <= 1 {
			if s.OutputItems < s.InputItems {
				return 0, s.Parsed
			}
			return 1, s.Parsed
		}
		neighbors = n - 1
	}
	if !s.Parsed || n <= 1 {
		return 0, false
	}
	pairs := float64(s.UnorderedPairs) / (n * (n - 1) / 2)
	return 1 - (pairs+float64(s.UnorderedNeighbors)/neighbors)/2, true
}

// Score returns the SortBench score: validity times the mean of sorting and
// faithfulness; 0 if nothing was parsed, false if the norm does not define it.
func (s SortBench) Score(norm Norm) (float64, bool) {
	if !s.Parsed {
		return 0, true
	}
	sorting, ok := s.sorting(norm)
	faithfulness, given := s.faithfulness()
	if !given && norm == byNeighbors {
		// The input is empty: right if the reply's list is.
		faithfulness, given = 1-min(1, float64(s.Additional))/2, true
	}
	return s.validity() * (sorting + faithfulness) / 2, ok && given
}

// published returns the norm of the published scores of a SortBench mode; false
// for other items.
func published(mode string) (Norm, bool) {
	switch mode {
	case "basic", "debug":
		return byInput, true
	case "advanced":
		return byOutput, true
	}
	return 0, false
}

// measures returns the Grade.Measures of a list, without those that are not
// defined.
func (s SortBench) measures(mode string) map[string]float64 {
	m := make(map[string]float64, 17)
	m["parsed"] = traits.One(s.Parsed)
	m["is_list"] = traits.One(s.IsList)
	m["has_ellipsis"] = traits.One(s.HasEllipsis)
	m["required_cast"] = traits.One(s.RequiredCast)
	m["validity"] = s.validity()
	if s.Parsed {
		m["unordered_pairs"] = float64(s.UnorderedPairs)
		m["unordered_neighbors"] = float64(s.UnorderedNeighbors)
		m["missing"] = float64(s.Missing)
		m["additional"] = float64(s.Additional)
		m["output_items"] = float64(s.OutputItems)
	}
	put := func(key string, x float64, defined bool) {
		if defined {
			m[key] = x
		}
	}
	x, ok := s.faithfulness()
	put("faithfulness", x, ok)
	putNorm := func(suffix string, norm Norm) {
		x, ok := s.sorting(norm)
		put("sorting"+suffix, x, ok)
		x, ok = s.Score(norm)
		put("sortbench"+suffix, x, ok)
	}
	putNorm("", byOutput)
	putNorm("_standard", byNeighbors)
	if norm, ok := published(mode); ok {
		putNorm("_published", norm)
	}
	return m
}
