// Package draw is where all randomness of items comes from: a random source
// keyed with the item's name, the alphabets, and the word list.
//
// Start at Rand. The same name gives the same stream on every platform and in
// every version of the program: ChaCha8 is specified
// (https://c2sp.org/chacha8rand), and math/rand/v2 keeps the outputs of the
// methods that are built on it, the same on 32 and 64 bits. Floats are drawn as
// r.Float64() and scaled by the caller, who has to keep a product from being fused
// with a sum: an explicit conversion to float64 does.
//
// The words are WordNet 3.0's, under the licence in WORDNET-LICENSE; the command
// in internal/cmd/wordlist makes the embedded file.
package draw
