// Package hard draws harder kinds of sorting, which the SortBench paper names for a next version
// (section 4.2): other directions, notations, alphabets, categories, several columns, lengths,
// distances. Families lists them.
//
// Every prompt states the rule by which to sort, and the order of equal items, so that there is one
// right answer. If the items of a family differ in more than their length, facts such as "gap"
// describe how. Reports group items by facts.
package hard

import "verbatim"

// Mode is the mode of these tasks in the names of SortBench's files.
const Mode = "hard"

// Families lists the families in the order of the paper.
func Families() []verbatim.Family {
	return []verbatim.Family{
		direction(),
		notations(),
		alphabet(),
		sentence(),
		scripts(),
		known(),
		defined(),
		columns(),
		mixed(),
		pictureSize(),
		pictureReference(),
		textLength(),
		distance(),
		graph(),
	}
}
