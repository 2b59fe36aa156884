// Package hard draws harder kinds of sorting, which the SortBench paper names for a next version
// (section 4.2): other directions, notations, alphabets, categories, several columns, lengths,
// distances. Families lists them.
//
// Every item says in its prompt by which rule to sort, and what decides between equal items, so
// that there is one right answer. Where the items of a family differ in more than their length,
// a fact says how, such as "gap", which reports group by.
package hard

import "verbatim"

// Mode is what SortBench would call these tasks in the names of its files.
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
