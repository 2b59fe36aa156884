package task

import "verbatim"

// Families lists every family, in the order in which they are shown. A new family
// is one file like reverse.go and one line here.
func Families() []verbatim.Family {
	list := []verbatim.Family{
		copying(),
		reversal(),
		addition(),
	}
	return append(list, sortFamilies()...)
}
