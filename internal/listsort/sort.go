// Package listsort sorts lists with code that all types share. slices.SortFunc adds some 15 kB
// to the program for each type of struct, and slices.SortStableFunc 8 kB. They are faster, for
// lists that are long or sorted for each reply.
package listsort

import "sort"

// Stable sorts a list as slices.SortStableFunc does. Elements that compare equal stay in their
// order.
func Stable[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
