// Package nano is a small language model inside the program: a transformer with 0.6 million weights
// that copies, reverses, sorts and adds, and fails on long items as other models do. It gets the
// prompts that other models get, and nothing else: neither the item nor the expected answer.
//
// Start with Load and Network.Answer. A prompt becomes tokens (prompt.go, with the words and phrases
// of vocabulary.go). Each token gets a place, and the network computes the logits of the next token
// (network.go). The next token is chosen (choice.go) until the answer ends (answer.go).
//
// The same prompt has the same answer on every machine. For this, the terms of a sum are added in a
// fixed order, and conversions around products keep a compiler from fusing them into sums.
// Exponentials and angles are computed here, from operations that IEEE 754 defines to the last bit.
//
// The programs in training/nano of the repository train the weights, which are in nano.bin. The file
// nano.log is the log of the training.
package nano
