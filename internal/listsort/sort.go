// Package listsort sorts lists with code that all types share, which keeps the program small:
// slices.SortFunc adds some 15 kB for each type of struct, and slices.SortStableFunc 8 kB. These are
// faster: use them for lists that are long, or that are sorted for each reply.
package listsort

import "sort"

// Stable is slices.SortStableFunc: equal elements stay in their order.
func Stable[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
