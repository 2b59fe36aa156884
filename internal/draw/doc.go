// Package draw is where all randomness of items comes from: a random source
// keyed with the item's name, the alphabets, and the word list.
//
// Start at Rand. The same name gives the same stream on every platform and in
// every version of the program: ChaCha8 is specified
// (https://c2sp.org/chacha8rand), and math/rand/v2 promises the outputs of the
// methods that are built on it.
package draw
