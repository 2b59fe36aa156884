package grade

import (
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// A listGrader is one of the graders of lists. They share everything but what they
// call the score.
type listGrader struct {
	name    string
	version int
	// score returns the score of a reply; false where the grader leaves it undefined.
	score func(strict bool, s SortBench) (float64, bool)
}

// listGraders returns the graders of lists.
func listGraders() []listGrader {
	return []listGrader{
		{"list", 1, func(strict bool, _ SortBench) (float64, bool) { return one(strict), true }},
		{"sortbench", 1, func(_ bool, s SortBench) (float64, bool) { return s.Score(ByNeighbors) }},
		{"sortbench-reference", 1, func(_ bool, s SortBench) (float64, bool) { return s.Score(ByOutput) }},
	}
}

// findListGrader returns the grader of the name, which may carry a version.
func findListGrader(name string) (listGrader, bool) {
	name, _, _ = strings.Cut(name, "/")
	for _, g := range listGraders() {
		if g.name == name {
			return g, true
		}
	}
	return listGrader{}, false
}

// gradeList judges the reply text to an item whose wanted answer is a list, by the
// grader of the name. It is pure. To judge many replies to one item, keep its
// ListJudge.
func gradeList(it *verbatim.Item, text string, finish verbatim.Finish, grader string) verbatim.Grade {
	j, err := NewListJudge(it)
	if err != nil {
		return verbatim.Grade{Outcome: verbatim.Wrong, Label: "unparsed", Detail: err.Error(), Grader: grader}
	}
	return j.Grade(text, finish, grader, new(ListScratch))
}

// A ListJudge judges replies to one item: the list that is wanted, prepared once.
// It does not change and may be shared.
type ListJudge struct {
	want   []pylit.Value
	source []pylit.Value // what the question was made from; nil where unknown
	kind   pylit.Kind    // of the first item that was given: what others are cast to
	// mixed: the items are of several types, so that casts would spoil them. The
	// published scorer casts them all the same; our own verdict does not.
	mixed   bool
	scale   listScale
	printed string // the right reply
	mode    string // SortBench's
	edition verbatim.Edition
}

// NewListJudge prepares the wanted list of an item. It is an error when the answer
// is not a list or holds what no literal is.
func NewListJudge(it *verbatim.Item) (*ListJudge, error) {
	if !it.Want.IsList() {
		return nil, fmt.Errorf("the wanted answer of %s is a text, not a list", it.ID)
	}
	want, err := pylit.FromList(it.Want.List)
	if err != nil {
		return nil, fmt.Errorf("the wanted list of %s: %w", it.ID, err)
	}
	j := &ListJudge{
		want:    want,
		scale:   newListScale(want),
		printed: pylit.MakeList(want).String(),
		mode:    it.Facts[verbatim.FactMode],
		edition: verbatim.Edition(it.Facts[verbatim.FactEdition]),
	}
	first := want
	if it.Source != nil && it.Source.IsList() {
		if j.source, err = pylit.FromList(it.Source.List); err != nil {
			return nil, fmt.Errorf("the source list of %s: %w", it.ID, err)
		}
		first = j.source
	}
	if len(first) > 0 {
		j.kind = first[0].Kind()
	}
	j.mixed = slices.ContainsFunc(want, func(v pylit.Value) bool { return v.Kind() != j.kind })
	return j, nil
}

// A ListScratch is memory that a ListJudge works in. The zero ListScratch is
// ready; it serves any number of judges, one reply at a time.
type ListScratch struct {
	reference listReader // reads as SortBench does
	own       listReader // reads what our verdict is about, where that is another text
	tally     listTally
}

// SortBench returns the verdict and counts of SortBench's scorer on a reply.
func (j *ListJudge) SortBench(reply string, s *ListScratch) SortBench {
	score, _ := j.sortBench(reply, s)
	return score
}

func (j *ListJudge) sortBench(reply string, s *ListScratch) (SortBench, listReading) {
	reading := s.reference.read(reply, j.kind, len(j.want) > 0)
	score := SortBench{
		Parsed: reading.parsed, ErrorType: reading.repair, IsList: reading.isList,
		HasEllipsis: reading.ellipsis, RequiredCast: reading.cast, InputItems: len(j.want),
	}
	if reading.parsed {
		c, ranks := s.tally.count(&j.scale, reading.items)
		reading.counts, reading.ranks, reading.counted = c, ranks, true
		score.UnorderedPairs, score.UnorderedNeighbors = c.pairs, c.neighbors
		score.Missing, score.Additional = c.missing, c.added
		score.OutputItems = len(reading.items)
	}
	return score, reading
}
