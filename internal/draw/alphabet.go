package draw

import "math/rand/v2"

// The alphabets that strings are drawn from.
const (
	Lower        = "abcdefghijklmnopqrstuvwxyz"
	Letters      = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + Lower
	Digits       = "0123456789"
	Alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + Digits + Lower
)

// String returns n characters of the alphabet, which is ASCII, uniform and with
// replacement.
func String(r *rand.Rand, alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// Distinct returns n different values of draw, in the order in which they were
// first drawn. There must be clearly more than n of them: it gives up, and
// returns nil, after 1000 draws without a new one.
func Distinct[T comparable](n int, draw func() T) []T {
	out := make([]T, 0, n)
	seen := make(map[T]bool, n)
	for idle := 0; len(out) < n; idle++ {
		if idle == 1000 {
			return nil
		}
		v := draw()
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
			idle = -1
		}
	}
	return out
}

// Sample returns n different integers of 0 to space-1 in random order, by
// Floyd's algorithm and a shuffle: the work grows with n, not with space.
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
