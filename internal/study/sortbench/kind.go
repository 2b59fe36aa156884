package sortbench

// shortKinds lists short names for the kinds of lists whose names are too long for the label of a
// bar: the short name, and the name that SortBench gives the kind.
func shortKinds() [][2]string {
	return [][2]string{
		{"Several closing brackets", "Multiple closing brackets, valid list before first closing bracket"},
		{"Open, broken quotes", "Missing closing bracket and broken quotes"},
		{"Broken quotes, newlines", "Broken quotes and invalid newlines"},
		{"Content before, open", "Content before list without closing bracket"},
		{"Content before latex", "List as latex with additional content before list"},
		{"Content after latex", "List as latex with additional content after list"},
		{"Incomplete at the end", "Incomplete list items at the end"},
		{"Content before lines", "Line-wise list with content berfore list"},
		{"List in the last line", "Multi-line output with comma-separated list in last line"},
	}
}

// abridged returns the short name of a kind, or the kind itself.
func abridged(kind string) string {
	for _, k := range shortKinds() {
		if k[1] == kind {
			return k[0]
		}
	}
	return kind
}
