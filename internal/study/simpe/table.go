package simpe

import (
	"strconv"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/paper"
	"verbatim/internal/stats"
	"verbatim/internal/terminal"
)

// shareTable has the right answers of each model in each test.
func (s *results) shareTable() paper.Table {
	t := paper.Table{
		Number: 1, Name: "table-1",
		Caption: "Right answers by model and test, in percent of the answers and of the requests, with 95 % intervals. A failed request has no answer.",
		Columns: append([]paper.Column{{Head: "Test"}, {Head: "Model"}}, columns()...),
	}
	for _, test := range tests() {
		first := true
		for _, entrant := range s.entrants {
			c := entrant.all(test)
			if c.requests == 0 {
				continue
			}
			t.Rows = append(t.Rows, c.row(headOnce(&first, test.title), entrant.name, test.title+"/"+entrant.name, len(t.Rows) > 0))
		}
	}
	return t
}

// bandTable is shareTable by band of lengths.
func (s *results) bandTable() paper.Table {
	t := paper.Table{
		Number: 2, Name: "table-2",
		Caption: "Right answers by test, model and length: characters of the string, or digits of the longer number.",
		Columns: append([]paper.Column{{Head: "Test"}, {Head: "Model"}, {Head: "Length", Right: true}}, columns()...),
	}
	others := false
	for _, test := range tests() {
		head := true
		for _, entrant := range s.entrants {
			name := true
			add := func(length string, c count) {
				if c.requests == 0 {
					return
				}
				row := c.row(headOnce(&head, test.title), headOnce(&name, entrant.name), test.title+"/"+entrant.name+"/"+length, len(t.Rows) > 0)
				row.Cells = append(row.Cells[:2:2], append([]string{length}, row.Cells[2:]...)...)
				t.Rows = append(t.Rows, row)
			}
			for _, band := range test.bands {
				add(bandText(band), entrant.within(test, band))
			}
			c := entrant.other(test)
			others = others || c.requests > 0
			add("other", c)
		}
	}
	if others {
		t.Notes = append(t.Notes, "\"Other\" are lengths beyond the bands, and requests of result files without a question.")
	}
	return t
}

func bandText(band verbatim.Lengths) string {
	return strconv.Itoa(band.Min) + "–" + strconv.Itoa(band.Max)
}

// columns returns the columns of count.row after the names.
func columns() []paper.Column {
	return []paper.Column{
		{Head: "Tries", Right: true}, {Head: "Answered", Right: true}, {Head: "Right", Right: true},
		{Head: "% of answered", Right: true}, {Head: "95 %", Right: true}, {Head: "% of requests", Right: true}, {Head: "95 %", Right: true},
	}
}

// row returns a row with the counts and the shares. rule says that there is a rule above it if it
// names the test.
func (c count) row(test, model, key string, rule bool) paper.Row {
	r := paper.Row{Key: key, Rule: rule && test != "", Cells: []string{test, model, strconv.Itoa(c.requests), strconv.Itoa(c.answered), strconv.Itoa(c.right)},
		Values: []paper.Value{{Column: "tries", Number: float64(c.requests)}, {Column: "answered", Number: float64(c.answered)}, {Column: "right", Number: float64(c.right)}}}
	for _, share := range []struct {
		share
		column string
	}{{shareOf(c.right, c.answered), "of_answered"}, {shareOf(c.right, c.requests), "of_requests"}} {
		if !share.ok {
			r.Cells = append(r.Cells, paper.Missing, paper.Missing)
			continue
		}
		r.Cells = append(r.Cells, percent(share.value, 1), percent(share.low, 0)+"–"+percent(share.high, 0))
		r.Values = append(r.Values, paper.Value{Column: share.column, Number: share.value}, paper.Value{Column: share.column + "_low", Number: share.low}, paper.Value{Column: share.column + "_high", Number: share.high})
	}
	return r
}

func percent(v float64, decimals int) string { return strconv.FormatFloat(100*v, 'f', decimals, 64) }

// headOnce returns the word the first time, and nothing afterwards.
func headOnce(first *bool, word string) string {
	if !*first {
		return ""
	}
	*first = false
	return word
}

// timeTable has the times of answers by band of lengths.
func (s *results) timeTable() paper.Table {
	t := paper.Table{
		Number: 3, Name: "table-3",
		Caption: "Seconds until the whole answer had arrived, by test, model and length: the median, and the quartiles between which the middle half lies.",
		Columns: []paper.Column{{Head: "Test"}, {Head: "Model"}, {Head: "Length", Right: true}, {Head: "Answers", Right: true}, {Head: "Median", Right: true}, {Head: "Quartiles", Right: true}, {Head: "Longest", Right: true}},
	}
	unknown := false
	for _, test := range tests() {
		head := true
		for _, entrant := range s.entrants {
			name := true
			for _, band := range test.bands {
				c := entrant.within(test, band)
				unknown = unknown || len(c.seconds) < c.answered
				if len(c.seconds) == 0 {
					continue
				}
				low, median, high := stats.Quantile(c.seconds, 0.25), stats.Quantile(c.seconds, 0.5), stats.Quantile(c.seconds, 0.75)
				longest := c.seconds[len(c.seconds)-1]
				length := bandText(band)
				row := paper.Row{Key: test.title + "/" + entrant.name + "/" + length, Rule: len(t.Rows) > 0 && head,
					Values: []paper.Value{{Column: "answers", Number: float64(len(c.seconds))}, {Column: "median_seconds", Number: median}, {Column: "q1_seconds", Number: low}, {Column: "q3_seconds", Number: high}, {Column: "longest_seconds", Number: longest}}}
				row.Cells = []string{headOnce(&head, test.title), headOnce(&name, entrant.name), length, strconv.Itoa(len(c.seconds)),
					number.Fixed(median, 3), number.Fixed(low, 3) + "–" + number.Fixed(high, 3), number.Fixed(longest, 3)}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	if unknown {
		t.Notes = append(t.Notes, "Answers whose time is unknown are not among these.")
	}
	return t
}

// failureTable counts what went wrong.
func (s *results) failureTable() paper.Table {
	t := paper.Table{
		Number: 4, Name: "table-4",
		Caption: "What went wrong, by test and model: answers that are not right by what is wrong with them, and requests without an answer by why.",
		Columns: []paper.Column{{Head: "Test"}, {Head: "Model"}, {Head: "Kind"}, {Head: "Number", Right: true}, {Head: "% of requests", Right: true}, {Head: "Answered"}},
	}
	for _, test := range tests() {
		head := true
		for _, entrant := range s.entrants {
			name := true
			counts := entrant.failures[test.family]
			for _, f := range sortedFailures(counts) {
				answered := map[bool]string{true: "yes", false: "no"}[f.answered]
				kind, n := terminal.Visible(f.name), counts[f]
				share := float64(n) / float64(len(entrant.requests[test.family]))
				row := paper.Row{Key: test.title + "/" + entrant.name + "/" + answered + "/" + kind, Rule: len(t.Rows) > 0 && head,
					Values: []paper.Value{{Column: "number", Number: float64(n)}, {Column: "of_requests", Number: share}}}
				row.Cells = []string{headOnce(&head, test.title), headOnce(&name, entrant.name), kind, strconv.Itoa(n), percent(share, 1), answered}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	if len(t.Rows) == 0 {
		t.Notes = append(t.Notes, "Nothing went wrong.")
	}
	return t
}
