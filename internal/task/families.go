package task

import (
	"slices"
	"sync"

	"verbatim"
	"verbatim/internal/task/exact"
	"verbatim/internal/task/hard"
)

// Families lists every family, in the order in which they are shown. The list is the caller's; the
// lists inside of a family are not.
func Families() []verbatim.Family { return slices.Clone(families()) }

// families makes the list once, since each item of a run asks for its family. A new family
// is one file like reverse.go and one line here, or in the list of its package.
var families = sync.OnceValue(func() []verbatim.Family {
	return slices.Concat([]verbatim.Family{
		copying(),
		reversal(),
		addition(),
	}, exact.Families(), sortFamilies(), hard.Families())
})
