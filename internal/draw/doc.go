// Package draw is the randomness of items: a random source keyed with the item's name, the
// alphabets, and the word list.
//
// Start at Rand. The same name gives the same stream on every platform and in every version of the
// program. ChaCha8 is specified (https://c2sp.org/chacha8rand), and math/rand/v2 keeps the outputs of
// its methods, the same on 32 and 64 bits. The caller scales floats of r.Float64(). A product must not
// be fused with a sum, which an explicit conversion to float64 prevents.
//
// The words are those of WordNet 3.0, under the licence in WORDNET-LICENSE. The command in
// dev/wordlist makes the embedded file.
package draw
