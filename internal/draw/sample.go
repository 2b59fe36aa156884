package draw

import "math/rand/v2"

// Sample returns n different integers from 0 to space-1 in random order, by Floyd's algorithm and a
// shuffle. The work grows with n, not with space. It panics if n is more than space.
func Sample(r *rand.Rand, space, n int) []int {
	out := make([]int, 0, n)
	seen := make(map[int]bool, n)
	for i := space - n; i < space; i++ {
		v := r.IntN(i + 1)
		if seen[v] {
			v = i
		}
		seen[v] = true
		out = append(out, v)
	}
	r.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// Distinct draws until it has n different values, and returns them in the order of their first draws.
// It does not end unless draw has n values.
func Distinct[T comparable](n int, draw func() T) []T {
	out := make([]T, 0, n)
	seen := make(map[T]bool, n)
	for len(out) < n {
		v := draw()
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}
