// Package runes compares texts by code points, and classifies characters as Python does. A text need not be
// UTF-8: each byte that is not is a code point of its own, as in Python's surrogateescape, and survives
// a round trip through Decode and Encode.
package runes
