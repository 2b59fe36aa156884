package task

import (
	"slices"

	"verbatim"
	"verbatim/internal/task/exact"
	"verbatim/internal/task/hard"
)

// Families lists every family, in the order in which they are shown. A new family
// is one file like reverse.go and one line here, or in the list of its package.
func Families() []verbatim.Family {
	return slices.Concat([]verbatim.Family{
		copying(),
		reversal(),
		addition(),
	}, exact.Families(), sortFamilies(), hard.Families())
}
