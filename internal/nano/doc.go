// Package nano is a small language model that lives inside the binary: a
// transformer of 0.6 million weights that copies, reverses, sorts and adds, to
// the length at which it fails as models do. It reads the prompts that other
// models read, wherever they come from, and nothing else: no item and no right
// answer.
//
// Start with Load and Network.Answer. A prompt becomes tokens (prompt.go, with the
// words and phrases of vocabulary.go), every token gets its place in its field
// (place.go), the network turns them into scores of the next token (network.go),
// and one of these is chosen and written until the answer ends (answer.go).
//
// The same prompt has the same answer on every machine. Every sum is therefore
// added up in one order, no product is fused into a sum (the conversions around
// products forbid it), and exponents and angles are computed here, from operations
// that IEEE 754 defines to the last bit.
//
// The weights, nano.bin, are trained by the programs in the folder nano of the
// repository; nano.log is what that training wrote.
package nano
