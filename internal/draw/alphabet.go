package draw

import "math/rand/v2"

// The alphabets from which strings are drawn. They are ASCII. Their order determines the items: it
// must not change.
const (
	Lower        = "abcdefghijklmnopqrstuvwxyz"
	Letters      = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + Lower
	Digits       = "0123456789"
	Alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + Digits + Lower
)

// String returns n characters of the alphabet, uniform and with replacement.
func String(r *rand.Rand, alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}
