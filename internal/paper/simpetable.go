package paper

import (
	"strconv"

	"verbatim/internal/chart"
	"verbatim/internal/report"
)

// shareTable says of every model and test how many answers are right.
func (s *simpeStudy) shareTable() Table {
	t := Table{
		Number: 1, Name: "table-1",
		Caption: "Right answers by model and test, in percent of the answers and of the tries, with 95 % intervals. A try is a request; one that failed is no answer.",
		Columns: append([]Column{{Head: "Test"}, {Head: "Model"}}, simpeColumns()...),
	}
	for i, test := range simpeTests() {
		first := true
		for _, taker := range s.takers {
			c := taker.count(test.family, nil)
			if c.tries == 0 {
				continue
			}
			t.Rows = append(t.Rows, c.row(headOnce(&first, test.title), taker.name, test.title+"/"+taker.name, i > 0))
		}
	}
	return t
}

// bandTable is shareTable by length.
func (s *simpeStudy) bandTable() Table {
	t := Table{
		Number: 2, Name: "table-2",
		Caption: "Right answers by test, model and length: characters of the string, or digits of the longer number.",
		Columns: append([]Column{{Head: "Test"}, {Head: "Model"}, {Head: "Length", Right: true}}, simpeColumns()...),
	}
	others := false
	for i, test := range simpeTests() {
		head := true
		for _, taker := range s.takers {
			name := true
			add := func(length string, c simpeCount) {
				if c.tries == 0 {
					return
				}
				row := c.row(headOnce(&head, test.title), headOnce(&name, taker.name), test.title+"/"+taker.name+"/"+length, i > 0)
				row.Cells = append(row.Cells[:2:2], append([]string{length}, row.Cells[2:]...)...)
				t.Rows = append(t.Rows, row)
			}
			for _, band := range test.bands {
				add(strconv.Itoa(band.Min)+"–"+strconv.Itoa(band.Max), taker.count(test.family, &band))
			}
			c := taker.other(test)
			others = others || c.tries > 0
			add("other", c)
		}
	}
	if others {
		t.Notes = append(t.Notes, "\"Other\" are lengths beyond the bands, and tries of result files that do not say what was asked.")
	}
	return t
}

// simpeColumns are those of counts and shares.
func simpeColumns() []Column {
	return []Column{
		{Head: "Tries", Right: true}, {Head: "Answered", Right: true}, {Head: "Right", Right: true},
		{Head: "% of answered", Right: true}, {Head: "95 %", Right: true}, {Head: "% of tries", Right: true}, {Head: "95 %", Right: true},
	}
}

// row is a line of the tables; a rule stands above the first line of a test.
func (c simpeCount) row(test, model, key string, rule bool) Row {
	r := Row{Key: key, Rule: rule && test != "", Cells: []string{test, model, strconv.Itoa(c.tries), strconv.Itoa(c.answered), strconv.Itoa(c.right)},
		Values: []Value{{"tries", float64(c.tries)}, {"answered", float64(c.answered)}, {"right", float64(c.right)}}}
	for _, share := range []struct {
		simpeShare
		column string
	}{{simpeShareOf(c.right, c.answered), "of_answered"}, {simpeShareOf(c.right, c.tries), "of_tries"}} {
		if !share.ok {
			r.Cells = append(r.Cells, missing, missing)
			continue
		}
		r.Cells = append(r.Cells, percent(share.value, 1), percent(share.low, 0)+"–"+percent(share.high, 0))
		r.Values = append(r.Values, Value{share.column, share.value}, Value{share.column + "_low", share.low}, Value{share.column + "_high", share.high})
	}
	return r
}

func percent(v float64, decimals int) string { return strconv.FormatFloat(100*v, 'f', decimals, 64) }

// headOnce is a word the first time, and nothing afterwards.
func headOnce(first *bool, word string) string {
	if !*first {
		return ""
	}
	*first = false
	return word
}

// timeTable says how long answers took.
func (s *simpeStudy) timeTable() Table {
	t := Table{
		Number: 3, Name: "table-3",
		Caption: "Seconds until the whole answer was there, by test, model and length: the median, and the quartiles between which the middle half lies.",
		Columns: []Column{{Head: "Test"}, {Head: "Model"}, {Head: "Length", Right: true}, {Head: "Answers", Right: true}, {Head: "Median", Right: true}, {Head: "Quartiles", Right: true}, {Head: "Longest", Right: true}},
	}
	untold := false
	for i, test := range simpeTests() {
		head := true
		for _, taker := range s.takers {
			name := true
			for _, band := range test.bands {
				c := taker.count(test.family, &band)
				untold = untold || len(c.seconds) < c.answered
				if len(c.seconds) == 0 {
					continue
				}
				low, median, high := chart.Quantile(c.seconds, 0.25), chart.Quantile(c.seconds, 0.5), chart.Quantile(c.seconds, 0.75)
				longest := c.seconds[len(c.seconds)-1]
				length := strconv.Itoa(band.Min) + "–" + strconv.Itoa(band.Max)
				row := Row{Key: test.title + "/" + taker.name + "/" + length, Rule: i > 0 && head,
					Values: []Value{{"answers", float64(len(c.seconds))}, {"median_seconds", median}, {"q1_seconds", low}, {"q3_seconds", high}, {"longest_seconds", longest}}}
				row.Cells = []string{headOnce(&head, test.title), headOnce(&name, taker.name), length, strconv.Itoa(len(c.seconds)),
					report.NumberText(median, 3), report.NumberText(low, 3) + "–" + report.NumberText(high, 3), report.NumberText(longest, 3)}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	if untold {
		t.Notes = append(t.Notes, "Answers of which no length of time is known are not among these.")
	}
	return t
}

// failureTable says what went wrong.
func (s *simpeStudy) failureTable() Table {
	t := Table{
		Number: 4, Name: "table-4",
		Caption: "What went wrong, by test and model: answers that are not right by what is wrong with them, and requests without an answer by why.",
		Columns: []Column{{Head: "Test"}, {Head: "Model"}, {Head: "Kind"}, {Head: "Number", Right: true}, {Head: "% of tries", Right: true}, {Head: "Answered"}},
	}
	for i, test := range simpeTests() {
		head := true
		for _, taker := range s.takers {
			name := true
			tries := len(taker.tries[test.family])
			for _, kind := range taker.failures[test.family].sorted() {
				answered := map[bool]string{true: "yes", false: "no"}[kind.answered]
				share := float64(kind.n) / float64(tries)
				row := Row{Key: test.title + "/" + taker.name + "/" + answered + "/" + report.Visible(kind.name), Rule: i > 0 && head,
					Values: []Value{{"number", float64(kind.n)}, {"of_tries", share}}}
				row.Cells = []string{headOnce(&head, test.title), headOnce(&name, taker.name), report.Visible(kind.name), strconv.Itoa(kind.n), percent(share, 1), answered}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	if len(t.Rows) == 0 {
		t.Notes = append(t.Notes, "Nothing went wrong.")
	}
	return t
}
