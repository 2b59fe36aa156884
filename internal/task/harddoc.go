package task

import "verbatim"

// hardMode is the mode of these tasks in the names of SortBench's files.
const hardMode = "hard"

// hardFamilies lists the families in the order of the paper.
func hardFamilies() []verbatim.Family {
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
