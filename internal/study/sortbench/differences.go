package sortbench

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"verbatim/internal/paper"
	"verbatim/internal/stats/signedrank"
	"verbatim/internal/study"
)

// source names the published numbers.
const source = "Tables 1 to 9 of the SortBench paper (Herbold 2025, arXiv:2504.08312)"

// One output is a list comprehension, which the reference ran with Python's eval. Here nothing
// that a model wrote is evaluated, so that no list is found in this output. These are its item,
// its model and its published scores.
const evaluatedItem = "sortbench:v1.0/debug/English-Duplicate/32/list_10"

func evaluatedModel() string             { return "DeepSeek-r1" }
func evaluatedScores() [measures]float64 { return [measures]float64{0.35546875, 1, 0.421875, 0.5} }

// differences compares the published numbers with ours. It is nil if no entrant is a model of the
// paper.
func (a *analysis) differences(draws signedrank.Draws) (*paper.Differences, error) {
	var inPaper []*entrant
	for _, e := range a.all {
		if e.inPaper() != "" && e.name == e.inPaper() {
			inPaper = append(inPaper, e)
		}
	}
	if len(inPaper) == 0 {
		return nil, nil
	}
	d := &paper.Differences{Source: source}
	own := a
	if len(inPaper) < len(a.all) {
		// Intervals, ranks and probabilities depend on which other models are ranked.
		var err error
		if own, err = analyse(inPaper, draws); err != nil {
			return nil, err
		}
		d.Notes = append(d.Notes, "Compared are the models of the paper among themselves, without the others: intervals and probabilities depend on which other models are ranked.")
	}
	if n := len(own.lists); n != paperLists {
		d.Notes = append(d.Notes, fmt.Sprintf("Nothing is compared: the published numbers are over %d lists, and these runs have answers to %d.", paperLists, n))
		return d, nil
	}
	if len(inPaper) < paperModels {
		d.Notes = append(d.Notes, fmt.Sprintf("Only %s of the paper's %d are here, so that intervals, effect sizes and probabilities are not compared: they depend on which other models are ranked.", study.Plural(len(inPaper), "model"), paperModels))
	}
	c := comparison{ours: own.numbers(), notebook: notebook(), partial: len(inPaper) < paperModels, out: d}
	if again, err := own.evaluated(draws); err != nil {
		return nil, err
	} else if again != nil {
		c.evaluated = again.numbers()
	}
	for _, p := range published() {
		c.compare(p)
	}
	d.Notes = append(d.Notes, c.notes()...)
	return d, nil
}

// A tableNumber is a number of our tables. shown is false if the table has a dash in its place.
type tableNumber struct {
	value float64
	shown bool
}

// numbers returns the numbers of all tables.
func (a *analysis) numbers() map[cell]tableNumber {
	cells := make(map[cell]tableNumber)
	add := func(t paper.Table) {
		for _, r := range t.Rows {
			p := value(r.Values, "p_smaller_best")
			for _, v := range r.Values {
				cells[cell{t.Number, r.Key, v.Column}] = tableNumber{v.Number, v.Column != "d" || p >= leastSmaller}
			}
		}
	}
	add(a.scoreTable())
	for i := range a.ranks {
		add(a.lengthTable(&a.ranks[i]))
	}
	return cells
}

// value returns a number of a row; NaN without it.
func value(list []paper.Value, column string) float64 {
	for _, v := range list {
		if v.Column == column {
			return v.Number
		}
	}
	return math.NaN()
}

// evaluated returns the analysis with the published scores of the output that the reference
// evaluated. It is nil if ours are the same, or if the runs do not have the output. The means and
// the table of that list's length are computed again, the other tables are shared.
func (a *analysis) evaluated(draws signedrank.Draws) (*analysis, error) {
	i := slices.IndexFunc(a.all, func(e *entrant) bool { return e.name == evaluatedModel() })
	if i < 0 {
		return nil, nil
	}
	s, ok := a.all[i].scores[evaluatedItem]
	if !ok || s.values == evaluatedScores() {
		return nil, nil
	}
	other := *a.all[i]
	other.scores = maps.Clone(other.scores)
	s.values = evaluatedScores()
	other.scores[evaluatedItem] = s
	b := &analysis{all: slices.Clone(a.all), lists: a.lists, ranks: slices.Clone(a.ranks)}
	b.all[i] = &other
	if err := b.weigh(); err != nil {
		return nil, err
	}
	for j := range b.ranks {
		if b.ranks[j].length != s.list.length {
			continue
		}
		r, err := b.rankLength(s.list.length, draws)
		if err != nil {
			return nil, err
		}
		b.ranks[j] = *r
	}
	return b, nil
}

// A comparison compares the published numbers with ours, one by one.
type comparison struct {
	ours      map[cell]tableNumber
	evaluated map[cell]tableNumber // ours, with the published scores of evaluatedItem
	notebook  map[cell]string
	partial   bool // models of the paper are missing
	swapped   int  // numbers in each other's column
	earlier   int  // numbers that the notebook has as we do
	executed  int  // numbers that differ by evaluatedItem
	out       *paper.Differences
}

// dependsOnOthers reports whether a number depends on which other models are ranked.
func (c cell) dependsOnOthers() bool {
	return c.table > 1 && c.column != "m" && c.column != "sd"
}

func (c *comparison) compare(p publishedCell) {
	ours, ok := c.ours[p.cell]
	if c.partial && (!ok || p.dependsOnOthers()) {
		return
	}
	if p.text == "" && !ours.shown {
		return // both have a dash
	}
	c.out.Compared++
	if p.text == ours.text() {
		c.out.Equal++
		return
	}
	d := paper.Differing{Place: p.place(), Published: p.text, Ours: ours.text()}
	if d.Published == "" {
		d.Published = paper.Missing
	}
	if p.text != "" && p.within(ours, p.text) {
		c.out.Within++
		d.Explained = true
		d.Why = fmt.Sprintf("Monte Carlo error of the published 50,000 draws; ours is %.4f.", ours.value)
	} else {
		d.Why, d.Explained = c.why(p, ours)
	}
	c.out.List = append(c.out.List, d)
}

// why returns the reason of a difference, and whether it is known.
func (c *comparison) why(p publishedCell, ours tableNumber) (string, bool) {
	again, other := c.evaluated[p.cell]
	if other && (again.text() == p.text || p.within(again, p.text)) {
		c.executed++
		return "The reference evaluated one output as code; with its score for that output the number is the published one.", true
	}
	if why, ok := c.printedOtherwise(p, ours); ok {
		return why, true
	}
	if why, ok := c.printedOtherwise(p, again); other && ok {
		c.executed++
		return why + " That is with the reference's score for the output that it evaluated as code.", true
	}
	if published, err := parse(p.text); err == nil && math.Abs(ours.value-published) <= 0.0005+1e-9 {
		return "Rounding at the last place.", true
	}
	return "Not known.", false
}

// printedOtherwise explains a number that the published notebook has as ours; false if it has not.
func (c *comparison) printedOtherwise(p publishedCell, ours tableNumber) (string, bool) {
	text, differs := c.notebook[p.cell]
	if !differs || text != ours.text() && !p.within(ours, text) {
		return "", false
	}
	if p.table == swappedTable && p.probability() {
		c.swapped++
		return "Its two probabilities are in each other's column; the authors' notebook has our number.", true
	}
	c.earlier++
	return "Printed otherwise than in the authors' notebook, which has our number.", true
}

// swappedTable is the number of the table in which the paper has the two columns of probabilities
// in each other's place.
const swappedTable = 4

// notes counts the differences that are not Monte Carlo error, by reason.
func (c *comparison) notes() []string {
	var notes []string
	if c.earlier > 0 {
		notes = append(notes, fmt.Sprintf("%s between the paper's text and its authors' notebook, which is in the published repository and computes Tables 2 to 9; ours are the notebook's. The paper seems to be printed from an earlier state of some scores.", differ(c.earlier)))
	}
	if c.executed > 0 {
		notes = append(notes, fmt.Sprintf("%s by one output, which the reference evaluated as code: %s, %s. Nothing that a model wrote is evaluated here, and no list is found in it.", differ(c.executed), evaluatedModel(), evaluatedItem))
	}
	if c.swapped > 0 {
		notes = append(notes, fmt.Sprintf("Table %d of the paper has its two columns of probabilities in each other's place: %s beyond the Monte Carlo error.", swappedTable, differ(c.swapped)))
	}
	return notes
}

// differ begins a sentence about n numbers that differ.
func differ(n int) string {
	if n == 1 {
		return "One number differs"
	}
	return strconv.Itoa(n) + " numbers differ"
}

func (p tableNumber) text() string {
	if !p.shown {
		return paper.Missing
	}
	return fixed(p.value)
}

// probability reports whether a number is a probability of a sampled posterior.
func (c cell) probability() bool {
	return c.column == "p_smaller_best" || c.column == "p_smaller_above"
}

// within reports whether a published probability differs from ours by Monte Carlo error only: by
// at most four standard errors of their 50,000 draws, four of ours, and half a unit of the last
// printed place.
func (c cell) within(ours tableNumber, text string) bool {
	published, err := parse(text)
	if !c.probability() || err != nil || !ours.shown {
		return false
	}
	const draws, fewest, se, half = 50_000, 1000, 0.001, 0.0005 // fewest and se: of our draws
	spread := ours.value * (1 - ours.value)
	theirs := math.Sqrt(spread / draws)
	mine := max(theirs, min(se, math.Sqrt(spread/fewest))) // we draw until this error, or as often as they do
	return math.Abs(ours.value-published) <= half+4*theirs+4*mine+1e-9
}

// place names a cell for readers.
func (c cell) place() string {
	words := map[string]string{
		"model_score": "ModelScore", "sorting": "SortingScore", "faithfulness": "FaithfulnessScore", "validity": "ValidityScore",
		"m": "M", "sd": "SD", "ci_low": "CI, lower end", "ci_high": "CI, upper end", "d": "d", "p_smaller_best": "p_smaller(best)", "p_smaller_above": "p_smaller(above)",
	}
	return fmt.Sprintf("Table %d, %s, %s", c.table, c.row, words[c.column])
}
